<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use PDOException;

/** @internal Rows of a table, as far as names are made from them: the key and the columns of sets. */
final readonly class KeyedRows
{
    /** @param Closure(string, array<int, scalar|null>): list<array<string, scalar|null>> $select */
    public function __construct(
        private Table $table,
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
            RowImages::MOST + 1,
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
     * @return array<string, Dependency>|string what their change emits; why it cannot be known
     */
    public function names(array $rows): array|string
    {
        $names = [];
        foreach ($rows as $row) {
            $emitted = RowImages::ofRow($this->table, $row);
            if ($emitted === null) {
                return 'a value has another type than its column';
            }
            $names += $emitted;
        }

        return $names;
    }
}
