<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Dependency\Gate\GateEntries;
use Larder\Dependency\Gate\WriterGates;
use Larder\Exception\ChangeFailed;
use Larder\Exception\NoTransaction;
use Larder\Exception\PrivateMemory;
use Larder\Sql\Ledger\LedgerVersions;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Schema\Registry;
use Larder\Store;
use Larder\Store\MayGoBack;
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
 *
 * A version counts only if it was read before the snapshot that the data comes from. So a value with names is stored
 * only if Gates know when the reads of its compute see the present: by the connection, or by $inTransaction. Otherwise
 * it is handed out and not stored, and counted and logged with the reason; see Unstored. Of a replica, which lags,
 * nobody can know it: give neither, and let a ttl bound values without names.
 */
final class Gates implements VersionsInStore
{
    private const BOUNDED = 'it contains a value from a cache without the ledger\'s versions:'
        . ' make it by Pages::cache()';

    /** Seconds that a version lives at least. */
    private const DAY = 86400.0;

    /**
     * Share of a gate's ttl in which a compute may call reads() after it has read. A writer commits within half of the
     * ttl, so in this time no gate has ended by its ttl that a COMMIT after the compute's begin needs.
     */
    private const LATE = 0.4;

    private readonly GateEntries $entries;

    private readonly Names $registry;

    private readonly DataSource $source;

    /** Whether anybody can tell of a transaction; who makes or hands out a value asks only then. */
    private readonly bool $looksForWrites;

    /** @var (Closure(): bool)|null tells of a transaction alone, so that a hit asks it at once; null: see $source */
    private readonly ?Closure $toldOfWrites;

    private readonly ?Recording $recording;

    /** @var list<RunningCompute> computes that are running, the outermost first */
    private array $stack = [];

    private bool $changing = false;

    /**
     * @param Store          $store       the store of the cache whose values are made from the data, or another
     * @param PDO|HasSource|(Closure(): (PDO|HasSource))|null $connection that computes read by. change() runs its
     *     transaction on it, unless $inTransaction is given. A RecordingPdo or RecordingMysqli also records what values
     *     are made from. A process that answers many requests, and may connect anew, gives a closure for the connection
     *     that it has now
     * @param HasSource|null $ledger      an SqlLedger of pages, or of values of LedgerVersions, that are made from the
     *     same data: one change() ends both. Its connection is the connection
     * @param Names|null     $registry    what may be named, the same in all processes: a Registry; null: the
     *     connection's, or else names are any words of 1 to 500 bytes
     * @param float          $gateSeconds for which a dead writer's gates stay closed; twice what a transaction may take
     * @param (Closure(): bool)|null $inTransaction where the application begins and commits: whether a transaction is
     *     open, such as `fn() => $entities->getConnection()->isTransactionActive()`; always false for data that knows
     *     no transactions, such as files
     *
     * @throws ValueError
     */
    public function __construct(
        private readonly Store $store,
        PDO|HasSource|Closure|null $connection = null,
        ?HasSource $ledger = null,
        ?Names $registry = null,
        private readonly float $gateSeconds = 60.0,
        ?Closure $inTransaction = null,
    ) {
        $by = $ledger ?? $connection;
        $this->source = match (true) {
            $by === null => new ToldSource($inTransaction),
            $by instanceof Closure => new CurrentSource($by, $inTransaction),
            default => CurrentSource::of($by, $inTransaction),
        };
        if ($ledger !== null && $connection !== null && !$this->source->isOf($connection)) {
            throw new ValueError('The connection must be the ledger\'s own');
        }
        if ($ledger !== null && $inTransaction !== null) {
            throw new ValueError('A ledger begins and commits by itself: leave out $inTransaction');
        }
        if ($store instanceof MayGoBack && $store->mayGoBack()) {
            throw new ValueError('Versions must not come back: give a store that does not survive restarts');
        }
        if (!($gateSeconds > 0.0)) {
            throw new ValueError('$gateSeconds must be more than 0');
        }
        $this->entries = new GateEntries($store);
        $this->looksForWrites = $by !== null || $inTransaction !== null;
        $this->toldOfWrites = $by === null ? $inTransaction : null;
        $this->recording = $this->source->recording();
        $this->registry = $registry ?? $this->source->names();
    }

    public function make(Closure $compute, array $names, ?float $life): ComputedValue
    {
        return $this->makeOf($compute, $names, $life, null);
    }

    /**
     * @internal
     *
     * @param SeenVersions|null $seen null: the store is asked
     */
    public function makeOf(Closure $compute, array $names, ?float $life, ?SeenVersions $seen): ComputedValue
    {
        $names = $names === [] ? [] : $this->registry->reads($names);
        $running = new RunningCompute($life === null ? null : max(self::DAY, 2.0 * $life));
        $refusal = $life !== null && $life <= 0.0 && $this->stack === [] ? Unstored::NotKept : $this->refusal();
        if ($refusal === null) {
            $this->stamp($running, $names, $this->begin($running, $seen), $seen);
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
            // As in used(): no call where nothing else is being made.
            if ($this->stack !== []) {
                $this->current()?->include($running);
            }
        }

        return $running->with($value);
    }

