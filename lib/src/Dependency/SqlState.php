<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Larder\Exception\LedgerUnavailable;
use PDOException;
use Random\Randomizer;

/**
 * The state of a SqlLedger: the id of its present life, release and registry, the last generation, the version of each
 * slot, and the places that have its pages.
 *
 * It does not care for order and locks: SqlLedger calls it at the right moments.
 *
 * @phpstan-type State array{id: string, generation: int, registry: string, release: string, slots: int,
 *     isOfSchema: bool, versions: array<int, int>}
 */
final class SqlState
{
    /** Later than any real date, so that no date that a client sends equals a page's mtime. */
    public const FIRST_GENERATION = 1 << 33;

    /** How far above it a life may begin. File systems that keep 34 bits of a time have room for as many again. */
    private const SPREAD = 1 << 32;

    public function __construct(
        private readonly Connection $connection,
        private readonly int $slots,
        private readonly Randomizer $random = new Randomizer(),
    ) {}

    /**
     * The state with the versions of these slots, all of one moment.
     *
     * @param list<int> $slots
     *
     * @return State
     *
     * @throws LedgerUnavailable
     */
    public function read(array $slots = []): array
    {
        $rows = $this->rows($slots);
        $isOfSchema = $rows[0]['version'] === $rows[0]['present'];
        /** @var non-empty-list<array{id: string, generation: int, registry: string, release: string}> $rows */
        ['id' => $id, 'generation' => $generation, 'registry' => $registry, 'release' => $release] = $rows[0];

        return [
            'id' => $id,
            'generation' => $generation,
            'registry' => $registry,
            'release' => $release,
            'slots' => $this->slots,
            'isOfSchema' => $isOfSchema,
            'versions' => self::versions($rows, $slots),
        ];
    }

    /**
     * Begins a new life. Values and renders that are being made from data of the old one do not count any more.
     *
     * Its first generation is random: a client may hold a page of any earlier life, and the ledger that counted these
     * may have been lost. So the same page has the same generation again with a chance of 1 in 4 thousand million.
     *
     * @return array{string, int} its id, and the last generation before its first page
     */
    public function renew(string $release, string $registry): array
    {
        $id = bin2hex($this->random->getBytes(16));
        $generation = self::FIRST_GENERATION + $this->random->getInt(0, self::SPREAD);
        $this->connection->change(
            'UPDATE larder_ledger SET id = ?, generation = ?, release = ?, registry = ?',
            [$id, $generation, $release, $registry],
        );
        $this->connection->change(\sprintf(
            'UPDATE larder_slot SET version = %s WHERE slot = %d',
            $this->connection->dialect()->catalog()->schemaNumber(),
            Dialect::SCHEMA,
        ));

        return [$id, $generation];
    }

    public function reach(int $generation): void
    {
        $this->connection->change('UPDATE larder_ledger SET generation = ?', [$generation]);
    }

    /** The place whose pages are served; null: none is known. */
    public function place(): ?string
    {
        $place = $this->connection->rows('SELECT path FROM larder_place WHERE served = 1')[0]['path'] ?? null;

        return \is_string($place) ? $place : null;
    }

    /** Makes this place the one whose pages are served. */
    public function serve(string $place, int $now): void
    {
        $this->connection->change('UPDATE larder_place SET served = 0, since = ? WHERE served = 1', [$now]);
        $this->forget($place);
        $this->connection->change('INSERT INTO larder_place (path, served, since) VALUES (?, 1, ?)', [$place, $now]);
    }

    /** @return array<string, int> the Unix time since when its pages are not served any more, by place */
    public function formerPlaces(): array
    {
        $places = [];
        foreach ($this->connection->rows('SELECT path, since FROM larder_place WHERE served = 0') as $row) {
            /** @var array{path: string, since: int} $row */
            $places[$row['path']] = $row['since'];
        }

        return $places;
    }

    public function forget(string $place): void
    {
        $this->connection->change('DELETE FROM larder_place WHERE path = ?', [$place]);
    }

    /** @param list<Dependency> $names */
    public function bump(array $names): void
    {
        $slots = array_unique(array_map(fn(Dependency $name): int => $name->slot($this->slots), $names));
        sort($slots);
        $bump = 'UPDATE larder_slot SET version = version + 1 WHERE slot IN (' . implode(', ', $slots) . ')';
        if ($this->connection->change($bump) !== \count($slots)) {
            throw LedgerUnavailable::notInstalled();
        }
    }

    /**
     * The versions of these slots and the ledger that they belong to, in one snapshot.
     *
     * @param list<int> $slots
     *
     * @return array{id: string, mark: int, registry: string, versions: array<int, int>} mark: a number for the ledger's
     *     life, its registry and the database's schema
     *
     * @throws LedgerUnavailable
     */
    public function present(array $slots): array
    {
        $rows = $this->rows($slots);
        /** @var non-empty-list<array{id: string, registry: string, present: int}> $rows */
        ['id' => $id, 'registry' => $registry, 'present' => $schema] = $rows[0];

        return [
            'id' => $id,
            'mark' => (int) hexdec(substr(hash('xxh128', "$id $registry $schema"), 0, 15)),
            'registry' => $registry,
            'versions' => self::versions($rows, $slots),
        ];
    }

    /**
     * @param list<int> $slots
     *
     * @return non-empty-list<array<string, scalar|null>> the columns of the ledger beside each slot, and the present
     *     version of the schema; the first slot is SCHEMA
     */
    private function rows(array $slots): array
    {
        $sql = 'SELECT l.id, l.generation, l.registry, l.release, l.slots, s.slot, s.version, '
            . $this->connection->dialect()->catalog()->schemaNumber()
            . ' AS present FROM larder_ledger l LEFT JOIN larder_slot s ON s.slot IN (' . implode(', ', [Dialect::SCHEMA, ...$slots]) . ') ORDER BY s.slot';
        try {
            $rows = $this->connection->rows($sql);
        } catch (PDOException $exception) {
            throw LedgerUnavailable::during('reading its state', $exception);
        }
        if ($rows === [] || $rows[0]['slot'] !== Dialect::SCHEMA) {
            throw LedgerUnavailable::notInstalled();
        }
        if ($rows[0]['slots'] !== $this->slots) {
            throw LedgerUnavailable::otherSlots((int) $rows[0]['slots'], $this->slots);
        }

        return $rows;
    }

    /**
     * @param list<array<string, scalar|null>> $rows
     * @param list<int>                        $slots
     *
     * @return array<int, int>
     */
    private static function versions(array $rows, array $slots): array
    {
        $versions = [];
        foreach ($rows as $row) {
            if (\is_int($row['slot']) && \is_int($row['version']) && $row['slot'] !== Dialect::SCHEMA) {
                $versions[$row['slot']] = $row['version'];
            }
        }

        return \count($versions) === \count($slots) ? $versions : throw LedgerUnavailable::notInstalled();
    }
}
