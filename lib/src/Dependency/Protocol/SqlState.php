<?php

declare(strict_types=1);

namespace Larder\Dependency\Protocol;

use Closure;
use Larder\Dependency\Database\Connection;
use Larder\Dependency\Database\Dialect;
use Larder\Dependency\Database\LockingDialect;
use Larder\Dependency\Dependency;
use Larder\Dependency\SqlLedger;
use Larder\Exception\LedgerUnavailable;
use PDOException;
use Random\Randomizer;

/**
 * The state of a SqlLedger: the id of its present life, release and registry, the last generation, the version of each
 * slot, and the places that have its pages.
 *
 * It does not care for the order of steps: the ledger's protocols call it at the right moments.
 *
 * Where rows are locked one by one, the version of a slot is the exclusive or of all its raises, each of which is a
 * random number of its own. A raise is a new row, so that no snapshot of a writer is too old for it.
 *
 * @phpstan-import-type Row from SqlIndex
 * @phpstan-type State array{id: string, generation: int, base: int, registry: string, release: string, slots: int,
 *     isOfSchema: bool, schema: int, isGated: bool, durability: int, lastSet: int, place: string|null,
 *     versions: array<int, int>}
 */
final class SqlState
{
    /** Later than any real date, so that no date that a client sends equals a page's mtime. */
    public const FIRST_GENERATION = 1 << 33;

    /** How far above it a life may begin. File systems that keep 34 bits of a time have room for as many again. */
    private const SPREAD = 1 << 32;

    /** In the id of a life, before the host that alone has its pages. */
    private const AT = '@';

    /** Raises of a slot from which on they are made one. */
    private const MANY_RAISES = 16;

