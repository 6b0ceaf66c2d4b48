<?php

declare(strict_types=1);

namespace Larder\Sql\Ledger;

use Closure;
use Larder\Dependency\Change;
use Larder\Dependency\ComputedValue;
use Larder\Dependency\DataSource;
use Larder\Dependency\Name;
use Larder\Dependency\Unstored;
use Larder\Dependency\Versions;
use Larder\Exception\ChangeFailed;
use Larder\Exception\NoTransaction;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\Tracker;

/**
 * The strict mode: versions lie in the database of the data, in the slots of the SqlLedger that pages use.
 *
 * A value is made in one read transaction, with the versions of the same snapshot; a change moves them in the writer's
 * transaction. So no step has to be in time: a value is served only if its versions are the database's, which costs one
 * query for each hit. A value from the cache that goes into a page belongs to the snapshot that the page is made from.
 *
 * A database that was restored from a backup counts from an older version again. Clear the values then.
 */
final readonly class LedgerVersions implements Versions
{
    /** The stamp that says which ledger the others belong to. */
    private const LEDGER = "\0l";

    /** The stamp of a value that is bounded by its ttl too, since a part of it has no version. */
    private const BOUNDED = "\0t";

    private const REASON = 'it contains a value that only its ttl bounds';

    private Tracker $tracker;

    private DataSource $source;

    public function __construct(private SqlLedger $ledger)
    {
        $this->tracker = $ledger->connection()->tracker();
        $this->source = $ledger->connection()->source();
    }

    public function make(Closure $compute, array $names, ?float $life): ComputedValue
    {
        $reads = new RecordedReads($this->tracker->registry());
        $reads->add(...$this->tracker->registry()->reads($names));
        /** @var array<string, int> $stamps */
        $stamps = [];
        $why = $this->tracker->transaction()->isOpen() ? Unstored::InTransaction : Unstored::Statement;
        $isOld = $this->tracker->recorded() !== null || $this->tracker->transaction()->isOpen()
            || $this->source->doubt() !== null;
        $value = $this->tracker->snapshot($reads, $compute, function () use ($reads, &$stamps, &$why): void {
            try {
                $stamps = $this->stamps($reads);
            } catch (LedgerUnavailable $exception) {
                $why = $reads->refusal() === null ? Unstored::NoVersions : $why;
                $reads->refuse($exception->getMessage());
            }
        });

        $this->ledger->learn($reads);
        if ($reads->names() === []) {
            $this->tracker->recorded()?->bound(
                self::REASON,
                $life === null ? PHP_FLOAT_MAX : microtime(true) + $life,
            );
        }

        $refusal = $reads->refusal();

        return $refusal === null
            ? new ComputedValue($value, $stamps, isOld: $isOld)
            : new ComputedValue($value, null, $reads->hasFailed() ? Unstored::Failed : $why, $refusal, $isOld);
    }

    public function wouldRefuse(array $names): bool
    {
        $isAfterSnapshot = $this->tracker->recorded() !== null && !$this->tracker->inSnapshot();

        return $isAfterSnapshot || $this->tracker->transaction()->isOpen();
    }

    public function refuse(string $reason): void
    {
        $this->tracker->recorded()?->refuse($reason);
    }

    public function reads(string|Name ...$names): void
    {
        $this->tracker->recorded()?->add(...$this->tracker->registry()->reads($names));
    }

    public function used(array $stamps, float $until): void
    {
        $reads = $this->tracker->recorded();
        if ($reads === null) {
            return;
        }
        if (!$this->tracker->inSnapshot()) {
            $reads->refuse('it contains a value that is not of one state of the data with it');
        }
        if ($stamps === [] || isset($stamps[self::BOUNDED])) {
            $reads->bound(self::REASON, $until);
        }
        foreach ($stamps as $name => $version) {
            if ($name[0] !== "\0") {
                $reads->add($this->tracker->registry()->of($name));
            }
        }
    }

    public function stampKeys(array $names): array
    {
        $reads = $this->tracker->registry()->reads($names);

        return $reads === [] ? [] : [self::LEDGER, ...array_column($reads, 'name')];
    }

    public function names(array $stamps): array
    {
        return array_values(array_filter(array_keys($stamps), static fn(string $name): bool => $name[0] !== "\0"));
    }

    public function watchesAll(): bool
    {
        return true;
    }

    public function hold(array $stamped): array
    {
        $none = array_map(static fn(): bool => false, $stamped);
        if ($this->tracker->wrote()) {
            return $none;
        }
        $slots = [];
        foreach ($stamped as $stamps) {
            foreach ($stamps as $name => $version) {
                $slots[Name::slotOf($name, $this->ledger->slots())] = true;
            }
        }
        try {
            $present = $this->ledger->present(array_keys($slots));
        } catch (LedgerUnavailable) {
            return $none;
        }

        return array_map(
            fn(array $stamps): bool => $this->areCurrent($stamps, $present['mark'], $present['versions']),
            $stamped,
        );
    }

    public function change(array $names, Closure $write): mixed
    {
        if ($this->tracker->transaction()->isOpen()) {
            throw NoTransaction::ofItsOwn();
        }
        try {
            return $this->ledger->transaction(static function (Change $change) use ($names, $write): mixed {
                array_map(static fn(string|Name $name) => $change->name($name), $names);

                return $write($change);
            });
        } catch (LedgerUnavailable $exception) {
            throw ChangeFailed::because($exception->getMessage(), $exception);
        }
    }

    /**
     * @return array<string, int>
     *
     * @throws LedgerUnavailable
     */
    private function stamps(RecordedReads $reads): array
    {
        $names = $reads->names();
        if ($names === []) {
            return [];
        }
        $present = $this->ledger->present($reads->slots($this->ledger->slots()));
        if ($present['registry'] !== $this->tracker->registry()->hash()) {
            throw LedgerUnavailable::otherRegistry();
        }
        $stamps = [self::LEDGER => $present['mark']];
        foreach ($names as $name) {
            $stamps[$name] = $present['versions'][Name::slotOf($name, $this->ledger->slots())];
        }

        return $reads->clock() === null ? $stamps : $stamps + [self::BOUNDED => 0];
    }

    /**
     * @param array<string, int> $stamps
     * @param array<int, int>    $versions by slot
     */
    private function areCurrent(array $stamps, int $mark, array $versions): bool
    {
        if (($stamps[self::LEDGER] ?? null) !== $mark) {
            return false;
        }
        unset($stamps[self::LEDGER], $stamps[self::BOUNDED]);
        foreach ($stamps as $name => $version) {
            if (($versions[Name::slotOf($name, $this->ledger->slots())] ?? null) !== $version) {
                return false;
            }
        }

        return true;
    }
}
