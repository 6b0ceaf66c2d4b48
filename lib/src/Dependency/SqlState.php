<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Larder\Exception\LedgerUnavailable;
use PDOException;
use Psr\Clock\ClockInterface;

/**
 * The state of a SqlLedger: its id, release and registry, the last generation, and the version of each slot.
 *
 * It does not care for order and locks: SqlLedger calls it at the right moments.
 *
 * @phpstan-type State array{id: string, generation: int, registry: string, release: string, slots: int}
 */
final readonly class SqlState
{
    /** Later than any real date, so that no date that a client sends equals a page's mtime; see generation(). */
    public const FIRST_GENERATION = 1 << 33;

    public function __construct(
        private RecordingPdo $connection,
        private ClockInterface $clock,
        private int $slots,
    ) {}

    /**
     * @return State
     *
     * @throws LedgerUnavailable
     */
    public function read(): array
    {
        try {
            $row = $this->connection->run(
                'SELECT id, generation, registry, release, slots FROM larder_ledger',
            )->fetch();
        } catch (PDOException $exception) {
            throw LedgerUnavailable::during('reading its state', $exception);
        }
        if ($row === false) {
            throw LedgerUnavailable::notInstalled();
        }

        /** @var State $row */
        if ($row['slots'] !== $this->slots) {
            throw LedgerUnavailable::otherSlots($row['slots'], $this->slots);
        }

        return $row;
    }

    /** @param list<Dependency> $names */
    public function bump(array $names): void
    {
        $slots = array_unique(array_map(fn(Dependency $name): int => $name->slot($this->slots), $names));
        sort($slots);
        $bump = 'UPDATE larder_slot SET version = version + 1 WHERE slot IN (' . implode(', ', $slots) . ')';
        if ($this->connection->run($bump)->rowCount() !== \count($slots)) {
            throw LedgerUnavailable::notInstalled();
        }
    }

    /**
     * @param list<int> $slots
     *
     * @return array<int, int>
     */
    public function versions(array $slots): array
    {
        if ($slots === []) {
            return [];
        }
        $versions = [];
        $select = 'SELECT slot, version FROM larder_slot WHERE slot IN (' . implode(', ', $slots) . ') ORDER BY slot';
        foreach ($this->connection->run($select)->fetchAll() as $row) {
            /** @var array{slot: int, version: int} $row */
            $versions[$row['slot']] = $row['version'];
        }
        if (\count($versions) !== \count($slots)) {
            throw LedgerUnavailable::notInstalled();
        }

        return $versions;
    }

    /**
     * The versions of these slots and the ledger that they belong to, in one snapshot.
     *
     * @param list<int> $slots at least one
     *
     * @return array{mark: int, registry: string, versions: array<int, int>} mark: a number for the ledger and its
     *     registry
     *
     * @throws LedgerUnavailable
     */
    public function present(array $slots): array
    {
        try {
            $rows = $this->connection->run(
                'SELECT s.slot, s.version, l.id, l.registry, l.slots FROM larder_slot s CROSS JOIN larder_ledger l'
                . ' WHERE s.slot IN (' . implode(', ', $slots) . ')',
            )->fetchAll();
        } catch (PDOException $exception) {
            throw LedgerUnavailable::during('reading versions', $exception);
        }
        /** @var list<array{slot: int, version: int, id: string, registry: string, slots: int}> $rows */
        if ($rows === [] || \count($rows) !== \count($slots)) {
            throw LedgerUnavailable::notInstalled();
        }
        ['id' => $id, 'registry' => $registry, 'slots' => $all] = $rows[0];
        if ($all !== $this->slots) {
            throw LedgerUnavailable::otherSlots($all, $this->slots);
        }

        return [
            'mark' => (int) hexdec(substr(hash('xxh128', $id . ' ' . $registry), 0, 15)),
            'registry' => $registry,
            'versions' => array_column($rows, 'version', 'slot'),
        ];
    }

    /**
     * Draws the next generation, which is not below the clock. So a database that was restored from a backup draws no
     * number again, unless pages were made faster than one a second since the backup; RegisteredPages::highest() covers
     * that.
     */
    public function generation(int $last): int
    {
        return max($last, self::FIRST_GENERATION + $this->clock->now()->getTimestamp() - 1_600_000_000) + 1;
    }
}