    /** @var array{string, Closure(): list<array<string, scalar|null>>}|null the last query: a miss runs one twice */
    private ?array $read = null;

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
        return $this->stateOf($this->rows($slots), $slots);
    }

    /**
     * Where rows are locked one by one: what gives the state, to be sent with other statements.
     *
     * @param list<int> $slots
     */
    public function query(array $slots, LockingDialect $dialect): string
    {
        return $this->ofRaises([Dialect::EVERYTHING, Dialect::SCHEMA, ...$slots], '', $dialect);
    }

    /**
     * @param list<array<string, scalar|null>> $rows  of query()
     * @param list<int>                        $slots as it was given
     *
     * @return State
     *
     * @throws LedgerUnavailable
     */
    public function of(array $rows, array $slots): array
    {
        return $this->stateOf($this->checked($rows), $slots);
    }

    /**
     * Where rows are locked one by one: what gives the life and the versions of these slots, and no more.
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
     * Where rows are locked one by one: the state, with the pages that were made from names, in one query.
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
     * @param non-empty-list<array<string, scalar|null>> $rows
     * @param list<int>                                  $slots
     *
     * @return State
     */
    private function stateOf(array $rows, array $slots): array
    {
        $first = $rows[0];
        $text = static fn(string $column): string => (string) ($first[$column] ?? '');
        $number = static fn(string $column, int $without = 0): int => (int) ($first[$column] ?? $without);

        return [
            'id' => $text('id'),
            'generation' => $number('generation'),
            'base' => $number('base', $number('generation')),
            'registry' => $text('registry'),
            'release' => $text('release'),
            'slots' => $this->slots,
            'isOfSchema' => $first['version'] === $first['present'],
            'schema' => $number('version'),
            'isGated' => $number('gates') !== 0,
            'durability' => $number('durability', Durability::Disk->value),
            'lastSet' => $number('last_set'),
            'place' => isset($first['place']) ? $text('place') : null,
            'versions' => $this->versions($rows, $slots),
        ];
    }

    /** @return string of the host that has the pages of this life; empty: it does not say so */
    public static function hostOf(string $life): string
    {
        return explode(self::AT, $life, 2)[1] ?? '';
    }

    /**
     * Begins a new life. Values and renders that are being made from data of the old one do not count any more.
     *
     * Its first generation is random: a client may hold a page of any earlier life, and the ledger that counted these
     * may have been lost. So the same page has the same generation again with a chance of 1 in 4 thousand million.
     *
     * @param string $host see RegisteredPages
     *
     * @return array{string, int} its id, and the last generation before its first page
     */
    public function renew(string $release, string $registry, string $host): array
    {
        $id = bin2hex($this->random->getBytes(16));
        if ($host !== '') {
            $id = substr($id, 0, 31 - \strlen($host)) . self::AT . $host;
        }
        $generation = self::FIRST_GENERATION + $this->random->getInt(0, self::SPREAD);
        $this->connection->change(
            \sprintf('UPDATE larder_ledger SET id = ?, generation = ?, %s = ?, registry = ?', $this->release()),
            [$id, $generation, $release, $registry],
        );
        if (!$this->connection->dialect()->locksRows()) {
            $this->connection->change(\sprintf(
                'UPDATE larder_slot SET version = %s WHERE slot = %d',
                $this->connection->dialect()->catalog()->schemaNumber(),
                Dialect::SCHEMA,
            ));
        }

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
     * Where rows are locked one by one: locks these slots, and raises their versions. Others may raise them too before
     * both commit, but for a slot below 0.
     *
     * @param non-empty-list<int> $slots  ascending
     * @param list<int>           $beside slots below them that are locked with others, and not raised
     *
     * @throws LedgerUnavailable
     */
    public function raise(array $slots, array $beside = []): void
    {
        $dialect = $this->connection->dialect();
        $raised = 0;
        $statements = $dialect instanceof LockingDialect
            ? $dialect->raises($slots, $this->number(), $slots[0] >= 0, $beside)
            : [];
        foreach ($statements as $statement) {
            $raised = $this->connection->change($statement);
        }
        if ($raised !== \count($slots)) {
            throw LedgerUnavailable::notInstalled();
        }
    }

    /**
     * Where rows are locked one by one: locks these slots until the transaction ends.
     *
     * @param non-empty-list<int> $slots ascending
     *
     * @return bool false: not all were free, if it does not wait
     *
     * @throws LedgerUnavailable if it waits, and one is not there
     */
    public function lock(array $slots, bool $isShared, bool $waits = true): bool
    {
        $dialect = $this->connection->dialect();
        if (!$dialect instanceof LockingDialect) {
            return true;
        }
        $isLocked = \count($this->connection->rows($dialect->locks($slots, $isShared, $waits))) === \count($slots);

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
        $dialect = $this->connection->dialect();
        if ($dialect instanceof LockingDialect && $slots !== []) {
            $dialect->compact($this->connection, $slots, self::MANY_RAISES);
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
        if (($rows[0]['gates'] ?? 0) !== 0) {
            throw LedgerUnavailable::gated();
        }
        $everything = '';
        foreach ($rows as $row) {
            $everything = $row['slot'] === Dialect::EVERYTHING ? (string) $row['version'] : $everything;
        }
        /** @var non-empty-list<array{id: string, registry: string, present: int}> $rows */
        ['id' => $id, 'registry' => $registry, 'present' => $schema] = $rows[0];

        return [
            'id' => $id,
            'mark' => (int) hexdec(substr(hash('xxh128', "$id $registry $schema $everything"), 0, 15)),
            'registry' => $registry,
            'versions' => $this->versions($rows, $slots),
        ];
    }

    /**
     * @param list<int>        $slots
     * @param string           $beside a derived table to join, where rows are locked one by one
     * @param list<Dependency> $names  its parameters
     *
     * @return non-empty-list<array<string, scalar|null>> the columns of the ledger beside each slot, and the present
     *     version of the schema; the first slot is SCHEMA
     */
    private function rows(array $slots, string $beside = '', array $names = []): array
    {
        $dialect = $this->connection->dialect();
        $all = [Dialect::SCHEMA, ...$slots];
        try {
            $sql = $dialect instanceof LockingDialect
                ? $this->ofRaises([Dialect::EVERYTHING, ...$all], $beside, $dialect)
                : $this->ofSlots($all);
            if ($names !== []) {
                $rows = $this->connection->rows($sql, array_map(SqlIndex::text(...), array_column($names, 'name')));
            } elseif ($this->read !== null && $this->read[0] === $sql) {
                $rows = ($this->read[1])();
            } else {
                [$rows, $again] = $this->connection->repeatable($sql);
                $this->read = [$sql, $again];
            }
        } catch (PDOException $exception) {
            throw LedgerUnavailable::during('reading its state', $exception);
        }

        return $this->checked($rows);
    }

    /**
     * @param list<array<string, scalar|null>> $rows
     *
     * @return non-empty-list<array<string, scalar|null>> the same, with that of the schema first
     */
    private function checked(array $rows): array
    {
        // No server has to sort them.
        $first = array_search(Dialect::SCHEMA, array_column($rows, 'slot'), true);
        if ($rows === [] || $first === false || $rows[$first]['slots'] === null) {
            throw LedgerUnavailable::notInstalled();
        }
        if ($rows[$first]['slots'] !== $this->slots) {
            throw LedgerUnavailable::otherSlots((int) $rows[$first]['slots'], $this->slots);
        }
        if ($first > 0) {
            [$rows[0], $rows[$first]] = [$rows[$first], $rows[0]];
        }

        return $rows;
    }

    /** @param non-empty-list<int> $slots */
    private function ofSlots(array $slots): string
    {
        return \sprintf(
            'SELECT l.id, l.generation, l.registry, l.release, l.slots, s.slot, s.version, %s AS present'
                . ' FROM larder_ledger l LEFT JOIN larder_slot s ON s.slot IN (%s) ORDER BY s.slot',
            $this->connection->dialect()->catalog()->schemaNumber(),
            implode(', ', $slots),
        );
    }

    /**
     * The last generation is that of the page registered last, which is never deleted.
     *
     * @param non-empty-list<int> $slots
     */
    private function ofRaises(array $slots, string $beside, LockingDialect $dialect): string
    {
        return \sprintf(
            'SELECT l.id, l.generation AS base, l.generation + COALESCE((SELECT MAX(p.id) FROM larder_page p), 0)'
                . ' AS generation, l.registry, l.%s, l.slots, v.slot, v.version, v.version AS present,'
                . ' (SELECT COUNT(*) FROM larder_gate) AS gates, %s AS durability, (SELECT MAX(id) FROM larder_set)'
                . ' AS last_set, (SELECT path FROM larder_place WHERE served = 1) AS place%s FROM larder_ledger l'
                . ' LEFT JOIN (SELECT r.slot, BIT_XOR(r.raise) AS version FROM larder_raise r WHERE r.slot IN (%s)'
                . ' GROUP BY r.slot) v ON 1 = 1%s',
            $this->release(),
            $dialect->durability(),
            $beside === '' ? '' : ', m.*',
            implode(', ', array_unique($slots)),
            $beside === '' ? '' : ' LEFT JOIN (' . $beside . ') m ON 1 = 1',
        );
    }

    private function release(): string
    {
        return $this->connection->dialect()->quote('release');
    }

    /** @return int<1, max> */
    private function number(): int
    {
        return $this->random->getInt(1, PHP_INT_MAX);
    }

    /**
     * @param list<array<string, scalar|null>> $rows
     * @param list<int>                        $slots
     *
     * @return array<int, int>
     */
    private function versions(array $rows, array $slots): array
    {
        $isLocking = $this->connection->dialect()->locksRows();
        $versions = $isLocking ? array_fill_keys($slots, 0) : [];
        foreach ($rows as $row) {
            $slot = $row['slot'];
            if (\is_int($slot) && \is_int($row['version'])
                && ($isLocking ? isset($versions[$slot]) : $slot !== Dialect::SCHEMA)) {
                $versions[$slot] = $row['version'];
            }
        }

        return \count($versions) === \count($slots) ? $versions : throw LedgerUnavailable::notInstalled();
    }
}
