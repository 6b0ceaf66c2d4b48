<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

/**
 * Makes random SELECTs. Each returns the same bag of rows however it is run, so LIMIT stands behind a total
 * order only. Some are no SQL: then nobody reads anything.
 *
 * @phpstan-import-type Scope from Conditions
 */
final class ReadMaker
{
    private Parameters $parameters;

    private Conditions $conditions;

    private bool $isArbitrary = false;

    /**
     * @param non-empty-list<RandomTable> $tables
     * @param list<RandomTable>           $usual  those whose reads can be stored
     */
    public function __construct(
        private readonly Choices $choices,
        private readonly Words $words,
        private readonly array $tables,
        private readonly array $usual,
        private readonly ?Theme $theme = null,
    ) {
        $this->begin();
    }

    /** @param bool $isLate whether a writer stands still */
    public function make(bool $isLate = false): Read
    {
        $this->begin();
        $read = $this->theme?->read($this->choices, $isLate);
        if ($read !== null) {
            return $read;
        }
        if ($this->choices->happens(40)) {
            $read = $this->equality();
            if ($read !== null) {
                return $read;
            }
        }
        $sql = match ($this->choices->weighted(['select' => 78, 'joined' => 35, 'compound' => 8,
            'with' => 10, 'values' => 1, 'nested' => 3])) {
            'select' => $this->select(2),
            'compound' => $this->compound(),
            'joined' => $this->joined(),
            'with' => $this->with(),
            'values' => 'VALUES (1), (2)',
            default => 'SELECT (' . $this->conditions->scalar([]) . '), EXISTS (' . $this->select(1) . ')',
        };

        return new Read($this->parameters->query($sql), $this->isArbitrary);
    }

    private function begin(): void
    {
        $this->parameters = new Parameters($this->choices, $this->words);
        $this->conditions = new Conditions(
            $this->choices,
            $this->words,
            $this->parameters,
            $this->tables,
            $this->usual,
        );
        $this->isArbitrary = false;
    }

    /** A SELECT of one table by one plain equality. */
    private function equality(): ?Read
    {
        $table = $this->conditions->table();
        $isKey = $table->key !== [] && $this->choices->happens(50);
        $column = $isKey ? $table->column($table->key[0]) : $this->choices->one($table->columns);
        if ($column === null || $table->isView) {
            return null;
        }
        $isInteger = $column->holdsIntegers();
        if (!$isInteger && !$column->holdsText()) {
            return null;
        }
        $value = $isInteger ? $this->choices->number(0, 5) : $this->choices->one(['a', 'b', 'A', 'ab', 'c', '1']);
        $literal = \is_int($value) ? (string) $value : "'$value'";
        [$mark, $name] = $this->choices->one([[$literal, null], ['?', 1], [':v', ':v']]);
        $sql = \sprintf(
            $this->choices->one(['SELECT * FROM %1$s WHERE %2$s = %3$s', 'SELECT * FROM %1$s WHERE %1$s.%2$s = %3$s',
                'SELECT count(*), max(%2$s) FROM %1$s WHERE %2$s = %3$s', 'select t.* from %1$s t where %3$s = t.%2$s',
                'SELECT * FROM %1$s AS x WHERE (x.%2$s = %3$s)', 'SELECT * FROM %4$s WHERE %5$s = %3$s;']),
            $table->name,
            $column->name,
            $mark,
            $this->words->quoted($table->name)[0],
            $this->words->quoted($column->name)[0],
        );

        return new Read(
            $name === null ? new Query($sql) : new Query($sql, [$name => $value], Binding::BindValue),
            equality: ['table' => $table->name, 'column' => $column->name, 'value' => $value],
        );
    }

    private function select(int $depth, int $arity = 0): string
    {
        [$from, $scope] = $this->from($depth);
        $columns = $arity === 0
            ? $this->output($scope, $depth)
            : implode(', ', array_map(
                fn(): string => $this->conditions->column($scope)[0] . ($this->words->isStrict() ? '::text' : ''),
                range(1, $arity),
            ));
        if ($arity === 0 && $this->choices->happens(6)) {
            $columns = "DISTINCT $columns";
            $this->isArbitrary = true;
        }
        $where = $this->choices->happens(90) ? ' WHERE ' . $this->conditions->condition($scope, $depth) : '';
        $end = '';
        if ($arity === 0 && $this->choices->happens(10)) {
            [$group, $grouped] = $this->conditions->column($scope);
            $this->isArbitrary = true;
            $columns = "$group, count(*), " . $this->conditions->aggregate($scope);
            $end = " GROUP BY $group" . match ($this->choices->number(1, 4)) {
                1 => ' HAVING count(*) > 1',
                2 => " HAVING $group = " . $this->parameters->plain($grouped),
                default => '',
            };
        }
        $table = array_values($scope)[0] ?? null;
        if ($end === '' && $arity === 0 && \count($scope) === 1 && $table !== null && $table->key !== []
            && !$table->isView && !str_contains($columns, '(') && $this->choices->happens(15)) {
            $alias = array_key_first($scope);
            $end = ' ORDER BY ' . implode(', ', array_map(
                static fn(string $key): string => "$alias.$key",
                $table->key,
            )) . $this->choices->one(['', ' DESC', '']) . $this->limit($columns);
        }

        return "SELECT $columns FROM $from$where$end";
    }

