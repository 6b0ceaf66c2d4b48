<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Exception\ChangeFailed;
use Larder\Exception\NoTransaction;
use Larder\Exception\UnknownName;

/**
 * The announcement that data changed, made inside the writer's transaction.
 *
 * A row change emits `news:4`, the old and the new `news?…` of every declared column set, and `news`; a bulk change
 * emits `news!`. An old row counts only if it was read through this change, under the write lock. Otherwise, of two
 * writers that move a row 5 -> 6 -> 7, the second could drop category 5 again and never 6. A row that was not read so
 * counts as bulk.
 *
 * What the transaction writes beside what was told counts as bulk: the connection sees the statements, and update(),
 * insert() and delete() look whether the statement changed this one row. So names given by hand only add to what is
 * dropped; with `trust: true` alone they narrow it. Of writes by another connection only what is told is known.
 */
final class Change
{
    /** @var array<string, Dependency> */
    private array $names = [];

    /** @var array<string, Dependency> names given by hand, which may be too few */
    private array $given = [];

    /** @var array<string, array{array<string, scalar|null>|null, int}> by row name, the rows that were read under the
     *     lock, and when */
    private array $locked = [];

    /** @var array<string, array{int, int}> by row name: between which of the writes its change was told exactly */
    private array $told = [];

    /** @var array<string, true> names of tables of which everything was told */
    private array $trusted = [];

    private readonly int $transaction;

    /**
     * @internal A ledger or Gates opens it.
     *
     * @param Writes|null              $writes of the connection; null: it sees none, so no row can be read
     * @param Closure(self): void|null $check  see check()
     */
    public function __construct(
        private readonly Registry $registry,
        private readonly ?Writes $writes = null,
        private readonly ?Closure $check = null,
    ) {
        $this->transaction = $writes?->transaction() ?? 0;
    }

    /**
     * Announces a name that is known without reading rows. The name of a row or a set announces its table's name too.
     *
     * A row's name leaves out the sets that show the row. So a name that update(), insert(), delete() or row() do not
     * emit too counts as a change of its table in bulk, unless it is trusted.
     *
     * @param string|Dependency $name  a `#word`, and any word if the registry declares nothing
     * @param bool              $trust that the names told are all that this transaction changes in this table, whatever
     *     it writes: one that is forgotten leaves old pages and values behind
     *
     * @throws UnknownName
     */
    public function name(string|Dependency $name, bool $trust = false): void
    {
        foreach (array_reverse($this->registry->named($name)) as $one) {
            $names = [$one->name => $one];
            if ($one->table !== '' && !$one->isAll()) {
                $names[$one->table] = Dependency::table($one->table);
            }
            $this->given += $names;
            if ($trust) {
                $this->trusted[$one->table] = true;
            }
        }
    }

    /**
     * Makes sure that nobody is served the old data after COMMIT. A writer with its own transaction calls it right
     * before COMMIT; for other writers it is called. Names that are announced after it come too late.
     *
     * @throws ChangeFailed if it cannot be sure; then the writer must roll back
     */
    public function check(): void
    {
        if ($this->check !== null) {
            ($this->check)($this);
        }
    }

    /**
     * Runs the application's own UPDATE of one row and announces what it did. If the key finds no row afterwards, this
     * counts as bulk: the row may have another key now. So does a statement that changes other rows.
     *
     * @param Closure(): mixed $write
     *
     * @throws UnknownName   before anything is written
     * @throws NoTransaction before anything is written, if the connection is no RecordingPdo
     */
    public function update(string $table, int|string $key, Closure $write): void
    {
        $before = $this->before($table, $key);
        $write();
        $after = $this->now($this->registry->get($table), $key);
        if ($before !== null && $after === null) {
            $this->bulk($table);
        } else {
            $this->row($table, $before, $after);
        }
    }

    /**
     * Runs the application's own DELETE of one row and announces what it did.
     *
     * @param Closure(): mixed $write
     *
     * @throws UnknownName   before anything is written
     * @throws NoTransaction before anything is written, if the connection is no RecordingPdo
     */
    public function delete(string $table, int|string $key, Closure $write): void
    {
        $before = $this->before($table, $key);
        $write();
        $this->row($table, $before, $this->now($this->registry->get($table), $key));
    }

    /**
     * Runs the application's own INSERT of one row and announces what it did. REPLACE, an INSERT with ON CONFLICT DO
     * UPDATE and one of several rows count as bulk.
     *
     * @param Closure(): (int|string) $write returns the new row's key
     *
     * @throws UnknownName   before anything is written
     * @throws NoTransaction before anything is written, if the connection is no RecordingPdo
     */
    public function insert(string $table, Closure $write): int|string
    {
        $declared = $this->registry->get($table);
        $writes = $this->writes();
        $key = $write();
        $after = $writes->inserted($declared, $key);
        if ($after === null) {
            $this->bulk($table);
        } else {
            $this->row($table, null, $after);
        }

        return $key;
    }

    /**
     * Reads a row under the write lock, for row().
     *
     * @return array<string, scalar|null>|null the declared columns; null: no such row
     *
     * @throws UnknownName
     * @throws NoTransaction if the connection is no RecordingPdo
     */
    public function before(string $table, int|string $key): ?array
    {
        $declared = $this->registry->get($table);
        $writes = $this->writes();
        $row = $writes->watch($declared, $key);
        $this->locked[$declared->row($key)->name] = [$row, $writes->clock()];

        return $row;
    }

