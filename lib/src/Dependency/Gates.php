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
 * A closed gate neither serves nor stores. Right before COMMIT the writer looks whether its gates are still closed, and rolls back if
 * one was lost. After COMMIT each name gets a new version. So from the moment change() returns nothing is served that was made from
 * the old data, and from the moment COMMIT returns if no gate was lost within it; also if the writer dies at any point. The one hole: a
 * gate is lost between that look and the end, *and* the writer dies after COMMIT. LedgerVersions has none.
 *
 * Of a change only names with a writer at work leave something in the store, and it ends by its ttl.
 */
final class Gates implements VersionsInStore
{
    /** @internal */
    public const CHANGED = 'its data changed meanwhile';

    private const BOUNDED = 'it contains a value from a cache without the ledger\'s versions';

    /** Seconds that a version is kept at least. */
    private const DAY = 86400.0;

    /**
     * Of a gate's life, the time after a compute's begin in which reads() may be told late. A writer commits within half of it, so in
     * this time no gate that was closed for a COMMIT after the begin has ended by itself.
     */
    private const LATE = 0.4;

    private readonly GateEntries $items;

    private readonly Registry $registry;

    private readonly GatedTransaction $transaction;

    private readonly ?PDO $connection;

    private readonly ?RecordingPdo $recording;

    /** @var list<RunningCompute> of what is being made, from the outermost on */
    private array $frames = [];

    private bool $changing = false;

    /**
     * @param Store          $store       of the cache whose values are made from the data, or another
     * @param PDO|null       $connection  to the data: change() runs its transaction on it, and values made within a transaction on it
     *                                    are not stored. A RecordingPdo also tells what they are made from. Null: see change()
     * @param SqlLedger|null $ledger      if pages, or values of LedgerVersions, are made from the same data: one change() ends both
     * @param Registry|null  $registry    what may be named, the same in all processes that run at a time; null: the one of the
     *                                    connection, or else names are any words of 1 to 500 bytes
     * @param float          $gateSeconds how long a dead writer's gates stay closed; twice what a transaction may take
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
        $this->items = new GateEntries($store);
        $this->connection = $connection ?? $ledger?->connection();
        $this->recording = $this->connection instanceof RecordingPdo ? $this->connection : null;
        $this->registry = $registry ?? $this->recording?->registry() ?? new Registry();
        $this->transaction = new GatedTransaction($this->connection, $ledger, $this->registry);
    }

    public function make(Closure $compute, array $names, ?float $life): ComputedValue
    {
        $names = $this->registry->reads($names);
        $frame = new RunningCompute($life === null ? null : max(self::DAY, 2.0 * $life));
        $refusal = $life !== null && $life <= 0.0 && $this->frames === [] ? 'it is not kept' : $this->unfit();
        if ($refusal === null) {
            $frame->counter = $this->items->counter();
            $this->stamp($frame, $names);
        } else {
            $frame->refuse($refusal);
            $this->ofThePage($names);
        }
        $this->frames[] = $frame;
        try {
            $value = $this->recording === null ? $compute() : $this->record($frame, $compute, $this->recording, $names === [] && $this->recording->inSnapshot(), $life);
            $this->look($frame);
        } finally {
            array_pop($this->frames);
            $this->frame()?->include($frame);
        }

        return new ComputedValue($value, $frame->refusal === null ? $frame->stamps : null, $frame->refusal);
    }

    public function reads(string|Dependency ...$names): void
    {
        $names = $this->registry->reads($names);
        $this->ofThePage($names);
        $frame = $this->frame();
        if ($frame === null || $frame->refusal !== null) {
            return;
        }
        $before = $frame->stamps;
        $this->stamp($frame, $names);
        if ($frame->stamps === $before) {
            return;
        }
        // The data may have been read before its version was. So no change may have ended since the compute began.
        if (hrtime(true) - $frame->begun > $this->gateSeconds * self::LATE * 1e9) {
            $frame->refuse(\sprintf('it told what it reads more than %.3g s after its begin', $this->gateSeconds * self::LATE));
        } elseif ($frame->counter === null || !$this->items->isCounter($frame->counter)) {
            $frame->refuse('data changed between its begin and the telling of what it reads');
        }
    }

    public function used(array $stamps, float $until): void
    {
        $this->frame()?->add($stamps);
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
        if (\count($stamped) === 1) {
            foreach ($stamped as $key => $stamps) {
                return [$key => $this->store->getMultiple(array_keys($stamps)) === $stamps];
            }
        }
        $present = array_filter($this->store->getMultiple(array_map(strval(...), array_keys(array_merge(...array_values($stamped))))), is_int(...));

        return array_map(static fn(array $stamps): bool => array_diff_assoc($stamps, $present) === [], $stamped);
    }

    public function keysIn(Store $store, array $names): array
    {
        return $store === $this->store ? array_map(static fn(Dependency $name): string => GateEntries::key($name->name), $this->registry->reads($names)) : [];
    }

    public function holdsBy(array $stamps, array $keys, array $found): bool
    {
        // What was told late only is asked for now; and so is all where hold() has more to say than what lies in the store.
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
     * Without a connection, $write begins and commits its own transaction, and calls Change::check() right before COMMIT.
     *
     * @throws NoTransaction if a transaction is open already
     * @throws ChangeFailed  after a rollback: it could not be made known
     * @throws Throwable     after a rollback; what $write throws
     */
    public function change(array $names, Closure $write): mixed
    {
        if ($this->changing || $this->connection?->inTransaction() === true) {
            throw NoTransaction::ofItsOwn();
        }
        $known = new Change($this->registry, static fn(): ?array => null);
        $known->name(...$names);
        $gates = new WriterGates($this->items, $this->gateSeconds);
        $this->changing = true;
        try {
            $gates->close($known->names());
            $made = $this->transaction->run($known->names(), $write, $gates);
        } catch (Throwable $exception) {
            if (!$gates->mayBeCommitted()) {
                $gates->open(false);
            }
            throw $exception instanceof LedgerUnavailable ? ChangeFailed::because($exception->getMessage(), $exception) : $exception;
        } finally {
            $this->changing = false;
        }
        $gates->open(true);

        return $made;
    }

