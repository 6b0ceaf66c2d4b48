<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Dependency\Name;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\Table;
use PDOException;

/** @internal Rows of a table, as far as names are made from them: the key and the columns of sets. */
final readonly class KeyedRows
{
    /** Rows, and names of a transaction. The table with which there are more counts as changed in bulk. */
    public const MOST = 256;

    public const NO_VALUE = 'it is not known which value a parameter of its WHERE has';

    public const UNREAD = 'its rows could not be read';

    public const NOT_FOUND = 'a key is no number and no text';

    public const OTHERS = 'the rows that it changed are not those that were found';

    /** @param Closure(string, array<int, scalar|null>): list<array<string, scalar|null>> $select */
    public function __construct(
        public Table $table,
        private Dialect $dialect,
        private Closure $select,
    ) {}

    /**
     * @param array<int, scalar|null> $values
     *
     * @return list<array<string, scalar|null>>|null of too many rows one too many; null: not each can be found again by
     *     its key
     *
     * @throws PDOException
     */
    public function read(string $from, string $where, array $values, string $lock = ''): ?array
    {
        $columns = array_values(array_unique([$this->table->key, ...array_merge(...$this->table->sets)]));
        $rows = ($this->select)(\sprintf(
            'SELECT %s, %s FROM %s%s LIMIT %d%s',
            $this->dialect->isFound($this->column($this->table->key)),
            implode(', ', array_map($this->column(...), $columns)),
            $from,
            $where,
            self::MOST + 1,
            $lock,
        ), $values);

        $read = [];
        foreach ($rows as $row) {
            if (array_shift($row) !== 1) {
                return null;
            }
            $read[] = array_combine($columns, $row);
        }

        return $read;
    }

    /** The same of another table. */
    public function of(Table $table): self
    {
        return new self($table, $this->dialect, $this->select);
    }

    /**
     * Those that refer to rows of another table.
     *
     * @param list<array<string, scalar|null>>           $rows   of that table
     * @param array{referred: string, referring: string} $effect the columns
     *
     * @return list<array<string, scalar|null>>|null as of read()
     *
     * @throws PDOException
     */
    public function referringTo(
        self $other,
        array $rows,
        string $otherFrom,
        string $from,
        array $effect,
        string $join,
    ): ?array {
        $keys = array_column($rows, $other->table->key);

        // The column that is referred to stands on the left, so it decides how they compare, as in the database.
        return $this->read(
            \sprintf(
                '%s %s JOIN %s ON %s = %s',
                $otherFrom,
                $join,
                $from,
                $other->column($effect['referred']),
                $this->column($effect['referring']),
            ),
            \sprintf(
                ' WHERE %s IN (%s)',
                $other->column($other->table->key),
                implode(', ', array_fill(0, \count($keys), '?')),
            ),
            $keys,
            $this->dialect->lockRow(),
        );
    }

    /** A name that is of no column would be a text without the table before it. */
    public function column(string $name): string
    {
        return $this->dialect->quote($this->table->name) . '.' . $this->dialect->quote($name);
    }

    /**
     * @param list<array<string, scalar|null>> $rows
     *
     * @return list<scalar|null> sorted
     */
    public function keys(array $rows): array
    {
        $keys = array_column($rows, $this->table->key);
        sort($keys, SORT_STRING);

        return $keys;
    }

    /**
     * @param list<array<string, scalar|null>> $rows
     *
     * @return array<string, Name>|string what their change emits; why it cannot be known
     */
    public function names(array $rows): array|string
    {
        $names = $moved = [];
        $images = array_count_values(array_map(serialize(...), $rows));
        foreach ($rows as $row) {
            $emitted = self::ofRow($this->table, $row);
            if ($emitted === null) {
                return 'a value has another type than its column';
            }
            // The same before and after: no column of a set has changed.
            $moved += $images[serialize($row)] === 2 ? [] : $emitted;
            $names += $emitted;
        }
        foreach (array_diff_key($names, $moved) as $name => $dependency) {
            $names[$name] = $dependency->staying();
        }

        return $names;
    }

    /**
     * What the change of a row emits: its own name, those of its sets, and the table's.
     *
     * @param array<string, scalar|null> $row
     *
     * @return array<string, Name>|null null: a column is missing, or its value has no canonical text
     */
    public static function ofRow(Table $table, array $row): ?array
    {
        $key = $row[$table->key] ?? null;
        $names = $key === null ? [] : [$table->row($key)];
        foreach ($table->sets as $set) {
            $equal = array_intersect_key($row, array_flip($set));
            if (\count($equal) !== \count($set)) {
                return null;
            }
            $names[] = $table->set($equal);
        }
        $byName = [];
        foreach ($names as $name) {
            $byName[$name->name] = $name;
        }
        $whole = $table->whole();

        return $key === null || isset($byName[$whole->name]) ? null : $byName + [$whole->name => $whole];
    }
}
