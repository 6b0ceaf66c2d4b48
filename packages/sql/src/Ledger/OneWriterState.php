<?php

declare(strict_types=1);

namespace Larder\Sql\Ledger;

use Larder\Dependency\Name;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Schema\Dialect;

/** @internal The state of a ledger that one writes at a time: the version of a slot is a number that grows. */
final class OneWriterState extends SqlState
{
    /** @param list<Name> $names */
    public function bump(array $names): void
    {
        $slots = array_unique(array_map(fn(Name $name): int => $name->slot($this->slots), $names));
        sort($slots);
        $bump = 'UPDATE larder_slot SET version = version + 1 WHERE slot IN (' . implode(', ', $slots) . ')';
        if ($this->connection->change($bump) !== \count($slots)) {
            throw LedgerUnavailable::notInstalled();
        }
    }

    public function query(array $slots, string $beside = ''): string
    {
        return \sprintf(
            'SELECT l.id, l.generation, l.registry, l.release, l.slots, s.slot, s.version, %s AS present,'
                . ' (SELECT path FROM larder_place WHERE served = 1) AS place'
                . ' FROM larder_ledger l LEFT JOIN larder_slot s ON s.slot IN (%s) ORDER BY s.slot',
            $this->connection->dialect()->catalog()->schemaNumber(),
            implode(', ', [Dialect::SCHEMA, ...$slots]),
        );
    }

    protected function renewed(): void
    {
        $this->connection->change(\sprintf(
            'UPDATE larder_slot SET version = %s WHERE slot = %d',
            $this->connection->dialect()->catalog()->schemaNumber(),
            Dialect::SCHEMA,
        ));
    }

    protected function versions(array $rows, array $slots): array
    {
        $versions = [];
        foreach ($rows as $row) {
            $slot = $row['slot'];
            if (\is_int($slot) && \is_int($row['version']) && $slot !== Dialect::SCHEMA) {
                $versions[$slot] = $row['version'];
            }
        }

        return \count($versions) === \count($slots) ? $versions : throw LedgerUnavailable::notInstalled();
    }
}
