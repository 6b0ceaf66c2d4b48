<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use PDOException;

/**
 * @internal What the open transaction has written, table by table, as far as nobody made it known yet.
 *
 * A row's change is exact only if it was seen: the row was read before the statement and after it, the statement
 * changed one row, and this row differs, or the statement found it by its key. Or one row was inserted, and it is found
 * under its key. Everything else counts as a change of the table in bulk.
 */
final class Writes
{
    /** What the names of Larder's own tables begin with. */
    public const OWN = Schema::OWN;

    /** The number of the transaction. */
    private int $transaction = 0;

    /** Counts what was noted. */
    private int $clock = 0;

    /** @var array<string, Table> by name: written in a way that no row names */
    private array $bulk = [];

    /** @var array<string, array{Table, int, int}> by the row's name: when it was written first and last */
    private array $rows = [];

    /** @var array<string, array{Table, list<string>}> by the table's name: rowids of rows that were inserted */
    private array $inserts = [];

    /** @var array<string, array<string, array{int|string, array<string, scalar|null>|null, int}>> key, row and when it
     *     was read, by table and the row's name */
    private array $watched = [];

    /** @var array<string, int> by the table's name: when it was written last */
    private array $touched = [];

    private bool $undeclared = false;

    /** @param Closure(string, scalar|null...): list<array<string, scalar|null>> $select */
    public function __construct(
        private readonly Registry $registry,
        private readonly Dialect $dialect,
        private readonly SideEffects $effects,
        private readonly Closure $select,
    ) {}

    /** For a transaction that begins, or is over. */
    public function reset(): void
    {
        $this->clear();
        $this->watched = $this->touched = [];
        ++$this->transaction;
    }

    /** After what was written has been made known. */
    public function clear(): void
    {
        $this->bulk = $this->rows = $this->inserts = [];
        $this->undeclared = false;
    }

    /** A number that no other transaction of this connection has. */
    public function transaction(): int
    {
        return $this->transaction;
    }

    /** A number that rises with each statement that wrote. */
    public function clock(): int
    {
        return $this->clock;
    }

    /**
     * The tables that a statement may write to, without Larder's own.
     *
     * @param list<Write>|null $writes null: unknown
     *
     * @return list<string> in lower case
     */
    public function tables(?array $writes): array
    {
        $own = array_map(static fn(Write $write): string => $write->table, $writes ?? []);

        return array_values(array_filter(
            [...$own, ...$this->effectsOf($writes)],
            static fn(string $table): bool => !str_starts_with($table, self::OWN),
        ));
    }

    /**
     * Notes what a statement wrote.
     *
     * @param list<Write>|null $writes   null: unknown
     * @param int|null         $affected how many rows it changed of its own table; null: unknown
     * @param string           $inserted the rowid of the row that was inserted last
     * @param string|null      $row      the value that the statement finds its one row by; null: unknown
     */
    public function note(?array $writes, ?int $affected, string $inserted, ?string $row): void
    {
        ++$this->clock;
        $effects = $this->effectsOf($writes);
        foreach ($effects as $name) {
            $this->inBulk($name);
        }
        foreach ($writes ?? [] as $write) {
            $table = $this->registry->find($write->table);
            if ($table === null) {
                $this->undeclared = $this->undeclared || !str_starts_with($write->table, self::OWN);

                continue;
            }
            $isExact = $write->counts && !$this->effects->replaces($write->table) && !$write->moves($table->key);
            $count = $isExact ? $affected : null;
            $isPlain = $write->isPlain && !$this->effects->replaces($write->table) && $affected !== null;
            if ($count === 0) {
                continue;
            }
            $isSeen = $count === 1
                && $this->isSeen($table, strtolower($table->key) === ($write->row['column'] ?? '') ? $row : null);
            $this->touched[$table->name] = $this->clock;
            if (!$isSeen && $isPlain) {
                $this->inserts[$table->name] = [$table, [...$this->inserts[$table->name][1] ?? [], $inserted]];
            } elseif (!$isSeen) {
                $this->bulk[$table->name] = $table;
            }
        }
    }

    /**
     * Reads a row under the write lock, and sees from then on what becomes of it.
     *
     * @return array<string, scalar|null>|null the declared columns; null: no such row
     */
    public function watch(Table $table, int|string $key): ?array
    {
        $row = $this->read($table, $key);
        $this->watched[$table->name][$table->row($key)->name] = [$key, $row, $this->clock];

        return self::declared($table, $row);
    }

    /** No longer watches a row. */
    public function unwatch(Table $table, int|string $key): void
    {
        unset($this->watched[$table->name][$table->row($key)->name]);
    }

