<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Dependency\Tracker\KeyedRows;
use Larder\Dependency\Tracker\Writes;
use Larder\Exception\ChangeFailed;
use Larder\Exception\NoTransaction;
use Larder\Exception\UnknownName;

/**
 * The announcement that data changed, made inside the writer's transaction.
 *
 * A row change emits `news:4`, the old and the new `news?…` of every declared column set, and `news`; a bulk change
 * emits `news!`. What the transaction writes by a RecordingPdo is derived from its statements: the rows are read before
 * and after each, and a statement whose rows are not certain counts as bulk. So names told here only add to what is
 * dropped; with `trust: true` alone they narrow it. Of writes by another connection only what is told is known.
 *
 * An old row that is told counts only if it was read through this change, under the write lock. Otherwise, of two
 * writers that move a row 5 -> 6 -> 7, the second could drop category 5 again and never 6. A row that was not read so
 * counts as bulk.
 */
final class Change
{
    /** @var array<string, Dependency> */
    private array $names = [];

    /** @var array<string, Dependency> names given by hand, which may be too few */
    private array $given = [];

    /** @var array<string, array<string, scalar|null>|null> by row name, the rows that were read under the lock */
    private array $locked = [];

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
     * A row's name leaves out the sets that show the row. So a name that no statement of the transaction and no row()
     * emits too counts as a change of its table in bulk, unless it is trusted.
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
            $isOfTable = $one->table !== '' && !$one->isAll();
            // One by one: PHP copies an array that a property's += adds to.
            $this->given[$one->name] ??= $isOfTable && $one->name === $one->table
                ? Dependency::table($one->table)
                : $one;
            if ($isOfTable) {
                $this->given[$one->table] ??= Dependency::table($one->table);
            }
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
     * Runs the application's own UPDATE of one row, whose change is announced as that of any other statement.
     *
     * @param Closure(): mixed $write
     *
     * @throws UnknownName   before anything is written
     * @throws NoTransaction before anything is written, if the connection is no RecordingPdo
     */
    public function update(string $table, int|string $key, Closure $write): void
    {
        $this->writes($table);
        $write();
    }

    /**
     * Runs the application's own DELETE of one row, whose change is announced as that of any other statement.
     *
     * @param Closure(): mixed $write
     *
     * @throws UnknownName   before anything is written
     * @throws NoTransaction before anything is written, if the connection is no RecordingPdo
     */
    public function delete(string $table, int|string $key, Closure $write): void
    {
        $this->update($table, $key, $write);
    }

    /**
     * Runs the application's own INSERT of one row, whose change is announced as that of any other statement.
     *
     * @param Closure(): (int|string) $write returns the new row's key
     *
     * @throws UnknownName   before anything is written
     * @throws NoTransaction before anything is written, if the connection is no RecordingPdo
     */
    public function insert(string $table, Closure $write): int|string
    {
        $this->writes($table);

        return $write();
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

        return $this->locked[$declared->row($key)->name] = $this->writes($table)->row($declared, $key);
    }

    /**
     * Announces the change of one row, for a writer that no statement of this connection shows.
     *
     * @param array<string, scalar|null>|null $before as before() returned it; null: the row was inserted
     * @param array<string, scalar|null>|null $after  null: the row was deleted
     *
     * @throws UnknownName
     */
    public function row(string $table, ?array $before, ?array $after): void
    {
        $declared = $this->registry->get($table);
        $isKnown = $before === null
            ? !isset($this->locked[$declared->row($after[$declared->key] ?? '')->name])
            : $this->wasLocked($declared, $before);
        $names = [$declared->whole()->name => $declared->whole()];
        foreach (array_filter([$before, $after], is_array(...)) as $row) {
            $emitted = $isKnown ? KeyedRows::ofRow($declared, $row) : null;
            if ($emitted === null) {
                $this->bulk($table);

                return;
            }
            $names += $emitted;
        }
        foreach ($names as $name => $emitted) {
            $this->names[$name] ??= $emitted;
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

    /** @return list<Dependency> what was told, and what was written */
    public function names(): array
    {
        $emitted = $this->names + ($this->writes?->names($this->trusted()) ?? []);
        $names = $emitted + $this->given;
        foreach (array_diff_key($this->given, $emitted) as $name) {
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

    /** @return array<string, string> why a table's changes could not be followed and were not told, by its name */
    public function untold(): array
    {
        $isUntold = fn(string $table): bool => !isset($this->names[Dependency::all($table)->name]);

        return array_filter($this->writes?->causes($this->trusted()) ?? [], $isUntold, ARRAY_FILTER_USE_KEY);
    }

    /** @return array<string, true> for this transaction alone */
    private function trusted(): array
    {
        return $this->writes?->transaction() === $this->transaction ? $this->trusted : [];
    }

    /**
     * @throws UnknownName
     * @throws NoTransaction
     */
    private function writes(string $table): Writes
    {
        $this->registry->get($table);

        return $this->writes ?? throw NoTransaction::toReadRows();
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
        return array_keys(KeyedRows::ofRow($table, $row) ?? []);
    }
}
