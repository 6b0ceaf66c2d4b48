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
use Random\Randomizer;
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

    /** Seconds after which a former place is forgotten that has not been there in all that time. */
    private const FORGOTTEN = 90 * 86400;

    private readonly SqlIndex $index;

    private readonly SqlState $state;

    private readonly Dialect $dialect;

    public function __construct(
        private readonly RecordingPdo $connection,
        private readonly RegisteredPages $pages,
        private readonly string $release,
        private readonly ClockInterface $clock = new SystemClock(),
        private readonly int $slots = 65536,
        Randomizer $random = new Randomizer(),
    ) {
        $this->index = new SqlIndex($connection);
        $this->state = new SqlState($connection, $slots, $random);
        $this->dialect = $connection->dialect();
        $connection->announceBy(
            static function (RecordingPdo $writer, array $names) use ($pages, $release, $clock, $slots): void {
                (new self($writer, $pages, $release, $clock, $slots))->announceUntold($names);
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
     * Creates what is missing of the ledger's tables, and makes this release, this registry and this place of pages the
     * ledger's. When it returns, no page of before is served, at whatever place, and no render that has begun can be
     * stored. Values that were made with LedgerVersions end too.
     *
     * @throws LedgerUnavailable
     */
    public function deploy(): void
    {
        foreach ($this->dialect->schema($this->slots) as $statement) {
            $this->connection->probe($statement);
        }
        $this->anew('deploying', function (): array {
            $this->connection->change(
                $this->dialect->insertIfAbsent(
                    'larder_ledger',
                    ['one', 'id', 'generation', 'registry', 'release', 'slots'],
                ),
                [1, '', 0, '', '', $this->slots],
            );
            $release = $this->state->read()['release'];
            if ($this->pages instanceof NoPages && !\in_array($release, ['', $this->release], true)) {
                throw PageStoreFailed::elsewhere();
            }
            $this->begin($this->pages, $this->release, $this->connection->registry()->hash());

            return [$this->pages, ...$this->clearFormerPlaces()];
        });
    }

    /**
     * Removes all pages, and ends all values that were made with LedgerVersions. No render that has begun can be
     * stored.
     *
     * @throws LedgerUnavailable
     */
    public function flush(): void
    {
        $this->anew('flushing', function (): array {
            $state = $this->state->read();
            $pages = $this->served();
            $this->begin($pages, $state['release'], $state['registry']);

            return [$pages, ...$this->clearFormerPlaces()];
        });
    }

    public function snapshot(RecordedReads $reads, Closure $make): mixed
    {
        $made = $this->connection->snapshot($reads, $make, function () use ($reads): void {
            try {
                ['id' => $life, 'versions' => $versions] = $this->state->present($reads->slots($this->slots));
                $reads->seal($versions, $life);
            } catch (PDOException|LedgerUnavailable $exception) {
                $reads->refuse('the ledger could not be read: ' . $exception->getMessage());
            }
        });
        $this->learn($reads);

        return $made;
    }

    /** Learns the column sets by which the next result like this one is named more exactly. */
    public function learn(RecordedReads $reads): void
    {
        if ($reads->wanted() !== []) {
            (new LearnedSets($this->connection))->add($reads->wanted());
        }
    }

    public function publish(Registration $registration, Closure $stamp, Closure $place): Publication
    {
        $usual = $this->patience();
        try {
            $this->connection->probe($this->dialect->patience(self::PATIENCE, $usual)[0]);
            try {
                $this->connection->beginTransaction();
            } catch (PDOException $exception) {
                return $this->dialect->isBusy($exception) ? Publication::Busy : throw $exception;
            }
            try {
                [$refused, $generation] = $this->register($registration, $stamp);
                $this->connection->commit();
            } catch (Throwable $exception) {
                $this->rollBack();
                throw $exception;
            }
        } catch (PDOException $exception) {
            throw LedgerUnavailable::during('registering a page', $exception);
        } finally {
            $this->connection->probe($this->dialect->patience(self::PATIENCE, $usual)[1]);
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

    /**
     * @internal Makes known what the open transaction wrote.
     *
     * @param list<Dependency> $names
     *
     * @throws LedgerUnavailable after a rollback
     */
    public function announceUntold(array $names): void
    {
        $this->announceNames($names, true);
    }

    /** @return list<Dependency> the names that were made known */
    private function announce(Change $change): array
    {
        $this->connection->transaction()->say($change->untold());

        return $this->announceNames($change->names(), false);
    }

    /**
     * @param list<Dependency> $names for a ledger with another registry their tables in bulk
     * @param bool             $looks whether it looks at the ledger although there are none
     *
     * @return list<Dependency> the names that were made known
     */
    private function announceNames(array $names, bool $looks): array
    {
        if (!$this->connection->inTransaction()) {
            throw NoTransaction::forChange();
        }
        $writes = $this->connection->writes();
        if (!$looks && $names === [] && !$writes->areUndeclared()) {
            return [];
        }
        try {
            $state = $this->state->read();
            $isOther = $state['registry'] !== $this->connection->registry()->hash();
            $names = $isOther ? self::inBulk($names) : $names;
            if (!$state['isOfSchema'] || ($isOther && $writes->areUndeclared())) {
                // The same statement may read something else now. And another release may declare what was written
                // under whatever name. So all begin anew.
                $this->begin($this->served(), $state['release'], $state['registry']);
            } elseif ($names !== []) {
                $this->state->bump($names);
                $pages = $this->registered($state);
                $made = $this->index->madeFrom($names);
                $pages->drop(array_column($made, 'placed'));
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
     * @param list<Dependency> $names
     *
     * @return list<Dependency> words as they are
     */
    private static function inBulk(array $names): array
    {
        $bulk = [];
        foreach ($names as $name) {
            $all = $name->table === '' ? $name : Dependency::all($name->table);
            $bulk[$all->name] = $all;
        }

        return array_values($bulk);
    }

    /**
     * Step R3 of algorithm F, under the write lock.
     *
     * @param Closure(int): void $stamp
     *
     * @return array{Publication|null, int} why it is refused, or null; its generation
     */
    private function register(Registration $registration, Closure $stamp): array
    {
        $versions = $registration->reads->versions();
        $state = $this->state->read(array_keys($versions));
        if ($state['release'] !== $this->release || $state['registry'] !== $this->connection->registry()->hash()) {
            return [Publication::OtherRelease, 0];
        }
        if (!$state['isOfSchema']) {
            $this->begin($this->served(), $state['release'], $state['registry']);

            return [Publication::Changed, 0];
        }
        if (!$this->pages->belong($state['id'], $state['generation'])) {
            return [$this->registered($state) === $this->pages ? Publication::Changed : Publication::OtherPlace, 0];
        }
        if ($versions !== $state['versions'] || $registration->reads->life() !== $state['id']) {
            return [Publication::Changed, 0];
        }
        $this->take($this->index->ofPage($registration->page));
        // Only pages with an end of their own expire, so the others do not look for them.
        if ($registration->expires !== null) {
            $this->take($this->index->expired($this->clock->now()->getTimestamp(), self::MOST_EVICTED));
        }
        if (!$this->makeRoom($registration)) {
            return [Publication::Full, 0];
        }
        $generation = $state['generation'] + 1;
        $stamp($generation);
        $this->state->reach($generation);
        $this->index->insert($registration, $this->release, $generation);

        return [null, $generation];
    }

    /** Evicts the oldest pages of a route that has more than its share, never another route's. */
    private function makeRoom(Registration $registration): bool
    {
        $excess = $this->excess($registration);
        if ($excess > 0 && $registration->expires === null) {
            $this->take($this->index->expired($this->clock->now()->getTimestamp(), self::MOST_EVICTED));
            $excess = $this->excess($registration);
        }
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

    /** By how many bytes the page is too large for what is free. */
    private function excess(Registration $registration): int
    {
        $bytes = $this->index->bytes();

        return max(
            ($bytes[$registration->route] ?? 0) + $registration->bytes - $registration->cap,
            array_sum($bytes) + $registration->bytes - $registration->total,
        );
    }

    /** @param list<Row> $rows */
    private function take(array $rows): void
    {
        $this->pages->drop(array_column($rows, 'placed'));
        $this->index->delete($rows);
    }

    /**
     * The pages that the index knows. If they were lost, or cannot be trusted, all begin anew.
     *
     * @param State $state
     */
    private function registered(array $state): RegisteredPages
    {
        if ($this->pages->belong($state['id'], $state['generation'])) {
            return $this->pages;
        }
        $pages = $this->served();
        if ($pages === $this->pages || !$pages->belong($state['id'], $state['generation'])) {
            $this->begin($pages, $state['release'], $state['registry']);
        }

        return $pages;
    }

    /** The pages of the place that was deployed. It is not this process's own if that was described with another. */
    private function served(): RegisteredPages
    {
        $place = $this->state->place();

        return $place === null || $place === $this->pages->place() ? $this->pages : $this->pages->at($place);
    }

    private function begin(RegisteredPages $pages, string $release, string $registry): void
    {
        $isForeign = $pages !== $this->pages;
        if ($isForeign && !$pages->isThere() && $this->index->isEmpty()) {
            return;
        }
        [$life, $generation] = $this->state->renew($release, $registry);
        $this->index->clear();
        // A place of others that is gone is not made again: its next process does that, or nobody.
        if (!$isForeign || $pages->isThere()) {
            $pages->begin($life, $generation, $release);
            $this->state->serve($pages->place(), $this->clock->now()->getTimestamp());
        }
    }

    /**
     * Nobody publishes at a former place. Pages that are there have been left out of service by nobody yet.
     *
     * @return list<RegisteredPages> that were cleared
     */
    private function clearFormerPlaces(): array
    {
        $cleared = [];
        foreach ($this->state->formerPlaces() as $place => $since) {
            $pages = $this->pages->at($place);
            if ($pages->isThere()) {
                $pages->clear();
                $cleared[] = $pages;
                $this->state->forget($place);
            } elseif ($since < $this->clock->now()->getTimestamp() - self::FORGOTTEN) {
                $this->state->forget($place);
            }
        }

        return $cleared;
    }

    private function patience(): int
    {
        $usual = current($this->connection->rows($this->dialect->usualPatience())[0] ?? []);

        return is_numeric($usual) ? (int) $usual : 0;
    }

    /** @param Closure(): list<RegisteredPages> $do returns those with pages out of service, which need no lock to go */
    private function anew(string $step, Closure $do): void
    {
        try {
            $this->connection->beginTransaction();
            $cleared = $do();
            $this->connection->commit();
        } catch (Throwable $exception) {
            $this->rollBack();
            throw $exception instanceof LedgerUnavailable ? $exception : LedgerUnavailable::during($step, $exception);
        }
        foreach ($cleared as $pages) {
            try {
                $pages->sweep(PHP_INT_MAX);
            } catch (PageStoreFailed) {
                // They are out of service. The next flush tries again.
                continue;
            }
        }
    }

    private function rollBack(): void
    {
        if ($this->connection->inTransaction()) {
            $this->connection->rollBack();
        }
    }
}