    /** @return array<string, scalar|null>|null the row as it is now, its declared columns */
    public function now(Table $table, int|string $key): ?array
    {
        [, $row, $read] = $this->watched[$table->name][$table->row($key)->name] ?? [null, null, -1];

        return self::declared(
            $table,
            $read >= ($this->touched[$table->name] ?? 0) ? $row : $this->read($table, $key),
        );
    }

    /**
     * A row that was inserted, as it is now. If the only one of its table that was inserted has this key, its change is
     * exact.
     *
     * @return array<string, scalar|null>|null the declared columns; null: no such row
     */
    public function inserted(Table $table, int|string $key): ?array
    {
        $rowids = $this->inserts[$table->name][1] ?? [];
        $row = \count($rowids) === 1 ? $this->read($table, $key, $rowids[0]) : null;
        if ($row === null) {
            return $this->now($table, $key);
        }
        unset($this->inserts[$table->name]);
        $this->watched[$table->name][$table->row($key)->name] = [$key, $row, $this->clock];
        $this->seen($table, $table->row($key)->name);

        return self::declared($table, $row);
    }

    /**
     * The tables whose changes nobody has told exactly.
     *
     * @param array<string, array{int, int}> $told    by the row's name: the clocks between which all was told
     * @param array<string, true>            $trusted names of tables of which all was told
     *
     * @return list<Table>
     */
    public function untold(array $told = [], array $trusted = []): array
    {
        $tables = $this->bulk;
        foreach ($this->rows as $row => [$table, $first, $last]) {
            [$from, $to] = $told[$row] ?? [$first, $first];
            if ($from >= $first || $to < $last) {
                $tables[$table->name] = $table;
            }
        }
        foreach ($this->inserts as [$table]) {
            $tables[$table->name] = $table;
        }

        return array_values(array_diff_key($tables, $trusted));
    }

    /** Whether a table was written that this process's registry does not declare. Another release's may. */
    public function areUndeclared(): bool
    {
        return $this->undeclared;
    }

    /**
     * Whether the one row that a statement changed is one that is watched.
     *
     * @param string|null $value the key that the statement finds it by; null: unknown
     */
    private function isSeen(Table $table, ?string $value): bool
    {
        foreach (array_reverse($this->watched[$table->name] ?? [], true) as $name => [$key, $before]) {
            $row = $this->read($table, $key);
            $this->watched[$table->name][$name] = [$key, $row, $this->clock];
            if ($row !== $before || $value === (string) $key) {
                $this->seen($table, $name);

                return true;
            }
        }

        return false;
    }

    private function seen(Table $table, string $row): void
    {
        $this->rows[$row] = [$table, $this->rows[$row][1] ?? $this->clock, $this->clock];
    }

    /**
     * @param list<Write>|null $writes
     *
     * @return list<string> tables in lower case
     */
    private function effectsOf(?array $writes): array
    {
        $effects = [];
        foreach ($writes ?? [] as $write) {
            $of = $this->effects->of($write);
            if ($of === null) {
                $writes = null;
                break;
            }
            $effects = [...$effects, ...$of];
        }

        return $writes !== null ? $effects : array_map(
            static fn(Table $table): string => strtolower($table->name),
            $this->registry->tables(),
        );
    }

    private function inBulk(string $name): void
    {
        $table = $this->registry->find($name);
        if ($table !== null) {
            $this->bulk[$table->name] = $table;
            $this->touched[$table->name] = $this->clock;
        } else {
            $this->undeclared = $this->undeclared || !str_starts_with($name, self::OWN);
        }
    }

    /** @return array<string, scalar|null>|null all columns, and the declared ones as they are declared */
    private function read(Table $table, int|string $key, ?string $rowid = null): ?array
    {
        if ($table->key === '') {
            return null;
        }
        $quote = $this->dialect->quote(...);
        $sql = \sprintf(
            'SELECT *, %s FROM %s WHERE %s = ?',
            implode(', ', array_map($quote, array_keys($table->columns))),
            $quote($table->name),
            $quote($table->key),
        );
        if ($rowid === null) {
            return ($this->select)($sql, $key)[0] ?? null;
        }
        try {
            return ($this->select)($sql . ' AND ' . $this->dialect->insertedRow(), $key, (int) $rowid)[0] ?? null;
        } catch (PDOException) {
            // A table without rowids.
            return null;
        }
    }

    /**
     * @param array<string, scalar|null>|null $row
     *
     * @return array<string, scalar|null>|null
     */
    private static function declared(Table $table, ?array $row): ?array
    {
        return $row === null ? null : array_intersect_key($row, $table->columns);
    }
}
