<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

use Closure;
use Larder\Cache;
use Larder\Cache\Settings;
use Larder\Dependency\RecordingPdo;
use Larder\Dependency\Versions;
use PDO;

/** Asks for values and checks that none is older than what was committed before it asked. */
final class ValueReader
{
    /** Findings of one reader that are written down. */
    private const ENOUGH = 5;

    private readonly Cache $cache;
    private readonly Versions $versions;
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
        $store = $trial->store->open($worker % 2);
        $versions = $trial->versions($store, $this->connection);
        $this->versions = $trial->missing === MissingGuard::Order ? new LateVersions($versions) : $versions;
        $this->cache = new Cache($store, $this->versions, new Settings(ttl: 3600.0, lease: 1.0, wait: 0.05));
    }

    public function work(): void
    {
        while (!$this->trial->isOver()) {
            $row = $this->trial->anyRow();
            $next = ($row + 1) % $this->commits->rows;
            $isPlain = $this->trial->mode->isPlain($row) || $this->trial->mode->isPlain($next);
            if (mt_rand(1, 16) === 1) {
                $this->readOld($row);
            } elseif (mt_rand(1, 8) === 1 && !$isPlain) {
                $this->look(
                    [$row, $next],
                    fn(): array => $this->cache->remember(
                        "pair $row",
                        fn(): array => [$this->value($row), $this->value($next)],
                    ),
                );
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
            $this->connection->exec('BEGIN');
        }
        $cursor = $this->connection->prepare('SELECT version FROM item');
        $cursor->execute();
        $cursor->fetch();
        usleep(mt_rand(0, 20_000));
        $this->value($row);
        unset($cursor);
        if ($isTransaction) {
            $this->connection->exec('COMMIT');
        }
        $this->count(ValueCount::OldReads);
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
        $this->count(ValueCount::Reads);
        if ($this->made === 0) {
            $this->count(ValueCount::Hits);
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
            default => $this->cache->remember("told $row", function () use ($row): array {
                $version = $this->read($row);
                $this->cache->reads("item:$row");

                return self::large($version);
            }),
        };

        return $version;
    }

    private function count(ValueCount $what): void
    {
        $this->trial->board->add($what, index: $this->worker);
    }

    /** @return array{int, string} a value long enough to be kept near */
    private static function large(int $version): array
    {
        return [$version, str_repeat('x', 1000)];
    }

    private function read(int $row): int
    {
        $version = Database::version($this->connection, $row);
        $this->linger();

        return $version;
    }

    /** Leaves time in which the data that was read can become old. */
    private function linger(): void
    {
        ++$this->made;
        if (mt_rand(1, 3) === 1) {
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
            $this->trial->board->raise(ValueCount::LongestLag, $age, $this->worker);
            if ($age <= (int) ($this->trial->mode->lag * 1e9) + $took) {
                return;
            }
        }
        if (++$this->found <= self::ENOUGH) {
            $this->trial->findings->add(\sprintf(
                '%s, %s: row %d was read as version %d, but %d had been committed (%.1f ms ago)',
                $this->trial->mode->name,
                $this->trial->hazard->value,
                $row,
                $version,
                $oldest,
                $age / 1e6,
            ));
        }
        $this->count(ValueCount::Stale);
    }
}
