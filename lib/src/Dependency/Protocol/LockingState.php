<?php

declare(strict_types=1);

namespace Larder\Dependency\Protocol;

use Larder\Dependency\Database\Connection;
use Larder\Dependency\Database\Dialect;
use Larder\Dependency\Database\LockingDialect;
use Larder\Dependency\Dependency;
use Larder\Exception\LedgerUnavailable;
use Random\Randomizer;

/**
 * @internal The state of a ledger where rows are locked one by one. The version of a slot is the exclusive or of all
 * its raises, each of which is a random number of its own. A raise is a new row, so that no snapshot of a writer is too
 * old for it.
 *
 * @phpstan-import-type Row from SqlIndex
 * @phpstan-import-type State from SqlState
 */
final class LockingState extends SqlState
{
    /** Raises of a slot from which on they are made one. */
    private const MANY_RAISES = 16;

    public function __construct(
        Connection $connection,
        public readonly LockingDialect $dialect,
        int $slots,
        Randomizer $random = new Randomizer(),
    ) {
        parent::__construct($connection, $slots, $random);
    }

    /** The last generation is that of the page registered last, which is never deleted. */
    public function query(array $slots, string $beside = ''): string
    {
        return \sprintf(
            'SELECT l.id, l.generation AS base, l.generation + COALESCE((SELECT MAX(p.id) FROM larder_page p), 0)'
                . ' AS generation, l.registry, l.%s, l.slots, v.slot, v.version, v.version AS present,'
                . ' (SELECT COUNT(*) FROM larder_gate) AS gates, %s AS durability, (SELECT MAX(id) FROM larder_set)'
                . ' AS last_set, (SELECT path FROM larder_place WHERE served = 1) AS place%s FROM larder_ledger l'
                . ' LEFT JOIN (SELECT r.slot, BIT_XOR(r.raise) AS version FROM larder_raise r WHERE r.slot IN (%s)'
                . ' GROUP BY r.slot) v ON 1 = 1%s',
            $this->release(),
            $this->dialect->durability(),
            $beside === '' ? '' : ', m.*',
            implode(', ', array_unique([Dialect::EVERYTHING, Dialect::SCHEMA, ...$slots])),
            $beside === '' ? '' : ' LEFT JOIN (' . $beside . ') m ON 1 = 1',
        );
    }

    /**
     * What gives the life and the versions of these slots, and no more.
     *
     * @param list<int> $slots
     */
    public function sealing(array $slots): string
    {
        return \sprintf(
            'SELECT slot, BIT_XOR(raise) AS version, (SELECT id FROM larder_ledger) AS id,'
                . ' (SELECT slots FROM larder_ledger) AS slots FROM larder_raise WHERE slot IN (%s) GROUP BY slot',
            implode(', ', array_unique([Dialect::SCHEMA, ...$slots])),
        );
    }

    /**
     * @param list<array<string, scalar|null>> $rows  of sealing()
     * @param list<int>                        $slots as it was given
     *
     * @return array{string, array<int, int>} the life, and the versions by slot
     *
     * @throws LedgerUnavailable
     */
    public function sealed(array $rows, array $slots): array
    {
        $rows = $this->checked($rows);

        return [(string) $rows[0]['id'], $this->versions($rows, $slots)];
    }

    /**
     * The state, with the pages that were made from names, in one query.
     *
     * @param non-empty-list<Dependency> $names
     *
     * @return array{State, list<Row>}
     *
     * @throws LedgerUnavailable
     */
    public function readWith(SqlIndex $index, array $names): array
    {
        $rows = $this->rows([], $index->besideState($names), $names);

        return [$this->stateOf($rows, []), $index->foundBeside($rows)];
    }

    /**
     * Locks these slots, and raises their versions. Others may raise them too before
     * both commit, but for a slot below 0.
     *
     * @param non-empty-list<int> $slots  ascending
     * @param list<int>           $beside slots below them that are locked with others, and not raised
     *
     * @throws LedgerUnavailable
     */
    public function raise(array $slots, array $beside = []): void
    {
        $raised = 0;
        foreach ($this->dialect->raises($slots, $this->number(), $slots[0] >= 0, $beside) as $statement) {
            $raised = $this->connection->change($statement);
        }
        if ($raised !== \count($slots)) {
            throw LedgerUnavailable::notInstalled();
        }
    }

    /**
     * Locks these slots until the transaction ends.
     *
     * @param non-empty-list<int> $slots ascending
     *
     * @return bool false: not all were free, if it does not wait
     *
     * @throws LedgerUnavailable if it waits, and one is not there
     */
    public function lock(array $slots, bool $isShared, bool $waits = true): bool
    {
        $locked = $this->connection->rows($this->dialect->locks($slots, $isShared, $waits));
        $isLocked = \count($locked) === \count($slots);

        return $isLocked || !$waits ? $isLocked : throw LedgerUnavailable::notInstalled();
    }

    /**
     * Makes one raise of many, which leaves the version as it is. The caller's transaction sees what is committed. What
     * another one has locked is left alone.
     *
     * @param list<int> $slots of which some may have too many
     */
    public function compact(array $slots): void
    {
        if ($slots !== []) {
            $this->dialect->compact($this->connection, $slots, self::MANY_RAISES);
        }
    }

    protected function renewed(): void {}

    protected function versions(array $rows, array $slots): array
    {
        $versions = array_fill_keys($slots, 0);
        foreach ($rows as $row) {
            $slot = $row['slot'];
            if (\is_int($slot) && \is_int($row['version']) && isset($versions[$slot])) {
                $versions[$slot] = $row['version'];
            }
        }

        return \count($versions) === \count($slots) ? $versions : throw LedgerUnavailable::notInstalled();
    }

    /** @return int<1, max> */
    private function number(): int
    {
        return $this->random->getInt(1, PHP_INT_MAX);
    }
}
