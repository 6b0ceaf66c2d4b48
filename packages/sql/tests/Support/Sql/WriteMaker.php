<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

/** Makes random writes, in transactions of all kinds and without one. Some fail. */
final class WriteMaker
{
    /** Statements that return rows, which some drivers want to be fetched. */
    private const ROWS = '/^\W*(SELECT|VALUES|TABLE|WITH|ANALYZE|EXPLAIN|CHECK|OPTIMIZE|EXECUTE|CALL|FETCH|BEGIN NOT|IF'
        . '|PRAGMA)\b|\bRETURNING\b/i';

    private Parameters $parameters;

    private Conditions $conditions;

    /** Makes names of what is made. */
    private int $made = 0;

    /** @param bool $changesSchema whether some writes change the schema */
    public function __construct(
        private readonly Choices $choices,
        private readonly Words $words,
        private readonly Schema $schema,
        private readonly ?Theme $theme = null,
        private readonly bool $changesSchema = true,
    ) {
        $this->begin();
    }

    /** @return non-empty-list<Command> what a writer does until its transaction, if any, is over */
    public function make(): array
    {
        return $this->theme?->write($this->choices) ?? match ($this->choices->weighted([
            'simple' => 50, 'alone' => 56, 'transaction' => 20, 'rolled back' => 4, 'savepoints' => 8, 'several' => 3,
            'prepared' => 5, 'schema' => $this->changesSchema ? 4 : 0,
        ])) {
            'transaction' => $this->transaction(false),
            'rolled back' => $this->transaction(true),
            'savepoints' => $this->savepoints(),
            'several' => [Command::exec($this->text() . '; ' . $this->text())],
            'prepared' => $this->prepared(),
            'schema' => [$this->schemaChange()],
            'simple' => [$this->simple()],
            default => [$this->command()],
        };
    }

    /** Begins another statement. */
    private function begin(): void
    {
        $this->parameters = new Parameters($this->choices, $this->words);
        $this->conditions = new Conditions(
            $this->choices,
            $this->words,
            $this->parameters,
            $this->schema->tables,
            $this->schema->realTables(),
        );
    }

    /** @return non-empty-list<Command> */
    private function transaction(bool $rollsBack): array
    {
        $commands = array_map($this->command(...), range(1, $this->choices->number(1, 4)));
        if ($this->changesSchema && $this->choices->happens(5)) {
            $commands[] = $this->schemaChange();
        }
        if ($this->choices->happens(10)) {
            array_unshift($commands, Command::run(new Query($this->choices->one($this->words->introductions()))));
        }
        if ($this->choices->happens(10)) {
            $table = $this->table();
            $columns = $this->choices->one(['*', "count(*), max({$table->columns[0]->name})"]);
            array_unshift($commands, Command::run(new Query("SELECT $columns FROM $table->name")));
        }
        if ($this->choices->happens(50)) {
            $end = Command::of($rollsBack ? Action::RollBack : Action::Commit);

            return [Command::of(Action::Begin), ...$commands, $end];
        }

        return [
            Command::exec($this->choices->one($this->words->begins())),
            ...$commands,
            Command::exec($this->choices->one($this->words->ends($rollsBack))),
        ];
    }

    /** @return non-empty-list<Command> */
    private function savepoints(): array
    {
        $isWithin = $this->choices->happens(60);

        return [
            ...($isWithin ? [Command::of(Action::Begin), $this->command()] : []),
            Command::exec('SAVEPOINT one'),
            $this->command(),
            ...($this->choices->happens(60) ? [Command::exec('ROLLBACK TO one'), $this->command()] : []),
            ...($this->choices->happens(30)
                ? [Command::exec('SAVEPOINT two'), $this->command(), Command::exec('ROLLBACK TO SAVEPOINT two')]
                : []),
            Command::exec('RELEASE SAVEPOINT one'),
            ...($isWithin ? [Command::of(Action::Commit)] : []),
        ];
    }

    /** @return non-empty-list<Command> */
    private function prepared(): array
    {
        $this->begin();
        $sql = $this->choices->happens(50) ? $this->update($this->table()) : $this->insert($this->table());
        $query = $this->parameters->query($sql);
        if ($query->binding === Binding::Text) {
            $query = new Query($query->sql, binding: Binding::BindValue);
        }
        $other = $this->parameters->query($sql);

        return [
            Command::of(Action::Prepare, $query),
            ...($this->changesSchema && $this->choices->happens(40) ? [$this->schemaChange()] : []),
            Command::of(Action::Execute, $query),
            $this->command(),
            Command::of(
                Action::Execute,
                $other->binding === Binding::Text ? $query : $other,
            ),
        ];
    }

    private function command(): Command
    {
        $this->begin();
        $query = $this->parameters->query($this->statement());

        return $query->binding === Binding::Text && !self::returnsRows($query->sql) && $this->choices->happens(50)
            ? Command::exec($query->sql)
            : Command::run($query);
    }

