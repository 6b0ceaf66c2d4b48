<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Exception\LedgerUnavailable;
use Larder\Exception\NoTransaction;
use Larder\Exception\PageStoreFailed;
use Larder\SystemClock;
use PDOException;
use Psr\Clock\ClockInterface;
use Throwable;

/**
 * A ledger in the database that holds the data, on the application's own connection.
 *
 * Renderer and writer follow algorithm F. The renderer holds the write lock during [check, register], the writer during
 * [bump, read index, unlink, COMMIT]. So a writer finds each draft that was registered before, and the versions that it
 * moved refuse each draft that comes later.
 *
 * @phpstan-import-type Row from SqlIndex
 * @phpstan-import-type State from SqlState
 */
final class SqlLedger implements Ledger
{
    /** How long a renderer waits for the write lock before it gives up storing, in milliseconds. */
    private const PATIENCE = 250;

    /** Pages that one publication may evict, so that it holds the lock for a bounded time. */
    private const MOST_EVICTED = 64;

    private readonly SqlIndex $index;

    private readonly SqlState $state;

    private readonly Dialect $dialect;

    public function __construct(
        private readonly RecordingPdo $connection,
        private readonly RegisteredPages $pages,
        private readonly string $release,
        private readonly ClockInterface $clock = new SystemClock(),
        private readonly int $slots = 65536,
    ) {
        $this->index = new SqlIndex($connection);
        $this->state = new SqlState($connection, $clock, $slots);
        $this->dialect = $connection->dialect();
        $connection->announceBy(
            static function (RecordingPdo $writer, array $names) use ($pages, $release, $clock, $slots): void {
                (new self($writer, $pages, $release, $clock, $slots))->announceNames($names, $names);
            },
        );
    }

    /**
     * The ledger of values alone, for a database whose site keeps no pages. deploy() makes its tables.
     *
     * @param int $slots number of versions, which names share; the same in all processes
     */
    public static function forValues(RecordingPdo $connection, int $slots = 65536): self
    {
        return new self($connection, new NoPages($connection), NoPages::RELEASE, slots: $slots);
    }

    public function connection(): RecordingPdo
    {
        return $this->connection;
    }

    /** The number of versions, which names share. */
    public function slots(): int
    {
        return $this->slots;
    }

    public function index(): SqlIndex
    {
        return $this->index;
    }

    public function state(): SqlState
    {
        return $this->state;
    }

    /**
     * Creates what is missing of the ledger's tables, and makes this release and registry the ledger's. Pages of other
     * releases are no longer served when it returns.
     *
     * @throws LedgerUnavailable
     */
    public function deploy(): void
    {
        foreach ($this->dialect->schema($this->slots) as $statement) {
            $this->connection->exec($statement);
        }
        $this->locked('deploying', function (): void {
            $this->connection->run(
                $this->dialect->insertIfAbsent(
                    'larder_ledger',
                    ['one', 'id', 'generation', 'registry', 'release', 'slots'],
                ),
                [1, bin2hex(random_bytes(16)), SqlState::FIRST_GENERATION, '', '', $this->slots],
            );
            $release = $this->state->read()['release'];
            if ($this->pages instanceof NoPages && !\in_array($release, ['', $this->release], true)) {
                throw PageStoreFailed::elsewhere();
            }
            $this->connection->run(
                'UPDATE larder_ledger SET registry = ?, release = ?',
                [$this->connection->registry()->hash(), $this->release],
            );
            $this->claim($this->state->read());
            $this->pages->clear();
            $this->index->clear();
            $this->pages->release($this->release);
        });
    }

    /**
     * Removes all pages.
     *
     * @throws LedgerUnavailable
     */
    public function flush(): void
    {
        $this->locked('flushing', function (): void {
            $this->claim($this->state->read());
            $this->pages->clear();
            $this->index->clear();
        });
    }

    public function snapshot(RecordedReads $reads, Closure $make): mixed
    {
        return $this->connection->snapshot($reads, $make, function () use ($reads): void {
            try {
                $reads->seal($this->state->versions($reads->slots($this->slots)));
            } catch (PDOException|LedgerUnavailable $exception) {
                $reads->refuse('the ledger could not be read: ' . $exception->getMessage());
            }
        });
    }

    public function publish(Registration $registration, Closure $place): Publication
    {
        $usual = $this->patience();
        try {
            $this->connection->run($this->dialect->patience(self::PATIENCE, $usual)[0]);
            try {
                $this->connection->beginTransaction();
            } catch (PDOException $exception) {
                return $this->dialect->isBusy($exception) ? Publication::Busy : throw $exception;
            }
            try {
                [$refused, $generation] = $this->register($registration);
                $refused === null ? $this->connection->commit() : $this->connection->rollBack();
            } catch (Throwable $exception) {
                $this->rollBack();
                throw $exception;
            }
        } catch (PDOException $exception) {
            throw LedgerUnavailable::during('registering a page', $exception);
        } finally {
            $this->connection->run($this->dialect->patience(self::PATIENCE, $usual)[1]);
        }

        return $refused ?? ($place($generation) ? Publication::Stored : Publication::Changed);
    }

