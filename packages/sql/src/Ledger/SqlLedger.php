<?php

declare(strict_types=1);

namespace Larder\Sql\Ledger;

use Closure;
use Larder\Dependency\DataSource;
use Larder\Dependency\HasSource;
use Larder\Dependency\Name;
use Larder\Exception\NoTransaction;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Schema\LockingDialect;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\RowChange;
use Larder\Sql\Tracker\TrackedConnection;
use Larder\Sql\Tracker\TrackedDatabase;
use Larder\SystemClock;
use Psr\Clock\ClockInterface;
use Random\Randomizer;
use Throwable;

/**
 * A ledger in the database that holds the data.
 *
 * Renderer and writer follow algorithm F. The order of its statements and their locks are those of a LedgerProtocol:
 * one for databases with one writer at a time, and one for those that lock rows, where a second connection is opened.
 */
final class SqlLedger implements HasSource, Ledger
{
    /** So many versions a ledger has, if nobody says otherwise. */
    private const SLOTS = 65536;

    private readonly PageRegister $register;

    private readonly LedgerProtocol $protocol;

    /**
     * @internal
     *
     * @param (Closure(AnnouncedChange): (Closure(): mixed|null))|null $announced is called right before COMMIT with
     *     what the ledger has made known, and returns what to do after COMMIT; neither throws. After a rollback it is
     *     not done. If the connection is lost during COMMIT, nobody knows, and it is not done either
     */
    public function __construct(
        private readonly TrackedConnection $connection,
        private readonly RegisteredPages $pages,
        private readonly string $release,
        private readonly ClockInterface $clock = new SystemClock(),
        private readonly int $slots = self::SLOTS,
        Randomizer $random = new Randomizer(),
        private readonly ?Closure $announced = null,
    ) {
        $database = $connection->tracker()->database;
        [$this->register, $this->protocol]
            = self::parts($database, $pages, $release, $clock, $slots, $random, $announced);
    }

    /**
     * @internal What makes known what the connection of this database writes. It keeps no connection, as a ledger does.
     *
     * @param (Closure(AnnouncedChange): (Closure(): mixed|null))|null $announced as of the constructor
     */
    public static function announcer(
        TrackedDatabase $database,
        RegisteredPages $pages,
        string $release,
        ClockInterface $clock = new SystemClock(),
        int $slots = self::SLOTS,
        ?Closure $announced = null,
    ): SqlAnnouncer {
        [, $protocol] = self::parts($database, $pages, $release, $clock, $slots, new Randomizer(), $announced);

        return new SqlAnnouncer($protocol);
    }

    /**
     * @param (Closure(AnnouncedChange): (Closure(): mixed|null))|null $announced
     *
     * @return array{PageRegister, LedgerProtocol}
     */
    private static function parts(
        TrackedDatabase $database,
        RegisteredPages $pages,
        string $release,
        ClockInterface $clock,
        int $slots,
        Randomizer $random,
        ?Closure $announced,
    ): array {
        $own = $database->own;

        return $own->dialect()->choose(
            static function () use ($database, $own, $pages, $release, $clock, $slots, $random, $announced): array {
                $state = new OneWriterState($own, $slots, $random);
                $register = new PageRegister($pages, $state, new OneWriterIndex($own), $clock);

                return [$register, new OneWriterProtocol($database, $register, $state, $release, $slots, $announced)];
            },
            static fn(LockingDialect $dialect): array => [
                new PageRegister(
                    $pages,
                    new LockingState($own, $dialect, $slots, $random),
                    new LockingIndex($own, $dialect, $random),
                    $clock,
                ),
                new LockingProtocol($database, $dialect, $pages, $release, $clock, $slots, $random, $announced),
            ],
        );
    }

    /**
     * Makes known from now on what the connection writes.
     *
     * What does it is made once, when the connection first writes, and is not this ledger: this one keeps the
     * connection, and a statement that a miss runs twice.
     */
    public function follow(): self
    {
        [$pages, $release, $clock] = [$this->pages, $this->release, $this->clock];
        [$slots, $announced] = [$this->slots, $this->announced];
        $this->connection->announceBy(static fn(TrackedDatabase $database): SqlAnnouncer
            => self::announcer($database, $pages, $release, $clock, $slots, $announced));

        return $this;
    }

    /**
     * The ledger of values alone, for a database whose site keeps no pages. deploy() makes its tables.
     *
     * @param int $slots number of versions, which names share; the same in all processes
     */
    public static function forValues(TrackedConnection $connection, int $slots = self::SLOTS): self
    {
        $pages = new NoPages($connection->tracker()->database);

        return (new self($connection, $pages, NoPages::RELEASE, slots: $slots))->follow();
    }

    /** @internal */
    public function connection(): TrackedConnection
    {
        return $this->connection;
    }

