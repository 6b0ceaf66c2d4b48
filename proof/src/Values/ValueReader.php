<?php

declare(strict_types=1);

namespace Larder\Proof\Values;

use Closure;
use Larder\Cache;
use Larder\Cache\Settings;
use Larder\Metrics\MemoryCounters;
use Larder\Proof\MissingGuard;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Store;
use PDO;
use PDOStatement;

/** Asks for values and checks that none is older than what was committed before it asked. */
final class ValueReader
{
    /** Findings of one reader that are written down. */
    private const ENOUGH = 5;

    /** One of this many computes of a row that is changed often is slow; one in ten of those outlives its lease. */
    private const SLOW = 150;

    /** Seconds. */
    private const LEASE = 1.0;

    private readonly Store $store;
    private readonly Cache $cache;
    private readonly MemoryCounters $counters;
    private readonly PDO $connection;
    private readonly CommitLog $commits;
    private int $made = 0;
    private int $found = 0;

    public function __construct(private readonly Trial $trial, private readonly int $worker)
    {
        $this->commits = $trial->commits;
        $isBlind = $trial->missing === MissingGuard::Snapshot;
        // Half of the readers of gated values are told what they read, by a connection that records nothing.
        $this->connection = $isBlind || $trial->mode->isStrict || $worker % 2 === 0
            ? $trial->database->open($isBlind)
            : $trial->database->openPlain();
        $this->store = $trial->store->open($worker % 2);
        $this->counters = new MemoryCounters();
        $versions = $trial->versions($this->store, $this->connection);
        $this->cache = new Cache(
            $this->store,
            $trial->missing === MissingGuard::Order ? new LateVersions($versions) : $versions,
            new Settings(ttl: 3600.0, lease: self::LEASE, wait: 0.05),
            counters: $this->counters,
        );
    }

    public function work(): void
    {
        while (!$this->trial->isOver()) {
            $closed = $this->trial->board->get('closed');
            if ($closed > 0 && mt_rand(1, 2) === 1) {
                $this->lookBesideGate($closed - 1);
            }
            $row = $this->trial->anyRow();
            $next = ($row + 1) % $this->commits->rows;
            $isPlain = $this->trial->mode->isPlain($row) || $this->trial->mode->isPlain($next);
            if (mt_rand(1, 16) === 1) {
                $this->readOld($row);
            } elseif (mt_rand(1, 8) === 1 && !$isPlain) {
                $this->look(
                    [$row, $next],
                    fn(): array => $this->cache->remember("pair $row", fn(): array => $this->pair($row, $next)),
                );
            } elseif (mt_rand(1, 8) === 1) {
                $this->look([$row], fn(): array => [$this->written($row)]);
            } elseif ($row % 3 === 0 && !$isPlain) {
                $this->lookBesideGate($row);
            } else {
                $this->look([$row], fn(): array => [$this->value($row)]);
            }
        }
    }

    /** Reads in a state of the database from before the changes of this moment. */
    private function readOld(int $row): void
    {
        $isTransaction = mt_rand(0, 1) === 1;
        if ($isTransaction) {
            $this->connection->exec($this->trial->database->begin());
        }
        $cursor = $this->cursor();
        usleep(mt_rand(0, 40_000));
        // Now the value must be made anew.
        $this->cache->delete("plain $row");
        mt_rand(1, 4) === 1 ? $this->written($row) : $this->value($row);
        unset($cursor);
        if ($isTransaction) {
            $this->connection->exec('COMMIT');
        }
        $this->trial->count($isTransaction ? ValueCount::OldTransactions : ValueCount::OldCursors, $this->worker);
    }

    /** A statement that is not read to its end. As long as it is there, all reads of SQLite see this state. */
    private function cursor(): PDOStatement
    {
        $cursor = $this->connection->prepare('SELECT version FROM item');
        $cursor->execute();
        $cursor->fetch();

        return $cursor;
    }

    /**
     * Reads two rows, at times in the state from the beginning of the compute.
     *
     * @return array{int, int}
     */
    private function pair(int $row, int $next): array
    {
        $cursor = mt_rand(1, 4) === 1 ? $this->cursor() : null;
        if ($cursor !== null) {
            $this->trial->count(ValueCount::OldCursors, $this->worker);
            $this->linger($row);
        }

        return [$this->value($row), $this->value($next)];
    }

    /**
     * Looks at a value whose name is known beforehand. Behind a closed gate nobody may keep it, so nobody waits for it,
     * and all readers come to see that.
     */
    private function lookBesideGate(int $row): void
    {
        do {
            $gate = $this->trial->mode->isStrict ? null : $this->store->get("\0vitem:$row");
            $waits = $this->waits();
            $this->look([$row], fn(): array => [$this->value($row)]);
            // A list of writers is closed, and each change has a number of its own.
            $isClosed = \is_array($gate) && $this->store->get("\0vitem:$row") === $gate;
            if ($isClosed) {
                $this->trial->count(ValueCount::ReadsBesideClosedGates, $this->worker);
                if ($this->waits() > $waits) {
                    $this->trial->count(ValueCount::WaitsBesideClosedGates, $this->worker);
                }
            }
            $this->trial->board->set('closed', $isClosed ? $row + 1 : 0);
        } while ($isClosed && mt_rand(1, 8) > 1);
    }

