<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Exception\ChangeFailed;
use Larder\Exception\LedgerUnavailable;
use Larder\Exception\NoTransaction;
use Larder\Store;
use PDO;
use Throwable;
use ValueError;

/**
 * Versions kept in a store, each behind a gate that is closed while a writer is between its first write and COMMIT.
 *
 * No value is served or stored behind a closed gate. Right before COMMIT the writer checks that its gates are still
 * closed, and rolls back if one was lost. After COMMIT each name gets a new version. So nothing made from the old data
 * is served after change() has returned, nor after COMMIT has returned if no gate was lost during it, even if the
 * writer dies at any point. One hole is left: a gate is lost after the check, *and* the writer dies after COMMIT.
 * LedgerVersions has none.
 *
 * Gates and the marks of writers end by their ttl, so a change leaves nothing in the store for ever.
 */
final class Gates implements VersionsInStore
{
    /** @internal */
    public const CHANGED = 'its data changed meanwhile';

    private const BOUNDED = 'it contains a value from a cache without the ledger\'s versions: make it by Pages::cache()';

    /** Seconds that a version lives at least. */
    private const DAY = 86400.0;

    /**
     * Share of a gate's ttl in which a compute may call reads() after it has read. A writer commits within half of the
     * ttl, so in this time no gate has ended by its ttl that a COMMIT after the compute's begin needs.
     */
    private const LATE = 0.4;

    private readonly GateEntries $entries;

    private readonly Registry $registry;

    private readonly GatedTransaction $transaction;

    private readonly ?PDO $connection;

    private readonly ?RecordingPdo $recording;

    /** @var list<RunningCompute> computes that are running, the outermost first */
    private array $stack = [];

    private bool $changing = false;

    /**
     * @param Store          $store       the store of the cache whose values are made from the data, or another
     * @param PDO|null $connection connection to the data. change() runs its transaction on it, and values made within a
     *     transaction are not stored. A RecordingPdo also records what they are made from. Null: see change()
     * @param SqlLedger|null $ledger ledger of pages, or of values of LedgerVersions, that are made from the same data:
     *     one change() ends both
     * @param Registry|null $registry what may be named, the same in all processes; null: the connection's, or else
     *     names are any words of 1 to 500 bytes
     * @param float          $gateSeconds for which a dead writer's gates stay closed; twice what a transaction may take
     *
     * @throws ValueError
     */
    public function __construct(
        private readonly Store $store,
        ?PDO $connection = null,
        ?SqlLedger $ledger = null,
        ?Registry $registry = null,
        private readonly float $gateSeconds = 60.0,
    ) {
        if ($ledger !== null && $connection !== null && $connection !== $ledger->connection()) {
            throw new ValueError('The connection must be the ledger\'s own');
        }
        if (!($gateSeconds > 0.0)) {
            throw new ValueError('$gateSeconds must be more than 0');
        }
        $this->entries = new GateEntries($store);
        $this->connection = $connection ?? $ledger?->connection();
        $this->recording = $this->connection instanceof RecordingPdo ? $this->connection : null;
        $this->registry = $registry ?? $this->recording?->registry() ?? new Registry();
        $this->transaction = new GatedTransaction($this->connection, $ledger, $this->registry);
    }

    public function make(Closure $compute, array $names, ?float $life): ComputedValue
    {
        $names = $this->registry->reads($names);
        $running = new RunningCompute($life === null ? null : max(self::DAY, 2.0 * $life));
        $refusal = $life !== null && $life <= 0.0 && $this->stack === [] ? 'it is not kept' : $this->refusal();
        if ($refusal === null) {
            $running->counter = $this->entries->counter();
            $this->stamp($running, $names);
        } else {
            $running->refuse($refusal);
            $this->addToPage($names);
        }
        $this->stack[] = $running;
        try {
            $inPage = $names === [] && $this->recording?->inSnapshot() === true;
            $value = $this->recording === null
                ? $compute()
                : $this->record($running, $compute, $this->recording, $inPage, $life);
            $this->check($running);
        } finally {
            array_pop($this->stack);
            $this->current()?->include($running);
        }

        return new ComputedValue($value, $running->refusal === null ? $running->stamps : null, $running->refusal);
    }

    public function reads(string|Dependency ...$names): void
    {
        $names = $this->registry->reads($names);
        $this->addToPage($names);
        $running = $this->current();
        if ($running === null || $running->refusal !== null) {
            return;
        }
        $before = $running->stamps;
        $this->stamp($running, $names);
        if ($running->stamps === $before) {
            return;
        }
        // The data may have been read before its version. So no change may have ended since the compute began.
        if (hrtime(true) - $running->begun > $this->gateSeconds * self::LATE * 1e9) {
            $running->refuse(
                \sprintf('it called reads() more than %.3g s after its begin', $this->gateSeconds * self::LATE),
            );
        } elseif ($running->counter === null || !$this->entries->isCounter($running->counter)) {
            $running->refuse('data changed between its begin and its call of reads()');
        }
    }

    public function used(array $stamps, float $until): void
    {
        // Asked for every hit, so it takes no call where nothing is being made.
        if ($this->stack !== []) {
            $this->stack[array_key_last($this->stack)]->add($stamps);
        }
        if ($this->recording !== null && $this->recording->inSnapshot()) {
            $this->recording->recorded()?->bound(self::BOUNDED, $until);
        }
    }