    private function limit(string $columns): string
    {
        return str_starts_with($columns, 'DISTINCT')
            ? ''
            : $this->choices->one([' LIMIT 1', ' LIMIT 2', ' LIMIT 2 OFFSET 1', '']);
    }

    /** Tables joined in any way, and a few plain equalities, each of which may narrow some of them. */
    private function joined(): string
    {
        $without = [',', 'NATURAL JOIN', 'NATURAL LEFT JOIN', ...($this->words->isStrict() ? ['CROSS JOIN'] : [])];
        $kinds = array_values(array_diff(array_keys($this->words->joins()), $without));
        $tables = ['x' => $this->conditions->table()];
        $text = "{$tables['x']->name} x";
        foreach ($this->choices->happens(35) ? ['y', 'z'] : ['y'] as $alias) {
            $linked = $this->choices->one(array_keys($tables));
            $columns = ($tables[$linked] ?? $this->tables[0])->columns;
            $tables[$alias] = $table = $this->conditions->table();
            $tries = $this->words->isStrict() ? 6 : 1;
            do {
                $column = $this->choices->one($columns);
                $alike = array_values(array_filter(
                    $table->columns,
                    fn(Column $other): bool => $this->words->areAlike($other, $column),
                ));
            } while ($alike === [] && --$tries > 0);
            $other = $this->choices->one($alike === [] ? $table->columns : $alike);
            $equal = ["$linked.$column->name", "$alias.$other->name"];
            $text .= ' ' . $this->choices->one($kinds) . " $table->name $alias ON "
                . implode(' = ', $this->choices->some($equal, 2));
            if ($this->choices->happens(30)) {
                $text .= ' AND ' . $this->choices->one($equal) . ' = ' . $this->parameters->plain($column);
            } elseif ($this->choices->happens(40)) {
                $text .= ' AND ' . $this->plain($tables);
            }
        }

        return "SELECT * FROM $text" . ($this->choices->happens(50) ? ' WHERE ' . $this->plain($tables) : '');
    }

    /** @param non-empty-array<string, RandomTable> $tables */
    private function plain(array $tables): string
    {
        $alias = $this->choices->one(array_keys($tables));
        $table = $tables[$alias] ?? $this->tables[0];
        $column = $this->choices->one([$table->columns[0], ...$table->columns]);
        $name = str_starts_with($column->name, 'd_') ? $column->name : "$alias.$column->name";

        return "$name = " . $this->parameters->plain($column);
    }

    private function compound(): string
    {
        $arity = $this->choices->number(1, 2);
        $parts = [$this->select(1, $arity)];
        for ($i = $this->choices->number(1, 2); $i > 0; --$i) {
            $operator = $this->choices->one($this->words->compounds());
            $this->isArbitrary = $this->isArbitrary || $operator !== 'UNION ALL';
            $parts[] = $operator . ' ' . $this->select(1, $arity);
        }

        return implode(' ', $parts);
    }

    private function with(): string
    {
        $table = $this->conditions->table();
        // Its name may be a table's, which it hides.
        $name = $this->choices->one(['x', 'cte', $this->conditions->table()->name]);
        $columns = array_column($table->columns, 'name');
        $inner = 'SELECT ' . implode(', ', $columns) . " FROM $table->name"
            . $this->conditions->filter($table, 1);
        if ($name === $table->name) {
            $inner = 'SELECT ' . implode(', ', $columns) . ' FROM '
                . $this->choices->one($this->words->qualified($table->name));
        }
        $made = new RandomTable($name, $table->columns, [], false, true);
        $other = $this->choices->happens(40) ? $this->conditions->table() : null;
        $scope = ['x1' => $made] + ($other === null ? [] : ['x2' => $other]);
        $materialized = $this->choices->one($this->words->materialized());
        if ($this->choices->happens(10) && $table->columns[0]->holdsIntegers()) {
            return "WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 4) SELECT v, x1.* FROM n"
                . " LEFT JOIN $table->name x1 ON x1.{$columns[0]} = v";
        }

        return "WITH $name AS $materialized($inner) SELECT " . $this->output($scope, 1) . " FROM $name x1"
            . ($other === null ? '' : ", $other->name x2") . ' WHERE ' . $this->conditions->condition($scope, 1);
    }