    private function waits(): int
    {
        $this->cache->flush();

        $waits = 0;
        foreach ($this->counters->all() as $series => $count) {
            $waits += str_starts_with($series, 'larder_cache_waits_total{') ? (int) $count : 0;
        }

        return $waits;
    }

    /**
     * @param list<int>            $rows
     * @param Closure(): list<int> $read their versions
     */
    private function look(array $rows, Closure $read): void
    {
        $oldest = array_map($this->commits->committed(...), $rows);
        $begin = (int) hrtime(true);
        $this->made = 0;
        $versions = $read();
        $took = (int) hrtime(true) - $begin;
        $this->trial->count(ValueCount::Reads, $this->worker);
        if ($this->made === 0) {
            $this->trial->count(ValueCount::Hits, $this->worker);
        }
        foreach ($rows as $i => $row) {
            if ($versions[$i] < $oldest[$i]) {
                $this->old($row, $versions[$i], $oldest[$i], $begin, $took);
            }
        }
    }

    private function value(int $row): int
    {
        if ($this->trial->mode->isPlain($row)) {
            return $this->cache->remember("plain $row", fn(): array => self::large($this->read($row)))[0];
        }
        [$version] = match ($row % 3) {
            0 => $this->cache->remember(
                "known $row",
                fn(): array => self::large($this->read($row)),
                reads: ["item:$row"],
            ),
            1 => $this->cache->remember(
                "recorded $row",
                fn(): array => self::large($this->read($row)),
                reads: $this->connection instanceof RecordingPdo ? [] : ["item:$row"],
            ),
            default => $this->toldLate($row),
        };

        return $version;
    }

    /** @return array{int, string} */
    private function toldLate(int $row): array
    {
        $made = $this->made;
        $value = $this->cache->remember("told $row", function () use ($row): array {
            $version = $this->read($row);
            $this->cache->reads("item:$row");

            return self::large($version);
        });
        if ($this->made === $made) {
            $this->trial->count(ValueCount::ToldLateHits, $this->worker);
        }

        return $value;
    }

    /** By set() in place of remember(). */
    private function written(int $row): int
    {
        $stored = $this->cache->get("written $row");
        if (\is_array($stored) && \is_int($stored[0] ?? null)) {
            return $stored[0];
        }
        $reads = $this->cache->reading("item:$row");
        $version = $this->read($row);
        if ($this->cache->set("written $row", self::large($version), reads: $reads)) {
            $this->trial->count(ValueCount::ValuesSet, $this->worker);
        }

        return $version;
    }

    /** @return array{int, string} a value long enough to be kept near */
    private static function large(int $version): array
    {
        return [$version, str_repeat('x', 1000)];
    }

    private function read(int $row): int
    {
        $version = Database::version($this->connection, $row);
        ++$this->made;
        $this->linger($row);

        return $version;
    }

    /** Leaves time in which the data that was read can become old. */
    private function linger(int $row): void
    {
        if ($this->trial->isHot($row) && mt_rand(1, self::SLOW) === 1) {
            $version = $this->commits->committed($row);
            usleep(mt_rand(1, 10) === 1 ? (int) (self::LEASE * 1.2e6) : mt_rand(50_000, 300_000));
            if ($this->commits->committed($row) > $version) {
                $this->trial->count(ValueCount::SlowComputes, $this->worker);
            }
        } elseif (mt_rand(1, 3) === 1) {
            usleep(mt_rand(0, 10_000));
        }
    }

    private function old(int $row, int $version, int $oldest, int $begin, int $took): void
    {
        $age = 0;
        for ($next = $version + 1; $next <= $oldest && $age === 0; ++$next) {
            $age = $this->commits->committedAt($row, $next);
        }
        $age = $age === 0 ? PHP_INT_MAX : $begin - $age;
        if ($this->trial->mode->lag > 0.0) {
            $this->trial->board->raise('longestLag', $age, $this->worker);
            if ($age <= (int) ($this->trial->mode->lag * 1e9) + $took) {
                return;
            }
        }
        if (++$this->found <= self::ENOUGH) {
            $this->trial->findings->add(\sprintf(
                '%s, %s: row %d was read as version %d, but %d had been committed (%.1f ms ago)',
                $this->trial->name,
                $this->trial->hazard->value,
                $row,
                $version,
                $oldest,
                $age / 1e6,
            ));
        }
        $this->trial->count(ValueCount::Stale, $this->worker);
    }
}
