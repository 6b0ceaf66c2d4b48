<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Exception\ChangeFailed;
use Larder\Exception\UnknownName;

/**
 * The announcement that data changed, told inside the writer's transaction.
 *
 * A row change emits `news:4`, the old and the new `news?…` of every declared column set, and `news`; a bulk change emits `news!`.
 * An old row counts only if it was read through this change, under the write lock: of two writers that move a row 5 -> 6 -> 7
 * the second would otherwise drop category 5 again and never 6. Whatever cannot be trusted counts as bulk.
 */
final class Change
{
    /** @var array<string, Dependency> */
    private array $names = [];

    /** @var array<string, array<string, scalar|null>|null> rows as they were read under the lock, by row name */
    private array $locked = [];

    /**
     * @internal opened by a ledger
     *
     * @param Closure(Table, int|string): (array<string, scalar|null>|null) $read  a row by its key, under the write lock
     * @param Closure(self): void|null                                      $check see check()
     */
    public function __construct(
        private readonly Registry $registry,
        private readonly Closure $read,
        private readonly ?Closure $check = null,
    ) {}

    /**
     * Tells names that are known without a look at rows. With a row's or a set's name the table's changes too.
     *
     * @param string|Dependency ...$names with a registry that declares nothing, any words
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
     * Makes sure, right before COMMIT, that nobody will be served the old data after it. For a writer that runs a transaction of its
     * own; else it is done for it. What is told after it comes too late.
     *
     * @throws ChangeFailed and then the writer must roll back
     */
    public function check(): void
    {
        if ($this->check !== null) {
            ($this->check)($this);
        }
    }

    /**
     * Runs the application's own UPDATE of one row, and tells what it did. A row that is gone under its key afterwards counts
     * as bulk, since it may stand under another one.
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
     * Runs the application's own DELETE of one row, and tells what it did.
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
     * Runs the application's own INSERT of one row, and tells what it did.
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
     * Tells one row's change: null before is an insert, null after a delete.
     *
     * @param array<string, scalar|null>|null $before as before() gave it
     * @param array<string, scalar|null>|null $after
     *
     * @throws UnknownName
     */
    public function row(string $table, ?array $before, ?array $after): void
    {
        $declared = $this->registry->get($table);
        if ($before === null && $after !== null && isset($this->locked[$declared->row($after[$declared->key] ?? '')->name])) {
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
     * Tells that many rows, or unknown ones, changed.
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

    /** @return list<Dependency> the same tables, all counted as bulk */
    public function bulkNames(): array
    {
        $all = [];
        foreach ($this->names as $name) {
            $all[$name->table] = $this->registry->all($name->table);
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