    public function watchesAll(): bool
    {
        return $this->recording !== null;
    }

    public function hold(array $stamped): array
    {
        if ($this->changing || ($this->connection !== null && $this->sawOwnWrites($this->connection))) {
            return array_map(static fn(): bool => false, $stamped);
        }
        if (isset($stamped[0]) && \count($stamped) === 1) {
            return [$this->store->getMultiple(array_keys($stamped[0])) === $stamped[0]];
        }
        $keys = array_map(strval(...), array_keys(array_merge(...array_values($stamped))));
        $present = array_filter($this->store->getMultiple($keys), is_int(...));

        return array_map(static fn(array $stamps): bool => array_diff_assoc($stamps, $present) === [], $stamped);
    }

    public function keysIn(Store $store, array $names): array
    {
        return $store === $this->store ? self::keys($this->registry->reads($names)) : [];
    }

    public function holdsBy(array $stamps, array $keys, array $found): bool
    {
        // hold() also reads the versions of names that reads() added, and looks at the connection.
        if ($this->changing || $this->connection !== null || array_diff_key($stamps, array_flip($keys)) !== []) {
            return $this->hold([$stamps])[0];
        }

        foreach ($stamps as $key => $version) {
            if (($found[$key] ?? null) !== $version) {
                return false;
            }
        }

        return true;
    }

    /**
     * Without a connection, $write begins and commits its own transaction and calls Change::check() right before
     * COMMIT.
     *
     * @throws NoTransaction if a transaction is open already
     * @throws ChangeFailed  after a rollback, if the change could not be made known
     * @throws Throwable     after a rollback; what $write throws
     */
    public function change(array $names, Closure $write): mixed
    {
        if ($this->changing || $this->connection?->inTransaction() === true) {
            throw NoTransaction::ofItsOwn();
        }
        $known = new Change($this->registry);
        array_map(static fn(string|Dependency $name) => $known->name($name), $names);
        $gates = new WriterGates($this->entries, $this->gateSeconds);
        $this->changing = true;
        try {
            $gates->close($known->given());
            $made = $this->transaction->run($known->given(), $write, $gates);
        } catch (Throwable $exception) {
            if (!$gates->mayBeCommitted()) {
                $gates->open(false);
            }
            throw $exception instanceof LedgerUnavailable
                ? ChangeFailed::because($exception->getMessage(), $exception)
                : $exception;
        } finally {
            $this->changing = false;
        }
        $gates->open(true);

        return $made;
    }

    /** @return string|null why a value that is made now may not be stored: others may see older or newer data */
    private function refusal(): ?string
    {
        return match (true) {
            $this->changing => 'a change is being made',
            $this->recording?->inSnapshot() === true => 'the read transaction around it may be older than the versions',
            $this->connection?->inTransaction() === true => 'a transaction is open',
            default => null,
        };
    }

    private function sawOwnWrites(PDO $connection): bool
    {
        return $this->recording === null ? $connection->inTransaction() : $this->recording->wrote();
    }

    /**
     * @template T
     *
     * @param Closure(): T $compute
     *
     * @return T
     */
    private function record(
        RunningCompute $running,
        Closure $compute,
        RecordingPdo $connection,
        bool $inPage,
        ?float $life,
    ): mixed {
        $reads = new RecordedReads($connection->registry(), fn(array $names) => $this->stamp($running, $names));
        try {
            $made = $connection->record($reads, $compute);
        } finally {
            if ($reads->refusal() !== null) {
                $running->refuse($reads->refusal());
            }
        }
        if ($inPage && $reads->names() === []) {
            $connection->recorded()?->bound(self::BOUNDED, $life === null ? PHP_FLOAT_MAX : microtime(true) + $life);
        }

        return $made;
    }

    /** @param list<Dependency> $names */
    private function stamp(RunningCompute $running, array $names): void
    {
        if ($running->refusal === null) {
            $new = array_values(array_diff(self::keys($names), array_keys($running->stamps)));
            $stamps = $this->entries->stamps($new, $running->ttl);
            \is_string($stamps) ? $running->refuse($stamps) : $running->add($stamps);
        }
    }

    /** Refuses the value if its data changed while it was made. */
    private function check(RunningCompute $running): void
    {
        if ($running->refusal === null && $this->connection?->inTransaction() === true) {
            $running->refuse('it left a transaction open');
        }
        if ($running->refusal === null && $running->stamps !== [] && !$this->entries->areCurrent($running->stamps)) {
            $running->refuse(self::CHANGED);
        }
    }

    /**
     * Adds the names to the page in whose read transaction the value is made.
     *
     * @param list<Dependency> $names
     */
    private function addToPage(array $names): void
    {
        if ($this->recording !== null && $this->recording->inSnapshot()) {
            $registry = $this->recording->registry();
            $known = array_filter($names, static fn(Dependency $name): bool => $registry->find($name->table) !== null);
            $this->recording->recorded()?->add(...$known);
        }
    }

    /**
     * @param list<Dependency> $names
     *
     * @return list<string>
     */
    private static function keys(array $names): array
    {
        return array_map(static fn(Dependency $name): string => GateEntries::key($name->name), $names);
    }

    private function current(): ?RunningCompute
    {
        return $this->stack[array_key_last($this->stack)] ?? null;
    }
}