    /** A change of one row that is found by its key. */
    private function simple(): Command
    {
        $this->begin();
        $table = $this->choices->one($this->schema->realTables());
        $columns = array_values(array_filter(
            $table->written(),
            static fn(Column $column): bool => !\in_array($column->name, $table->key, true),
        ));
        $key = $table->column($table->key[0] ?? 'a') ?? $table->columns[0];
        $column = $columns === [] ? $key : $this->choices->one($columns);
        $columns = $this->choices->happens(50) ? $table->written() : $columns;
        $sql = match ($this->choices->weighted(['update' => 55, 'insert' => 22, 'delete' => 23])) {
            'update' => "UPDATE $table->name SET $column->name = " . $this->parameters->plain($column)
                . " WHERE $key->name = " . $this->parameters->plain($key),
            'insert' => "INSERT INTO $table->name (" . implode(', ', array_column($columns, 'name')) . ') VALUES ('
                . implode(', ', array_map($this->parameters->plain(...), $columns)) . ')',
            default => "DELETE FROM $table->name WHERE $key->name = " . $this->parameters->plain($key),
        };

        return Command::run($this->parameters->query($sql));
    }

    public static function returnsRows(string $sql): bool
    {
        return preg_match(self::ROWS, $sql) === 1;
    }

    private function text(): string
    {
        for ($tries = 0; $tries < 50; ++$tries) {
            $this->begin();
            $query = $this->parameters->query($this->statement());
            if ($query->values === [] && !self::returnsRows($query->sql)) {
                return $query->sql;
            }
        }

        return 'DELETE FROM ' . $this->table()->name;
    }

    private function statement(): string
    {
        $table = $this->table();

        return match ($this->choices->weighted(['insert' => 30, 'update' => 40, 'delete' => 20, 'joined' => 5,
            'returning' => 5, 'odd' => 4, 'wrong' => 3])) {
            'insert' => $this->insert($table),
            'update' => $this->update($table),
            'joined' => $this->joined($table),
            'returning' => match ($this->choices->number(1, 3)) {
                1 => $this->update($table),
                2 => $this->insert($table),
                default => $this->delete($table),
            } . ' RETURNING ' . $this->choices->one(['*', $table->columns[0]->name]),
            'wrong' => $this->choices->one([
                'SELEC', 'UPDATE nowhere SET a = 1', "UPDATE $table->name SET nothing = 1",
            ]),
            'odd' => $this->choices->one(
                $this->words->oddWrites($table, $this->choices->one($table->written())->name),
            ),
            default => $this->delete($table),
        };
    }

    private function insert(RandomTable $table): string
    {
        $verb = $this->choices->weighted($this->words->inserts());
        $all = $table->written();
        $columns = $this->choices->happens(60)
            ? $all
            : $this->choices->some($all, $this->choices->number(1, \count($all)));
        $names = $columns === $all && $this->choices->happens(30)
            ? ''
            : ' (' . implode(', ', array_column($columns, 'name')) . ')';
        if ($this->choices->happens(5)) {
            return $this->words->defaults($verb, $table->name);
        }
        if ($this->choices->happens(8)) {
            $source = $this->table();
            $list = implode(', ', array_map(fn(Column $column): string => $this->like($source, $column), $columns));

            return "$verb $table->name$names SELECT $list FROM $source->name WHERE " . $this->where($source)
                . ($verb === 'INSERT INTO' && $this->choices->happens(20) ? $this->upsert($table) : '');
        }
        $rows = [];
        for ($i = (int) $this->choices->weighted(['1' => 75, '2' => 15, '4' => 10]); $i > 0; --$i) {
            $rows[] = '(' . implode(', ', array_map($this->stored(...), $columns)) . ')';
        }

        return "$verb $table->name$names VALUES " . implode(', ', $rows)
            . ($verb === 'INSERT INTO' && $this->choices->happens(15) ? $this->upsert($table) : '');
    }

    private function upsert(RandomTable $table): string
    {
        return $this->choices->one(
            $this->words->upserts($table->key, $table->name, $this->choices->one($table->written())),
        );
    }

    private function update(RandomTable $table): string
    {
        $verb = $this->choices->weighted($this->words->updates());
        $alias = $this->choices->happens(6) ? ' AS u' : '';
        $where = $this->choices->happens(93) ? ' WHERE ' . $this->where($table) : '';

        return "$verb $table->name$alias SET {$this->sets($table)}$where{$this->tail($table)}";
    }

    private function sets(RandomTable $table, string $prefix = ''): string
    {
        if ($prefix === '' && $this->choices->happens(4)) {
            return $this->choices->one($this->words->assignments());
        }
        $sets = [];
        foreach ($this->choices->some($table->written(), $this->choices->happens(70) ? 1 : 2) as $column) {
            $isKey = \in_array($column->name, $table->key, true);
            if ($isKey && $this->choices->happens(60)) {
                $column = $table->written()[\count($table->written()) - 1] ?? $column;
            }
            $kind = ['value' => 75, 'added' => 10, 'other' => 8, 'query' => 4, 'text' => 3];
            $sets[] = "$prefix$column->name = " . match ($this->choices->weighted($kind)) {
                'added' => $this->words->added(new Column($prefix . $column->name, $column->type)),
                'other' => $prefix . $this->like($table, $column),
                'query' => $this->query($table, $column),
                'text' => "lower($prefix$column->name)",
                default => $this->stored($column),
            };
        }

        return implode(', ', $sets);
    }