    public function wouldRefuse(array $names): bool
    {
        if (
            $this->refusal() !== null
            || ($names !== [] && $this->source->doubt() !== null && $this->current()?->counter === null)
        ) {
            return true;
        }
        if ($names === []) {
            return false;
        }
        $keys = $this->stampKeys($names);

        return $this->areChanging($keys, $this->store->getMultiple($keys));
    }

    public function refuse(string $reason): void
    {
        $this->current()?->refuse(Unstored::Joined, $reason);
        $this->recording?->refuse($reason);
    }

    public function reads(string|Name ...$names): void
    {
        $names = $this->registry->reads($names);
        $this->addToPage($names);
        $running = $this->current();
        if ($running !== null) {
            $this->stamp($running, $names, true);
        }
    }

    public function used(array $stamps, float $until): void
    {
        // Asked for every hit, so it takes no call where nothing is being made.
        if ($this->stack !== []) {
            $this->stack[array_key_last($this->stack)]->add($stamps);
        }
        if ($this->recording !== null && $this->recording->inSnapshot()) {
            $this->recording->bound(self::BOUNDED, $until);
        }
    }

    public function stampKeys(array $names): array
    {
        return $names === [] ? [] : self::keys($this->registry->reads($names));
    }

    public function names(array $stamps): array
    {
        return array_values(array_filter(array_map(GateEntries::name(...), array_keys($stamps)), is_string(...)));
    }

    public function watchesAll(): bool
    {
        return $this->recording !== null;
    }

