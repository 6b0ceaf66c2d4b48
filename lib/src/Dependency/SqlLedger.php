<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Dependency\Database\LockingDialect;
use Larder\Dependency\Protocol\Announcements;
use Larder\Dependency\Protocol\LedgerProtocol;
use Larder\Dependency\Protocol\LockingIndex;
use Larder\Dependency\Protocol\LockingProtocol;
use Larder\Dependency\Protocol\LockingState;
use Larder\Dependency\Protocol\NoPages;
use Larder\Dependency\Protocol\OneWriterIndex;
use Larder\Dependency\Protocol\OneWriterProtocol;
use Larder\Dependency\Protocol\OneWriterState;
use Larder\Dependency\Protocol\PageRegister;
use Larder\Dependency\Protocol\SqlIndex;
use Larder\Dependency\Protocol\SqlState;
use Larder\Exception\LedgerUnavailable;
use Larder\Exception\NoTransaction;
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
    private readonly PageRegister $register;

    private readonly LedgerProtocol $protocol;

    /**
     * @param (Closure(AnnouncedChange): (Closure(): mixed|null))|null $announced is called right before COMMIT with
     *     what the ledger has made known, and returns what to do after COMMIT; neither throws. After a rollback it is
     *     not done. If the connection is lost during COMMIT, nobody knows, and it is not done either
     */
    public function __construct(
        private readonly TrackedConnection $connection,
        RegisteredPages $pages,
        string $release,
        ClockInterface $clock = new SystemClock(),
        private readonly int $slots = 65536,
        Randomizer $random = new Randomizer(),
        ?Closure $announced = null,
    ) {
        $announcements = new Announcements($announced, $connection);
        $dialect = $connection->dialect();
        [$state, $index] = $dialect instanceof LockingDialect
            ? [
                new LockingState($connection, $dialect, $slots, $random),
                new LockingIndex($connection, $dialect, $random),
            ]
            : [new OneWriterState($connection, $slots, $random), new OneWriterIndex($connection)];
        $this->register = new PageRegister(
            $pages,
            $state,
            $index,
            $clock,
            // Only where one writes at a time. The other protocol has a register of its own.
            static function (array $evicted) use ($connection, $announcements): void {
                array_map($connection->afterwards(...), $announcements->of([], $evicted));
            },
        );
        $this->protocol = $state instanceof OneWriterState
            ? new OneWriterProtocol($connection, $this->register, $state, $release, $slots, $announcements)
            : new LockingProtocol(
                $connection,
                $state->dialect,
                $pages,
                $release,
                $clock,
                $slots,
                $random,
                $announcements,
            );
        $connection->announceBy(
            static fn(TrackedConnection $writer, array $names)
                => (new self($writer, $pages, $release, $clock, $slots, announced: $announced))->announceUntold($names),
        );
        $connection->gateBy(
            static fn(TrackedConnection $writer, ?array $tables, Closure $run): mixed
                => (new self($writer, $pages, $release, $clock, $slots, announced: $announced))->gate($tables, $run),
        );
    }

    /**
     * The ledger of values alone, for a database whose site keeps no pages. deploy() makes its tables.
     *
     * @param int $slots number of versions, which names share; the same in all processes
     */
    public static function forValues(TrackedConnection $connection, int $slots = 65536): self
    {
        return new self($connection, new NoPages($connection), NoPages::RELEASE, slots: $slots);
    }

    public function connection(): TrackedConnection
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
        return $this->register->index;
    }

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
        return $this->protocol->present($slots);
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
        $this->protocol->deploy();
    }

    /**
     * Removes all pages, and ends all values that were made with LedgerVersions. No render that has begun can be
     * stored.
     *
     * @throws LedgerUnavailable
     */
    public function flush(): void
    {
        $this->protocol->flush();
    }

    public function snapshot(RecordedReads $reads, Closure $make): mixed
    {
        $made = $this->connection->snapshot($reads, $make, function () use ($reads): void {
            try {
                $this->protocol->seal($reads);
            } catch (LedgerUnavailable $exception) {
                $reads->refuse('the ledger could not be read: ' . $exception->getMessage());
            }
        });
        $this->learn($reads);

        return $made;
    }

    /** Learns the column sets by which the next result like this one is named more exactly. */
    public function learn(RecordedReads $reads): void
    {
        $this->protocol->learn($reads);
    }

    public function publish(Registration $registration, Closure $stamp, Closure $place): Publication
    {
        return $this->protocol->publish($registration, $stamp, $place);
    }

    /** @param Closure(list<Dependency>): void|null $last runs before COMMIT and gets the names that were made known */
    public function transaction(Closure $write, ?Closure $last = null): mixed
    {
        $this->connection->beginTransaction();
        try {
            $change = $this->open();
            $made = $this->connection->within(static fn(): mixed => $write($change));
            $names = $this->announce($change);
            if ($last !== null) {
                $last($names);
            }
            $this->connection->commit();
        } catch (Throwable $exception) {
            if ($this->connection->inTransaction()) {
                $this->connection->takeBack();
            }
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

        return new RowChange($registry, $registry, $this->connection->writes());
    }

    public function change(RowChange $change): void
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
        $this->protocol->announce($names, true);
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

    /** @return list<Dependency> the names that were made known */
    private function announce(RowChange $change): array
    {
        $this->connection->say($change->untold());

        return $this->protocol->announce($change->names(), false);
    }
}