    /** Why nothing that is made now may be stored: it could be made from data older, or newer, than what others see. */
    private function unfit(): ?string
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
    private function record(RunningCompute $frame, Closure $compute, RecordingPdo $connection, bool $inPage, ?float $life): mixed
    {
        $reads = new RecordedReads($connection->registry(), fn(array $names) => $this->stamp($frame, $names));
        try {
            $made = $connection->record($reads, $compute);
        } finally {
            if ($reads->refusal() !== null) {
                $frame->refuse($reads->refusal());
            }
        }
        if ($inPage && $reads->names() === []) {
            $connection->recorded()?->bound(self::BOUNDED, $life === null ? PHP_FLOAT_MAX : microtime(true) + $life);
        }

        return $made;
    }

    /** @param list<Dependency> $names */
    private function stamp(RunningCompute $frame, array $names): void
    {
        if ($frame->refusal === null) {
            $keys = array_map(static fn(Dependency $name): string => GateEntries::key($name->name), $names);
            $stamps = $this->items->stamps(array_values(array_diff($keys, array_keys($frame->stamps))), $frame->ttl);
            \is_string($stamps) ? $frame->refuse($stamps) : $frame->add($stamps);
        }
    }

    /** Whether all is still as it was before the compute. */
    private function look(RunningCompute $frame): void
    {
        if ($frame->refusal === null && $this->connection?->inTransaction() === true) {
            $frame->refuse('it left a transaction open');
        }
        if ($frame->refusal === null && $frame->stamps !== [] && !$this->items->stand($frame->stamps)) {
            $frame->refuse(self::CHANGED);
        }
    }

    /**
     * A page in whose read transaction the value is made reads the same.
     *
     * @param list<Dependency> $names
     */
    private function ofThePage(array $names): void
    {
        if ($this->recording !== null && $this->recording->inSnapshot()) {
            $registry = $this->recording->registry();
            $this->recording->recorded()?->add(...array_filter($names, static fn(Dependency $name): bool => $registry->find($name->table) !== null));
        }
    }

    private function frame(): ?RunningCompute
    {
        return $this->frames[array_key_last($this->frames)] ?? null;
    }
}