    public function hold(array $stamped): array
    {
        if ($this->changing || ($this->looksForWrites && $this->source->mayHaveWritten())) {
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
        return $this->areIn($store) ? $this->stampKeys($names) : [];
    }

    public function areIn(Store $store): bool
    {
        return $store === $this->store;
    }

    public function isCalm(): bool
    {
        return !$this->changing
            && $this->stack === []
            && !($this->toldOfWrites !== null
                ? ($this->toldOfWrites)()
                : $this->looksForWrites && $this->source->mayHaveWritten());
    }

    public function keysAhead(array $names): array
    {
        // Where nothing is known of the data's snapshot, versions count for nothing.
        return $this->looksForWrites ? [GateEntries::COUNTER, ...$this->stampKeys($names)] : [];
    }

    public function areChanging(array $keys, array $found): bool
    {
        $gates = array_intersect_key($found, array_flip($keys));

        return array_filter($gates, static fn(mixed $gate): bool => GateEntries::writers($gate) !== null) !== [];
    }

    public function holdsBy(array $stamps, array $keys, array $found): bool
    {
        if (array_diff_key($stamps, array_flip($keys)) !== []) {
            // reads() added more names.
            return $this->hold([$stamps])[0];
        }
        if ($this->changing || ($this->looksForWrites && $this->source->mayHaveWritten())) {
            return false;
        }
        foreach ($stamps as $key => $version) {
            if (($found[$key] ?? null) !== $version) {
                return false;
            }
        }

        return true;
    }

    /**
     * Without a connection, or with $inTransaction, $write begins and commits its own transaction and calls
     * Change::check() right before COMMIT.
     *
     * @throws PrivateMemory if the store is shared memory that other processes do not see
     * @throws NoTransaction if a transaction is open already, or is left open
     * @throws ChangeFailed  after a rollback, if the change could not be made known
     * @throws Throwable     after a rollback; what $write throws
     */
    public function change(array $names, Closure $write): mixed
    {
        if ($this->changing || $this->source->inTransaction()) {
            throw NoTransaction::ofItsOwn();
        }
        $this->entries->mustBeSeen();
        $known = new Change($this->registry);
        array_map(static fn(string|Name $name) => $known->name($name), $names);
        $gates = new WriterGates($this->entries, $this->gateSeconds);
        $this->changing = true;
        try {
            $gates->close($known->given());
            $made = $this->source->change(
                $this->registry,
                static function (Change $change) use ($known, $write): mixed {
                    array_map(static fn(Name $name) => $change->name($name), $known->given());

                    return $write($change);
                },
                $gates,
            );
        } catch (Throwable $exception) {
            if (!$gates->mayBeCommitted()) {
                $gates->open(false);
            }
            throw $exception;
        } finally {
            $this->changing = false;
        }
        if ($this->source->inTransaction()) {
            // Its COMMIT may still come, so the gates stay closed until their ttl ends.
            throw NoTransaction::leftOpen();
        }
        $gates->open(true);

        return $made;
    }

    /** Why a value that is made now may not be stored: others may see older or newer data. */
    private function refusal(): ?Unstored
    {
        return match (true) {
            $this->changing => Unstored::Changing,
            $this->looksForWrites && ($this->recording?->inSnapshot() === true || $this->source->inTransaction())
                => Unstored::InTransaction,
            default => null,
        };
    }

    /**
     * Notes where the counter stands before anything is read.
     *
     * @return bool whether the compute's reads may see an older state than now
     */
    private function begin(RunningCompute $running, ?SeenVersions $seen): bool
    {
        $running->doubt = $this->looksForWrites ? $this->source->doubt() : Unstored::UnknownSnapshot;
        $running->isOld = $running->doubt === Unstored::OldSnapshot;
        if ($running->doubt === null) {
            // An earlier number misses no change, since it is compared with a later one.
            $running->counter = $seen?->counter() ?? $this->entries->counter();
            $running->begun = $seen === null ? $running->begun : $seen->at;

            return false;
        }
        if ($this->stack !== []) {
            $running->beginWith($this->current());
        }

        return true;
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
        Recording $recording,
        bool $inPage,
        ?float $life,
    ): mixed {
        $isNamed = false;
        $made = $recording->record(
            $compute,
            function (array $names) use ($running, &$isNamed): void {
                $isNamed = true;
                $this->stamp($running, $names, $this->source->doubt() !== null);
            },
            static fn(string $refusal, Unstored $why) => $running->refuse($why, $refusal),
        );
        if ($inPage && !$isNamed) {
            $recording->bound(self::BOUNDED, $life === null ? PHP_FLOAT_MAX : microtime(true) + $life);
        }

        return $made;
    }

    /**
     * Takes the versions of names.
     *
     * A version may be too new for data that was read before it, or is read in a snapshot from before it. Then it
     * counts only if no change of these names has ended since the compute's begin, where no snapshot was open:
     *
     *     reader   1 counter is C    2 snapshot of the data   3 version V   4 counter is D    5 changes C + 1 to D
     *     writer   a closes the gate   b COMMIT   c draws N from the counter   d notes N and the names   e opens it
     *
     * The data is too old for V only if 2 was before a b, and 3 after its e. Then 1 was before c, and 4 is after it: N
     * is one of the numbers C + 1 to D, and the reader finds in 5 what was noted in d. If it does not, because d and e
     * go in one trip to two servers, it stores nothing. The gate of a writer that died before e is closed in 3, as long
     * as no more than LATE lies between 1 and 3. Torture\Exploration plays every order of these steps, with deaths and
     * losses.
     *
     * @param list<Name> $names
     * @param bool             $isLate whether their data may come from before
     * @param SeenVersions|null $seen  null: the store is asked
     */
    private function stamp(RunningCompute $running, array $names, bool $isLate, ?SeenVersions $seen = null): void
    {
        if ($names === []) {
            return;
        }
        $new = array_values(array_diff(self::keys($names), array_keys($running->stamps)));
        if ($running->why !== null || $new === []) {
            return;
        }
        $stamps = $running->doubt ?? $this->entries->stamps($new, $running->ttl, $seen?->found);
        if ($stamps instanceof Unstored) {
            $running->refuse($stamps);

            return;
        }
        $running->add($stamps);
        if (!$isLate) {
            return;
        }
        if (hrtime(true) - $running->begun > $this->gateSeconds * self::LATE * 1e9) {
            $most = $this->gateSeconds * self::LATE;
            $running->refuse(Unstored::ToldLate, \sprintf('a name was told more than %.3g s after its begin', $most));

            return;
        }
        $changed = $running->counter === null
            ? Unstored::NoVersions
            : $this->entries->changedSince($running->counter, $new);
        if ($changed !== null) {
            $running->refuse($changed);
        }
    }

    /** Refuses the value if its data changed while it was made. */
    private function check(RunningCompute $running): void
    {
        if ($running->why === null && $this->looksForWrites && $this->source->inTransaction()) {
            $running->refuse(Unstored::InTransaction, 'it left a transaction open');
        }
        // Nothing ends a value without names but delete(), of which an older state may know nothing.
        if ($running->why === null && $running->stamps === [] && $running->isOld && $this->recording === null) {
            $running->refuse(Unstored::OldSnapshot);
        }
        if ($running->why === null && $running->stamps !== [] && !$this->entries->areCurrent($running->stamps)) {
            $running->refuse(Unstored::Changed);
        }
    }

    /**
     * Adds the names to the page in whose read transaction the value is made.
     *
     * @param list<Name> $names
     */
    private function addToPage(array $names): void
    {
        if ($this->recording !== null && $this->recording->inSnapshot()) {
            $this->recording->add(...$names);
        }
    }

    /**
     * @param list<Name> $names
     *
     * @return list<string>
     */
    private static function keys(array $names): array
    {
        return array_map(static fn(Name $name): string => GateEntries::key($name->name), $names);
    }

    private function current(): ?RunningCompute
    {
        return $this->stack === [] ? null : $this->stack[array_key_last($this->stack)];
    }
}
