<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\Table;

/** A table, or a view, of a random schema. */
final readonly class RandomTable
{
    /**
     * @param list<Column> $columns
     * @param list<string> $key      columns of its primary key
     * @param bool         $hasRowid
     * @param bool         $isView
     */
    public function __construct(
        public string $name,
        public array $columns,
        public array $key,
        public bool $hasRowid = true,
        public bool $isView = false,
    ) {}

    /** @param string $declared columns, and what else stands between the parentheses of CREATE TABLE */
    public static function of(string $name, string $declared, bool $hasRowid = true): self
    {
        $columns = $key = [];
        foreach (explode(', ', $declared) as $column) {
            if (preg_match('/^(?!FOREIGN|UNIQUE)(\w+) (\w+(?:\(\d+\))?)(.*)$/', $column, $matches) !== 1) {
                continue;
            }
            [, $of, $type, $rest] = $matches;
            preg_match('/COLLATE (\S+)/', $rest, $collation);
            $columns[] = new Column($of, $type, $collation[1] ?? '', str_contains($rest, ' AS ('));
            $key = str_contains($rest, 'PRIMARY KEY') ? [$of] : $key;
        }

        return new self($name, $columns, $key, $hasRowid);
    }

    public function column(string $name): ?Column
    {
        foreach ($this->columns as $column) {
            if ($column->name === $name) {
                return $column;
            }
        }

        return null;
    }

    /** @return list<Column> that a statement may write */
    public function written(): array
    {
        return array_values(array_filter($this->columns, static fn(Column $column): bool => !$column->isMade));
    }

    /**
     * As a registry declares it, with one set for each column that has a type, and one for the first two.
     *
     * @return Table|null null: it cannot be declared, since its key has no type or is no single column
     */
    public function declared(Dialect $dialect): ?Table
    {
        $types = [];
        foreach ($this->columns as $column) {
            $type = $column->columnType($dialect);
            if ($type !== null) {
                $types[$column->name] = $type;
            }
        }
        if ($this->isView || \count($this->key) !== 1 || !isset($types[$this->key[0]])) {
            return null;
        }
        $others = array_values(array_diff(array_keys($types), $this->key));
        $sets = array_map(static fn(string $column): array => [$column], $others);
        if (\count($others) > 1) {
            $sets[] = [$others[0], $others[1]];
        }

        return new Table($this->name, $this->key[0], $types, $sets);
    }
}