    /** @return array{string, Scope} the text, and its tables by the names that they have in it */
    private function from(int $depth): array
    {
        $text = '';
        $scope = [];
        // ON sees nothing that stands before a comma.
        $first = 0;
        $count = (int) $this->choices->weighted(['1' => 50, '2' => 35, '3' => 15]);
        for ($i = 0; $i < $count; ++$i) {
            $table = $this->conditions->table();
            [$item, $alias, $table] = $this->item($table, $scope, $depth);
            $before = \array_slice($scope, $first);
            $scope[$alias] = $table;
            if ($i === 0) {
                $text = $item;
                continue;
            }
            $join = $this->choices->weighted($this->words->joins());
            $text .= $join === ',' ? ", $item" : " $join $item";
            $first = $join === ',' && !$this->words instanceof SqliteWords ? \count($scope) - 1 : $first;
            $isNatural = $join === ',' || str_contains($join, 'NATURAL');
            $isStrict = $this->words->isStrict();
            if (!$isNatural && ($isStrict ? $join !== 'CROSS JOIN' : $this->choices->happens(92))) {
                $text .= $this->choices->happens($this->words->isStrict() ? 2 : 7)
                    ? ' USING (' . $this->choices->one(['a', 'b', 'id', 'a, b']) . ')'
                    : ' ON ' . $this->conditions->on($before, [$alias => $table], $depth);
            }
        }

        return [$text, $scope];
    }

    /**
     * @param Scope $scope
     *
     * @return array{string, string, RandomTable} the text, the alias and the table behind it
     */
    private function item(RandomTable $table, array $scope, int $depth): array
    {
        $alias = $this->choices->weighted(['' => 45, 'x' => 25, 'y' => 15, 'hides' => 5, 'quoted' => 5, 'main' => 5]);
        if ($alias === 'hides') {
            $alias = $this->conditions->table()->name;
        }
        if ($alias === 'quoted' || $alias === 'main') {
            $text = match ($alias) {
                'main' => $this->choices->one($this->words->qualified($table->name)),
                default => $this->choices->one($this->words->quoted($table->name)),
            };
            $alias = '';
        } else {
            $text = $table->name;
        }
        if ($alias !== '' && isset($scope[$alias])) {
            $alias = 'z' . \count($scope);
        }
        if ($alias === '' && isset($scope[$table->name])) {
            $alias = 'z' . \count($scope);
        }
        if ($depth > 0 && $this->choices->happens(8)) {
            $columns = array_column($table->columns, 'name');
            $order = $table->key === [] || !$this->choices->happens(50)
                ? ''
                : ' ORDER BY ' . implode(', ', $table->key) . ' LIMIT ' . $this->choices->number(1, 4);
            $where = $this->conditions->filter($table, 0);
            $alias = $alias === '' ? 'z' . \count($scope) : $alias;
            $text = '(SELECT ' . implode(', ', $columns) . " FROM $table->name$where$order)";
            $table = new RandomTable($alias, $table->columns, [], false, true);
        }
        $as = $alias === '' ? '' : $this->choices->one([' ', ' AS ']) . $alias;

        return [$text . $as, $alias === '' ? $table->name : $alias, $table];
    }

    /** @param Scope $scope */
    private function output(array $scope, int $depth): string
    {
        return match ($this->choices->weighted(['*' => 45, 'columns' => 25, 'count' => 12, 'aggregate' => 8,
            'scalar' => 5, 'window' => 3, 'of' => 2])) {
            'columns' => $this->conditions->column($scope)[0] . ', ' . $this->conditions->column($scope)[0],
            'count' => 'count(*)',
            'aggregate' => $this->conditions->aggregate($scope) . ', count(*)',
            'scalar' => $depth > 0
                ? '(' . $this->conditions->scalar($scope) . '), ' . $this->conditions->column($scope)[0]
                : '*',
            'window' => $this->conditions->column($scope)[0] . ', count(*) OVER (PARTITION BY '
                . $this->conditions->column($scope)[0] . ')',
            'of' => $this->choices->one(array_keys($scope)) . '.*',
            default => '*',
        };
    }
}
