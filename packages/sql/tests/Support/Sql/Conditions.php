<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

/**
 * Makes the random conditions of one statement: what stands behind WHERE and ON.
 *
 * @phpstan-type Scope array<string, RandomTable>
 */
final class Conditions
{
    /** Whether an ON is being made, where more tables are seen than those that are chosen from. */
    private bool $isOn = false;

    /**
     * @param non-empty-list<RandomTable> $tables that subqueries read
     * @param list<RandomTable>           $usual  those that they read most often
     */
    public function __construct(
        private readonly Choices $choices,
        private readonly Words $words,
        private readonly Parameters $parameters,
        private readonly array $tables,
        private readonly array $usual = [],
    ) {}

    /** @param Scope $scope */
    public function condition(array $scope, int $depth): string
    {
        $text = $this->leaf($scope, $depth);
        for ($i = (int) $this->choices->weighted(['0' => 40, '1' => 40, '2' => 20]); $i > 0; --$i) {
            $operator = $this->choices->weighted($this->words->connectives());
            $next = $this->leaf($scope, $depth);
            $isLogical = !$this->words->isStrict() || \in_array($operator, ['AND', 'OR'], true);
            $text = match (true) {
                !$isLogical => "($text) $operator ($next)",
                $this->choices->happens(20) => "$text $operator ($next)",
                default => "$text $operator $next",
            };
            $text = $this->choices->happens(10) ? "($text)" : $text;
        }

        return $this->choices->happens(4) ? "NOT $text" : $text;
    }

    /**
     * @param Scope $before
     * @param Scope $joined
     */
    public function on(array $before, array $joined, int $depth): string
    {
        $this->isOn = true;
        $equal = $this->equal($before, $joined);
        $on = match ($this->choices->weighted(['equal' => 45, 'and' => 35, 'other' => 20])) {
            'equal' => $equal,
            'and' => $equal . ' AND ' . $this->leaf($this->choices->happens(50) ? $before : $joined, 0),
            default => $this->condition([...$before, ...$joined], min(1, $depth)),
        };
        $this->isOn = false;

        return $on;
    }

    /** A WHERE, or none. */
    public function filter(RandomTable $table, int $depth): string
    {
        return $this->choices->happens(50) ? '' : ' WHERE ' . $this->leaf([$table->name => $table], $depth);
    }

    /** @param Scope $scope */
    public function leaf(array $scope, int $depth): string
    {
        [$name, $column] = $this->column($scope);
        $kind = $this->choices->weighted(['compare' => 62, 'in' => 8, 'column' => 7, 'between' => 3, 'null' => 5,
            'trap' => 9, 'exists' => $depth > 0 ? 5 : 1, 'subquery' => $depth > 0 ? 7 : 1]);
        if ($depth === 0 && \in_array($kind, ['exists', 'subquery'], true)) {
            $kind = 'compare';
        }

        return match ($kind) {
            'in' => $this->in($name, $column),
            'column' => $this->choices->happens($this->words->isStrict() ? 98 : 60)
                ? $this->equal($scope, $scope)
                : "$name " . $this->choices->weighted($this->words->comparisons($column)) . ' '
                    . $this->column($scope)[0],
            'between' => "$name BETWEEN " . $this->value($column) . ' AND ' . $this->value($column),
            'null' => $name . $this->choices->one($this->words->nulls()),
            'trap' => $this->trap($scope, $name, $column),
            'exists' => $this->choices->one(['', '', 'NOT ']) . 'EXISTS (' . $this->correlated($scope) . ')',
            'subquery' => $this->subquery($scope, $name, $column),
            default => $this->comparison($name, $column),
        };
    }

    /**
     * @param Scope $scope
     *
     * @return array{string, Column} how it is named, and the column
     */
    public function column(array $scope): array
    {
        $alias = $this->choices->one(array_keys($scope));
        $table = $scope[$alias] ?? $this->tables[0];
        $hidden = $this->words->hidden();
        if ($hidden !== [] && $table->hasRowid && !$table->isView && $this->choices->happens(3)) {
            return ["$alias." . $this->choices->one($hidden), new Column('rowid', 'INTEGER')];
        }
        $isKey = $table->key !== [] && $this->choices->happens(35);
        $column = ($isKey ? $table->column($this->choices->one($table->key)) : null)
            ?? $this->choices->one($table->columns);
        $with = array_filter($scope, static fn(RandomTable $one): bool => $one->column($column->name) !== null);
        // Without its table's name before it, one that several tables have is an error.
        $isAlone = $this->choices->happens(match (true) {
            $this->isOn => 2,
            \count($scope) === 1 => 75,
            default => \count($with) === 1 ? 30 : 1,
        });
        $name = $this->choices->happens(4) ? $this->words->quoted($column->name)[0] : $column->name;

        return [$isAlone ? $name : "$alias.$name", $column];
    }

