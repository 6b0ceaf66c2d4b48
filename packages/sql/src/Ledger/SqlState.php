<?php

declare(strict_types=1);

namespace Larder\Sql\Ledger;

use Closure;
use Larder\Dependency\Name;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Schema\Connection;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\LockingDialect;
use PDOException;
use Random\Randomizer;
use Throwable;

/**
 * The state of a SqlLedger: the id of its present life, release and registry, the last generation, the version of each
 * slot, and the places that have its pages.
 *
 * It does not care for the order of steps: the ledger's protocols call it at the right moments.
 *
 * Where rows are locked one by one, the version of a slot is the exclusive or of all its raises, each of which is a
 * random number of its own. A raise is a new row, so that no snapshot of a writer is too old for it.
 *
 * @internal
 *
 * @phpstan-import-type Row from SqlIndex
 * @phpstan-type State array{id: string, generation: int, base: int, registry: string, release: string, slots: int,
 *     isOfSchema: bool, schema: int, isGated: bool, durability: int|null, lastSet: int, place: string|null,
 *     versions: array<int, int>}
 */
abstract class SqlState
{
    /** Later than any real date, so that no date that a client sends equals a page's mtime. */
    public const FIRST_GENERATION = 1 << 33;

    /** How far above it a life may begin. File systems that keep 34 bits of a time have room for as many again. */
    private const SPREAD = 1 << 32;

    /** In the id of a life, before the host that alone has its pages. */
    private const AT = '@';

    /** @var array{string, Closure(): list<array<string, scalar|null>>}|null the last query: a miss runs one twice */
    private ?array $read = null;

    public function __construct(
        protected readonly Connection $connection,
        protected readonly int $slots,
        protected readonly Randomizer $random = new Randomizer(),
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
     * @param non-empty-list<array<string, scalar|null>> $rows
     * @param list<int>                                  $slots
     *
     * @return State
     */
    protected function stateOf(array $rows, array $slots): array
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
            'durability' => isset($first['durability']) ? $number('durability') : null,
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
        $this->renewed();

        return [$id, $generation];
    }

    public function reach(int $generation): void
    {
        $this->connection->change('UPDATE larder_ledger SET generation = ?', [$generation]);
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

    /** What failed, with the GRANT to type where a right is missing. */
    public static function failed(Connection $connection, string $step, Throwable $cause): LedgerUnavailable
    {
        $account = LedgerUnavailable::denied($cause) === null ? null : self::account($connection);

        return $account === null
            ? LedgerUnavailable::during($step, $cause)
            : LedgerUnavailable::during($step, $cause, $account);
    }

    /** @return string|null as GRANT has it; null: the connection cannot be asked now */
    public static function account(Connection $connection): ?string
    {
        $query = $connection->dialect()->choose(
            static fn(): null => null,
            static fn(LockingDialect $dialect): string => 'SELECT ' . $dialect->account() . ' AS account',
        );
        try {
            $row = $query === null ? [] : $connection->rows($query)[0] ?? [];

            return isset($row['account']) ? (string) $row['account'] : null;
        } catch (PDOException) {
            return null;
        }
    }

    /**
     * @param list<int>        $slots
     * @param string           $beside a derived table to join, where rows are locked one by one
     * @param list<Name> $names  its parameters
     *
     * @return non-empty-list<array<string, scalar|null>> the columns of the ledger beside each slot, and the present
     *     version of the schema; the first slot is SCHEMA
     */
    protected function rows(array $slots, string $beside = '', array $names = []): array
    {
        $sql = $this->query($slots, $beside);
        try {
            if ($names !== []) {
                $rows = $this->connection->rows($sql, array_map(SqlIndex::text(...), array_column($names, 'name')));
            } elseif ($this->read !== null && $this->read[0] === $sql) {
                $rows = ($this->read[1])();
            } else {
                [$rows, $again] = $this->connection->repeatable($sql);
                $this->read = [$sql, $again];
            }
        } catch (PDOException $exception) {
            throw self::failed($this->connection, 'reading its state', $exception);
        }

        return $this->checked($rows);
    }

    /**
     * @param list<array<string, scalar|null>> $rows
     *
     * @return non-empty-list<array<string, scalar|null>> the same, with that of the schema first
     */
    protected function checked(array $rows): array
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

    protected function release(): string
    {
        return $this->connection->dialect()->quote('release');
    }

    /**
     * A query for the columns of the ledger beside each slot, that of the schema among them.
     *
     * @param list<int> $slots
     * @param string    $beside a derived table to join, where rows are locked one by one
     */
    abstract public function query(array $slots, string $beside = ''): string;

    /** What else a new life begins with. */
    abstract protected function renewed(): void;

    /**
     * @param list<array<string, scalar|null>> $rows
     * @param list<int>                        $slots
     *
     * @return array<int, int> by slot
     *
     * @throws LedgerUnavailable if one is not there
     */
    abstract protected function versions(array $rows, array $slots): array;
}
