<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Exception\ChangeFailed;
use Larder\Exception\UnknownName;

/**
 * The announcement that data changed, made inside the writer's transaction.
 *
 * A row change emits `news:4`, the old and the new `news?…` of every declared column set, and `news`; a bulk change
 * emits `news!`. An old row counts only if it was read through this change, under the write lock. Otherwise, of two
 * writers that move a row 5 -> 6 -> 7, the second could drop category 5 again and never 6. A row that was not read so
 * counts as bulk.
 */
final class Change
{
    /** @var array<string, Dependency> */
    private array $names = [];

    /** @var array<string, array<string, scalar|null>|null> the rows that were read under the lock, by row name */
    private array $locked = [];

    /**
     * @internal A ledger or Gates opens it.
     *
     * @param Closure(Table, int|string): (array<string, scalar|null>|null) $read  reads a row by key, under the lock
     * @param Closure(self): void|null                                      $check see check()
     */
    public function __construct(
        private readonly Registry $registry,
        private readonly Closure $read,
        private readonly ?Closure $check = null,
    ) {}

    /**
     * Announces names that are known without reading rows. The name of a row or a set announces its table's name too.
     *
     * @param string|Dependency ...$names `#words`, and any words if the registry declares nothing
     *
     * @throws UnknownName
     */
    public function name(string|Dependency ...$names): void
    {
        foreach ($names as $name) {
            $name = $this->registry->name($name);
            $this->names[$name->name] = $name;
            if ($name->table !== '' && !$name->isAll()) {
                $this->names[$name->table] = Dependency::table($name->table);
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
     * counts as bulk: the row may have another key now.
     *
     * @param Closure(): mixed $write
     *
     * @throws UnknownName before anything is written
     */
    public function update(string $table, int|string $key, Closure $write): void
    {
        $before = $this->before($table, $key);
        $write();
        $after = ($this->read)($this->registry->get($table), $key);
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
     * @throws UnknownName before anything is written
     */
    public function delete(string $table, int|string $key, Closure $write): void
    {
        $before = $this->before($table, $key);
        $write();
        $this->row($table, $before, ($this->read)($this->registry->get($table), $key));
    }

    /**
     * Runs the application's own INSERT of one row and announces what it did.
     *
     * @param Closure(): (int|string) $write returns the new row's key
     *
     * @throws UnknownName before anything is written
     */
    public function insert(string $table, Closure $write): int|string
    {
        $declared = $this->registry->get($table);
        $key = $write();
        $this->row($table, null, ($this->read)($declared, $key));

        return $key;
    }

    /**
     * Reads a row under the write lock, for row().
     *
     * @return array<string, scalar|null>|null the declared columns; null: no such row
     *
     * @throws UnknownName
     */
    public function before(string $table, int|string $key): ?array
    {
        $declared = $this->registry->get($table);
        $row = ($this->read)($declared, $key);
        $this->locked[$declared->row($key)->name] = $row;

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
            && isset($this->locked[$declared->row($after[$declared->key] ?? '')->name])
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

    /** @return list<Dependency> */
    public function names(): array
    {
        return array_values($this->names);
    }

    /** @return list<Dependency> the same tables, each as a bulk change; words as they are */
    public function bulkNames(): array
    {
        $all = [];
        foreach ($this->names as $name) {
            $all[$name->table === '' ? $name->name : $name->table] = $name->table === ''
                ? $name
                : $this->registry->all($name->table);
        }

        return array_values($all);
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
        $locked = $this->locked[$table->row($before[$table->key] ?? '')->name] ?? null;

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