    /** @param Closure(list<Dependency>): void|null $last runs before COMMIT and gets the names that were made known */
    public function transaction(Closure $write, ?Closure $last = null): mixed
    {
        $this->connection->beginTransaction();
        try {
            $change = $this->open();
            $made = $this->connection->transaction()->within(static fn(): mixed => $write($change));
            $names = $this->announce($change);
            if ($last !== null) {
                $last($names);
            }
            $this->connection->commit();
        } catch (Throwable $exception) {
            $this->rollBack();
            throw $exception;
        }

        return $made;
    }

    public function open(): Change
    {
        if (!$this->connection->inTransaction()) {
            throw NoTransaction::forChange();
        }

        return new Change($this->connection->registry(), $this->connection->writes());
    }

    public function change(Change $change): void
    {
        $this->announce($change);
    }

    /** @return list<Dependency> the names that were made known */
    private function announce(Change $change): array
    {
        $this->connection->transaction()->say($change->untold());

        return $this->announceNames($change->names(), $change->bulkNames());
    }

    /**
     * @param list<Dependency> $names
     * @param list<Dependency> $bulk  the same tables, each as a bulk change, for a ledger with another registry
     *
     * @return list<Dependency> the names that were made known
     */
    private function announceNames(array $names, array $bulk): array
    {
        if (!$this->connection->inTransaction()) {
            throw NoTransaction::forChange();
        }
        $writes = $this->connection->writes();
        if ($names === [] && !$writes->areUndeclared()) {
            return [];
        }
        try {
            $state = $this->state->read();
            $isOther = $state['registry'] !== $this->connection->registry()->hash();
            $names = $isOther ? $bulk : $names;
            if ($isOther && $writes->areUndeclared()) {
                $this->dropAll($state);
            } elseif ($names !== []) {
                $this->state->bump($names);
                $this->claim($state);
                $made = $this->index->madeFrom($names);
                $this->pages->drop(array_column($made, 'placed'));
                $this->index->delete($made);
            }
            $writes->clear();

            return $names;
        } catch (PDOException|PageStoreFailed|LedgerUnavailable $exception) {
            $this->rollBack();
            throw $exception instanceof LedgerUnavailable
                ? $exception
                : LedgerUnavailable::during('making a change known, which was rolled back', $exception);
        }
    }

    /**
     * Another release may declare a table that was written and is not declared here, under whatever name.
     *
     * @param State $state
     */
    private function dropAll(array $state): void
    {
        $this->connection->run('UPDATE larder_slot SET version = version + 1');
        $this->claim($state);
        $this->pages->clear();
        $this->index->clear();
        $this->pages->release($state['release']);
    }

    /**
     * Step R3 of algorithm F, under the write lock.
     *
     * @return array{Publication|null, int} why it is refused, or null; its generation
     */
    private function register(Registration $registration): array
    {
        $state = $this->state->read();
        if ($state['release'] !== $this->release || $state['registry'] !== $this->connection->registry()->hash()) {
            return [Publication::OtherRelease, 0];
        }
        $this->claim($state);
        $versions = $registration->reads->versions();
        if ($versions !== $this->state->versions(array_keys($versions))) {
            return [Publication::Changed, 0];
        }
        $now = $this->clock->now()->getTimestamp();
        $this->take([...$this->index->ofPage($registration->page), ...$this->index->expired($now, self::MOST_EVICTED)]);
        if (!$this->makeRoom($registration)) {
            return [Publication::Full, 0];
        }
        $generation = $this->state->generation(max($state['generation'], $this->pages->highest()));
        $this->connection->run('UPDATE larder_ledger SET generation = ?', [$generation]);
        $this->index->insert($registration, $this->release, $generation);

        return [null, $generation];
    }

    /** Evicts the oldest pages of a route that has more than its share, never another route's. */
    private function makeRoom(Registration $registration): bool
    {
        $bytes = $this->index->bytes();
        $excess = max(
            ($bytes[$registration->route] ?? 0) + $registration->bytes - $registration->cap,
            array_sum($bytes) + $registration->bytes - $registration->total,
        );
        if ($excess <= 0) {
            return true;
        }
        $going = [];
        foreach ($this->index->oldest($registration->route, self::MOST_EVICTED) as $row) {
            if ($excess > 0) {
                $going[] = $row;
                $excess -= $row['bytes'];
            }
        }
        $this->take($going);

        return $excess <= 0;
    }

    /** @param list<Row> $rows */
    private function take(array $rows): void
    {
        $this->pages->drop(array_column($rows, 'placed'));
        $this->index->delete($rows);
    }

    /** @param State $state */
    private function claim(array $state): void
    {
        if (!$this->pages->claim($state['id'], $state['generation'])) {
            $this->index->clear();
            $this->pages->release($state['release']);
        }
    }

    private function patience(): int
    {
        $usual = $this->connection->run($this->dialect->usualPatience())->fetchColumn();

        return is_numeric($usual) ? (int) $usual : 0;
    }

    /** @param Closure(): void $do */
    private function locked(string $step, Closure $do): void
    {
        try {
            $this->connection->beginTransaction();
            $do();
            $this->connection->commit();
        } catch (Throwable $exception) {
            $this->rollBack();
            throw $exception instanceof LedgerUnavailable ? $exception : LedgerUnavailable::during($step, $exception);
        }
    }

    private function rollBack(): void
    {
        if ($this->connection->inTransaction()) {
            $this->connection->rollBack();
        }
    }
}