    private function query(RandomTable $table, Column $column): string
    {
        $other = $this->table();
        $outer = $this->choices->one($table->columns);

        return '(SELECT max(' . $this->like($other, $column) . ") FROM $other->name" . ($this->choices->happens(50)
            ? ''
            : ' WHERE ' . $this->like($other, $outer) . " = $table->name.$outer->name") . ')';
    }

    /** The name of a column whose values another can have. */
    private function like(RandomTable $table, Column $column): string
    {
        $alike = array_filter($table->columns, fn(Column $one): bool => $this->words->areAlike($one, $column));

        return $this->choices->one($alike === [] || $this->choices->happens($this->words->isStrict() ? 2 : 15)
            ? $table->columns
            : array_values($alike))->name;
    }

    private function delete(RandomTable $table): string
    {
        return "DELETE FROM $table->name" . ($this->choices->happens(96) ? ' WHERE ' . $this->where($table) : '')
            . $this->tail($table);
    }

    private function tail(RandomTable $table): string
    {
        $tails = $this->words->tails($table);

        return $tails !== [] && $this->choices->happens(5) ? $this->choices->one($tails) : '';
    }

    private function joined(RandomTable $table): string
    {
        $column = $this->choices->one($table->columns);
        $other = $this->table();

        $text = $this->choices->one($this->words->joined(
            $table->name,
            $column->name,
            $other->name,
            $this->like($other, $column),
        ));
        if (str_contains($text, '{sets}')) {
            return str_replace('{sets}', $this->sets($table), $text);
        }

        return str_contains($text, '{t.sets}') ? str_replace('{t.sets}', $this->sets($table, 't.'), $text) : $text;
    }

    private function where(RandomTable $table): string
    {
        $isKey = $table->key !== [] && $this->choices->happens(60);
        $column = ($isKey ? $table->column($table->key[0]) : null) ?? $this->choices->one($table->columns);
        $name = $column->name;
        $text = match ($this->choices->weighted(['equal' => 68, 'range' => 8, 'in' => 6, 'or' => 4, 'null' => 3,
            'function' => 3, 'query' => 4, 'rowid' => 3, 'not' => 1, 'condition' => 14,
            'trap' => 10])) {
            'range' => $name . $this->choices->one([' > ', ' <= ', ' <> ']) . $this->parameters->value($column),
            'in' => "$name IN (" . $this->parameters->value($column) . ', ' . $this->parameters->value($column) . ')',
            'or' => "$name = " . $this->parameters->value($column) . " OR $name = "
                . $this->parameters->value($column),
            'null' => $name . $this->choices->one($this->words->nulls()),
            'function' => "lower($name) = " . $this->parameters->value($column),
            'query' => $this->choices->happens(70)
                ? $this->within($column)
                : "$name = " . $this->query($table, $column),
            'rowid' => $table->hasRowid && $this->words->hidden() !== []
                ? 'rowid = ' . $this->choices->number(0, 5)
                : "$name = " . $this->parameters->value($column),
            'condition' => $this->conditions->condition([$table->name => $table], 1),
            'trap' => $this->conditions->trap([$table->name => $table], $name, $column),
            'not' => "NOT $name = " . $this->parameters->value($column),
            default => "$name = " . $this->parameters->value($column),
        };

        return $this->choices->happens(15)
            ? $text . ' AND ' . $this->choice($table)
            : $text;
    }

    private function within(Column $column): string
    {
        $other = $this->table();

        return "$column->name IN (SELECT " . $this->like($other, $column) . " FROM $other->name)";
    }

    private function choice(RandomTable $table): string
    {
        $column = $this->choices->one($table->columns);

        return $column->name . match ($this->choices->number(1, 3)) {
            1 => ' IS NOT NULL',
            2 => ' IS NULL',
            default => ' <> ' . $this->stored($column),
        };
    }

    private function stored(Column $column): string
    {
        $kind = $this->choices->weighted(['plain' => 86, 'value' => 10, 'called' => 4]);

        return match (true) {
            $kind === 'value' => $this->parameters->value($column),
            $kind === 'called' && $column->holdsIntegers() => 'abs(' . $this->parameters->plain($column) . ')',
            $kind === 'called' && $column->holdsText() => 'lower(' . $this->parameters->plain($column) . ')',
            default => $this->parameters->plain($column),
        };
    }

    private function schemaChange(): Command
    {
        $table = $this->choices->one($this->schema->realTables());

        return Command::run(new Query($this->choices->weighted($this->words->schemaChanges(
            $table,
            $this->choices->one($table->columns)->name,
            $this->choices->one($this->schema->tables),
            $this->choices->one($this->schema->realTables())->name,
            ++$this->made,
        ))));
    }

    private function table(): RandomTable
    {
        return $this->choices->happens(95)
            ? $this->choices->one($this->schema->realTables())
            : $this->choices->one($this->schema->tables);
    }
}