    /**
     * Announces the change of one row.
     *
     * @param array<string, scalar|null>|null $before as before() returned it; null: the row was inserted
     * @param array<string, scalar|null>|null $after  null: the row was deleted
     *
     * @throws UnknownName
     */
    public function row(string $table, ?array $before, ?array $after): void
    {
        $declared = $this->registry->get($table);
        if (
            $before === null
            && $after !== null
            && isset($this->locked[$declared->row($after[$declared->key] ?? '')->name][0])
        ) {
            $this->bulk($table);

            return;
        }
        $names = [$declared->whole()];
        foreach ([$before, $after] as $row) {
            if ($row === null) {
                continue;
            }
            $emitted = $this->emitted($declared, $row);
            if ($emitted === null || ($row === $before && !$this->wasLocked($declared, $row))) {
                $this->bulk($table);

                return;
            }
            $names = [...$names, ...$emitted];
        }
        foreach ($names as $name) {
            $this->names[$name->name] = $name;
        }
        $this->told($declared, $before, $after);
    }

    /**
     * Announces that many rows, or unknown ones, changed.
     *
     * @throws UnknownName
     */
    public function bulk(string $table): void
    {
        $all = $this->registry->all($table);
        $this->names[$all->name] = $all;
    }

    /** @return list<Dependency> what was told, and the tables that were written beside it */
    public function names(): array
    {
        $names = $this->names + $this->given;
        foreach ($this->untold() as $table) {
            $names[$table->all()->name] = $table->all();
        }
        foreach (array_diff_key($this->given, $this->names) as $name) {
            if ($name->table !== '' && !isset($this->trusted[$name->table])) {
                $all = Dependency::all($name->table);
                $names[$all->name] = $all;
            }
        }

        return array_values($names);
    }

    /** @return list<Dependency> the names that were given by hand, and nothing else */
    public function given(): array
    {
        return array_values($this->given);
    }

    /** @return list<Table> the tables that the transaction wrote, as far as this change does not tell it */
    public function untold(): array
    {
        $isSame = $this->writes?->transaction() === $this->transaction;
        $untold = $this->writes?->untold($isSame ? $this->told : [], $isSame ? $this->trusted : []) ?? [];
        $isUntold = fn(Table $table): bool => !isset($this->names[$table->all()->name]);

        return array_values(array_filter($untold, $isUntold));
    }

    /** @return list<Dependency> the same tables, each as a bulk change; words as they are */
    public function bulkNames(): array
    {
        $all = [];
        foreach ($this->names() as $name) {
            $all[$name->table === '' ? $name->name : $name->table] = $name->table === ''
                ? $name
                : $this->registry->all($name->table);
        }

        return array_values($all);
    }

    /**
     * Notes that a row's change is told exactly, if the row is now what was told.
     *
     * @param array<string, scalar|null>|null $before
     * @param array<string, scalar|null>|null $after
     */
    private function told(Table $table, ?array $before, ?array $after): void
    {
        if ($this->writes === null) {
            return;
        }
        $keys = array_unique([$before[$table->key] ?? null, $after[$table->key] ?? null], SORT_REGULAR);
        foreach ($keys as $key) {
            if (!\is_int($key) && !\is_string($key)) {
                continue;
            }
            $name = $table->row($key)->name;
            $isNew = $after !== null && $name === $table->row($after[$table->key] ?? '')->name;
            $now = $before === null ? $this->writes->inserted($table, $key) : $this->writes->now($table, $key);
            if ($isNew ? $now !== null && $this->texts($table, $now) === $this->texts($table, $after) : $now === null) {
                $from = $this->locked[$name][1] ?? -1;
                [$earlier, $until] = $this->told[$name] ?? [$from, $from];
                $this->told[$name] = [$until >= $from ? min($earlier, $from) : $from, $this->writes->clock()];
            }
            $this->writes->unwatch($table, $key);
        }
    }

    /** @return array<string, scalar|null>|null */
    private function now(Table $table, int|string $key): ?array
    {
        return $this->writes()->now($table, $key);
    }

    /** @throws NoTransaction */
    private function writes(): Writes
    {
        return $this->writes ?? throw NoTransaction::toReadRows();
    }

    /**
     * @param array<string, scalar|null> $row
     *
     * @return list<Dependency>|null null: a column is missing, or its value has no canonical text
     */
    private function emitted(Table $table, array $row): ?array
    {
        $key = $row[$table->key] ?? null;
        $names = [$key === null ? $table->whole() : $table->row($key)];
        foreach ($table->sets as $set) {
            $equal = array_intersect_key($row, array_flip($set));
            if (\count($equal) !== \count($set)) {
                return null;
            }
            $names[] = $table->set($equal);
        }
        $whole = $table->whole()->name;

        return array_filter($names, static fn(Dependency $name): bool => $name->name === $whole) === [] ? $names : null;
    }

    /** @param array<string, scalar|null> $before */
    private function wasLocked(Table $table, array $before): bool
    {
        $locked = $this->locked[$table->row($before[$table->key] ?? '')->name][0] ?? null;

        return $locked !== null && $this->texts($table, $locked) === $this->texts($table, $before);
    }

    /**
     * @param array<string, scalar|null> $row
     *
     * @return list<string>
     */
    private function texts(Table $table, array $row): array
    {
        return array_map(strval(...), $this->emitted($table, $row) ?? []);
    }
}