    /** @internal The number of versions, which names share. */
    public function slots(): int
    {
        return $this->slots;
    }

    /** @internal */
    public function index(): SqlIndex
    {
        return $this->register->index;
    }

    /** @internal */
    public function state(): SqlState
    {
        return $this->register->state;
    }

    /**
     * @internal Whether what the database commits outlives the pages, without which none is stored.
     *
     * @throws LedgerUnavailable
     */
    public function isDurable(): bool
    {
        return $this->protocol->isDurable();
    }

    /**
     * @internal The versions of these slots, and the ledger that they belong to: in the open snapshot, or as they are.
     *
     * @param list<int> $slots
     *
     * @return array{id: string, mark: int, registry: string, versions: array<int, int>} as SqlState::present()
     *
     * @throws LedgerUnavailable
     */
    public function present(array $slots): array
    {
        return $this->protocol->present($slots, $this->connection->tracker());
    }

    /**
     * Creates what is missing of the ledger's tables, and makes this release, this registry and this place of pages the
     * ledger's. When it returns, no page of before is served, at whatever place, and no render that has begun can be
     * stored. Values that were made with LedgerVersions end too.
     *
     * @param bool $takes also if the pages lie in a directory of another host or container. It must be gone for good,
     *     and no nginx may serve it: nobody could drop what it has
     *
     * @throws LedgerUnavailable
     */
    public function deploy(bool $takes = false): void
    {
        $this->protocol->deploy($this->connection->tracker(), $takes);
    }

    /**
     * Removes all pages, and ends all values that were made with LedgerVersions. No render that has begun can be
     * stored.
     *
     * @throws LedgerUnavailable
     */
    public function flush(): void
    {
        $this->protocol->flush($this->connection->tracker());
    }

    public function snapshot(RecordedReads $reads, Closure $make): mixed
    {
        $tracker = $this->connection->tracker();
        $made = $tracker->snapshot($reads, $make, function () use ($reads, $tracker): void {
            try {
                $this->protocol->seal($reads, $tracker);
            } catch (LedgerUnavailable $exception) {
                $reads->refuse('the ledger could not be read: ' . $exception->getMessage());
            }
        });
        $this->learn($reads);

        return $made;
    }

    /** @internal Learns the column sets by which the next result like this one is named more exactly. */
    public function learn(RecordedReads $reads): void
    {
        $this->protocol->learn($reads, $this->connection->tracker());
    }

    public function publish(Registration $registration, Closure $stamp, Closure $place): Publication
    {
        return $this->protocol->publish($registration, $stamp, $place, $this->connection->tracker());
    }

    /** @param Closure(list<Name>): void|null $last runs before COMMIT and gets the names that were made known */
    public function transaction(Closure $write, ?Closure $last = null): mixed
    {
        $this->connection->beginTransaction();
        try {
            $change = $this->open();
            $made = $this->connection->tracker()->transaction()->within(static fn(): mixed => $write($change));
            $names = $this->announce($change);
            if ($last !== null) {
                $last($names);
            }
            $this->connection->commit();
        } catch (Throwable $exception) {
            $this->connection->tracker()->transaction()->takeBackAll($this->connection->takeBack(...));
            throw $exception;
        }

        return $made;
    }

    /** @internal */
    public function source(?Closure $inTransaction = null): DataSource
    {
        return new LedgerSource($this->connection, $this->transaction(...), $inTransaction);
    }

    public function open(): RowChange
    {
        if (!$this->connection->inTransaction()) {
            throw NoTransaction::forChange();
        }

        $registry = $this->connection->registry();

        return new RowChange($registry, $registry, $this->connection->tracker()->writes());
    }

    public function change(RowChange $change): void
    {
        $this->announce($change);
    }

    /**
     * @internal Makes known what the open transaction wrote, and these names.
     *
     * @param list<Name> $names
     *
     * @throws LedgerUnavailable after a rollback
     */
    public function announceUntold(array $names): void
    {
        $this->protocol->announce($names, true, $this->connection->tracker()->transaction());
    }

    /**
     * @internal Runs a statement that commits by itself. Nothing is stored while it runs, and what it changes is made
     * known before it and after it.
     *
     * @template T
     *
     * @param list<string>|null $tables that it changes; null: all
     * @param Closure(): T      $run
     *
     * @return T
     *
     * @throws LedgerUnavailable before it has run
     */
    public function gate(?array $tables, Closure $run): mixed
    {
        return $this->protocol->gate($tables, $run);
    }

    /** @return list<Name> the names that were made known */
    private function announce(RowChange $change): array
    {
        $transaction = $this->connection->tracker()->transaction();
        $transaction->say($change->untold());

        return $this->protocol->announce($change->names(), false, $transaction);
    }
}
