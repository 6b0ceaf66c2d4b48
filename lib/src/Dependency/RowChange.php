<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Dependency\Tracker\KeyedRows;
use Larder\Dependency\Tracker\Writes;
use Larder\Exception\UnknownName;

/**
 * The announcement of a change by a connection whose statements are followed.
 *
 * A ledger gives it, and so does Cache::change() where its versions know such a connection and Larder begins and
 * commits: `$change instanceof RowChange`.
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
final class RowChange extends Change
{
    /** @var array<string, Dependency> */
    private array $names = [];

    /** @var array<string, array<string, scalar|null>|null> by row name, the rows that were read under the lock */
    private array $locked = [];

    private readonly int $transaction;

    /**
     * @internal A ledger or a connection's source opens it.
     *
     * @param Names                                  $names    what may be named
     * @param Registry                               $registry of the connection
     * @param (Closure(list<Dependency>): void)|null $check    see check()
     */
    public function __construct(
        Names $names,
        private readonly Registry $registry,
        private readonly Writes $writes,
        ?Closure $check = null,
    ) {
        parent::__construct($names, $check);
        $this->transaction = $writes->transaction();
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

        return $this->locked[$declared->row($key)->name] = $this->writes->row($declared, $key);
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

    /** @return array<string, string> why a table's changes could not be followed and were not told, by its name */
    public function untold(): array
    {
        $isUntold = fn(string $table): bool => !isset($this->names[Dependency::all($table)->name]);

        return array_filter($this->writes->causes($this->trustedHere()), $isUntold, ARRAY_FILTER_USE_KEY);
    }

    protected function emitted(): array
    {
        return $this->names + $this->writes->names($this->trustedHere());
    }

    /** @return array<string, true> for this transaction alone */
    private function trustedHere(): array
    {
        return $this->writes->transaction() === $this->transaction ? $this->trusted() : [];
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