    public function table(): RandomTable
    {
        return $this->choices->one($this->usual === [] || $this->choices->happens(12) ? $this->tables : $this->usual);
    }

    /** @param Scope $scope */
    public function aggregate(array $scope): string
    {
        return $this->choices->one($this->words->aggregates(...$this->column($scope)));
    }

    /** @param Scope $scope */
    public function scalar(array $scope): string
    {
        $table = $this->table();
        $inner = ['s' => $table];
        $where = $this->choices->happens(50) || $scope === []
            ? $this->leaf($inner, 0)
            : $this->equal($inner, $scope);

        return 'SELECT ' . $this->aggregate($inner) . " FROM $table->name s WHERE $where";
    }

    /**
     * @param Scope $scope
     * @param Scope $others
     */
    private function equal(array $scope, array $others): string
    {
        [$name, $column] = $this->column($scope);
        [$other, $second] = $this->column($others);
        for ($tries = 12; $tries > 0 && !$this->words->areAlike($column, $second); --$tries) {
            [$other, $second] = $this->column($others);
        }

        return "$name = $other";
    }

    /**
     * @param list<Column> $columns
     *
     * @return Column that can be compared with another, if there is one
     */
    private function alike(array $columns, Column $other): Column
    {
        $alike = array_filter($columns, fn(Column $column): bool => $this->words->areAlike($column, $other));

        $isAny = $alike === [] || $this->choices->happens($this->words->isStrict() ? 2 : 15);

        return $this->choices->one($isAny ? $columns : array_values($alike));
    }

    private function comparison(string $name, Column $column): string
    {
        $operator = $this->choices->weighted($this->words->comparisons($column));

        return $this->choices->happens(15)
            ? $this->value($column) . " $operator $name"
            : "$name $operator " . $this->value($column);
    }

    private function in(string $name, Column $column): string
    {
        $values = array_map(
            fn(): string => $this->value($column),
            range(1, (int) $this->choices->weighted(['1' => 30, '2' => 45, '3' => 20, '40' => 5])),
        );

        return $name . $this->choices->one([' IN ', ' IN ', ' NOT IN ']) . '(' . implode(', ', $values) . ')';
    }

    /**
     * What looks like a narrow condition and is none.
     *
     * @param Scope $scope
     */
    public function trap(array $scope, string $name, Column $column): string
    {
        [$other, $second] = $this->column($scope);
        $form = $this->choices->one($this->words->traps($column));
        if ($this->choices->happens(15)) {
            $value = $this->value($column);

            return match ($this->choices->number(1, 3)) {
                1 => "($name = $value OR $other = " . $this->value($second) . ')',
                2 => "$name = $value AND 1 = 1 OR $other = $other",
                default => $this->filled($this->choices->one($this->words->alternatives()), $name, $value),
            };
        }

        return $this->filled($form, $name, $this->value($column));
    }

    private function filled(string $form, string $name, string $value): string
    {
        return implode($value, explode('%s', implode($name, explode('%s', $form, 2)), 2));
    }

    /** @param Scope $scope */
    private function correlated(array $scope): string
    {
        $table = $this->table();
        $inner = ['e' => $table];
        $link = $this->choices->happens(70)
            ? $this->equal($inner, $scope)
            : $this->leaf($inner, 0);

        return "SELECT 1 FROM $table->name e WHERE $link"
            . ($this->choices->happens(50) ? ' AND ' . $this->leaf([...$scope, ...$inner], 0) : '');
    }

    /** @param Scope $scope */
    private function subquery(array $scope, string $name, Column $compared): string
    {
        $table = $this->table();
        $column = $this->alike($table->columns, $compared)->name;
        if ($this->words instanceof SqliteWords && $this->choices->happens(30)) {
            return "$name IN $table->name";
        }
        if ($this->choices->happens($this->words->isStrict() ? 3 : 40)) {
            return "$name = (" . $this->scalar($scope) . ')';
        }

        return $name . $this->choices->one([' IN ', ' IN ', ' NOT IN ']) . "(SELECT $column FROM $table->name"
            . $this->filter($table, 0) . ')';
    }

    private function value(Column $column): string
    {
        return $this->parameters->value($column);
    }
}
