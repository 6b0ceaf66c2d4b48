<?php

declare(strict_types=1);

namespace Larder\Torture\Exact;

/** Makes random writes for SQLite, in transactions of all kinds and without one. Some fail. */
final class WriteMaker
{
    private Parameters $parameters;

    /** Makes names of what is made. */
    private int $made = 0;

    public function __construct(
        private readonly Choices $choices,
        private readonly Schema $schema,
    ) {
        $this->parameters = new Parameters($choices);
    }

    /** @return non-empty-list<Command> what a writer does until its transaction, if any, is over */
    public function make(): array
    {
        return match ($this->choices->weighted(['simple' => 50, 'alone' => 56, 'transaction' => 20, 'rolled back' => 4,
            'savepoints' => 8, 'several' => 3, 'prepared' => 5, 'schema' => 4])) {
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

    /** @return non-empty-list<Command> */
    private function transaction(bool $rollsBack): array
    {
        $commands = array_map($this->command(...), range(1, $this->choices->number(1, 4)));
        if ($this->choices->happens(5)) {
            $commands[] = $this->schemaChange();
        }
        if ($this->choices->happens(10)) {
            array_unshift($commands, Command::exec('PRAGMA defer_foreign_keys = ON'));
        }
        if ($this->choices->happens(10)) {
            array_unshift($commands, Command::exec('SELECT * FROM ' . $this->table()->name));
        }
        if ($this->choices->happens(50)) {
            $end = Command::of($rollsBack ? Action::RollBack : Action::Commit);

            return [Command::of(Action::Begin), ...$commands, $end];
        }

        return [
            Command::exec($this->choices->one(['BEGIN', 'BEGIN IMMEDIATE', 'begin exclusive transaction'])),
            ...$commands,
            Command::exec($this->choices->one($rollsBack ? ['ROLLBACK', 'rollback transaction'] : ['COMMIT', 'END'])),
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
            Command::exec('RELEASE one'),
            ...($isWithin ? [Command::of(Action::Commit)] : []),
        ];
    }

    /** @return non-empty-list<Command> */
    private function prepared(): array
    {
        $this->parameters = new Parameters($this->choices);
        $sql = $this->choices->happens(50) ? $this->update($this->table()) : $this->insert($this->table());
        $query = $this->parameters->query($sql);
        if ($query->binding === Binding::Text) {
            $query = new Query($query->sql, binding: Binding::BindValue);
        }
        $other = $this->parameters->query($sql);

        return [
            Command::of(Action::Prepare, $query),
            ...($this->choices->happens(40) ? [$this->schemaChange()] : []),
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
        $this->parameters = new Parameters($this->choices);
        $query = $this->parameters->query($this->statement());

        return $query->binding === Binding::Text && $this->choices->happens(50)
            ? Command::exec($query->sql)
            : Command::run($query);
    }

    /** A change of one row that is found by its key. */
    private function simple(): Command
    {
        $this->parameters = new Parameters($this->choices);
        $table = $this->choices->one($this->schema->realTables());
        $columns = array_values(array_filter(
            $table->written(),
            static fn(Column $column): bool => !\in_array($column->name, $table->key, true),
        ));
        $key = $table->column($table->key[0] ?? 'a') ?? $table->columns[0];
        $column = $columns === [] ? $key : $this->choices->one($columns);
        $sql = match ($this->choices->weighted(['update' => 60, 'insert' => 25, 'delete' => 15])) {
            'update' => "UPDATE $table->name SET $column->name = " . $this->parameters->plain($column)
                . " WHERE $key->name = " . $this->parameters->plain($key),
            'insert' => "INSERT INTO $table->name (" . implode(', ', array_column($columns, 'name')) . ') VALUES ('
                . implode(', ', array_map($this->parameters->plain(...), $columns)) . ')',
            default => "DELETE FROM $table->name WHERE $key->name = " . $this->parameters->plain($key),
        };

        return Command::run($this->parameters->query($sql));
    }

    private function text(): string
    {
        for ($tries = 0; $tries < 50; ++$tries) {
            $this->parameters = new Parameters($this->choices);
            $query = $this->parameters->query($this->statement());
            // One that returns rows is refused where it stands alone, so nothing can be compared.
            if ($query->values === [] && !str_contains($query->sql, ' RETURNING ')) {
                return $query->sql;
            }
        }

        return 'DELETE FROM ' . $this->table()->name;
    }

    private function statement(): string
    {
        $table = $this->table();

        return match ($this->choices->weighted(['insert' => 30, 'update' => 40, 'delete' => 20, 'with' => 3,
            'returning' => 4, 'strange' => 3])) {
            'insert' => $this->insert($table),
            'update' => $this->update($table),
            'with' => $this->with($table),
            'returning' => $this->choices->one([$this->update($table), $this->insert($table)])
                . ' RETURNING ' . $this->choices->one(['*', $table->columns[0]->name]),
            'strange' => $this->choices->one([
                "DELETE FROM $table->name WHERE 0", "/* a */ DELETE FROM \"$table->name\" -- all of them",
                "SELECT * FROM $table->name", "UPDATE $table->name SET nothing = 1", 'UPDATE sqlite_master SET sql = 1',
                "EXPLAIN DELETE FROM $table->name", "DELETE FROM main.$table->name INDEXED BY nothing",
            ]),
            default => $this->delete($table),
        };
    }

    private function insert(RandomTable $table): string
    {
        $verb = $this->choices->weighted(['INSERT INTO' => 60, 'INSERT OR IGNORE INTO' => 8, 'REPLACE INTO' => 8,
            'INSERT OR REPLACE INTO' => 10, 'INSERT OR ABORT INTO' => 2, 'INSERT OR FAIL INTO' => 4,
            'INSERT OR ROLLBACK INTO' => 2]);
        $all = $table->written();
        $columns = $this->choices->happens(60)
            ? $all
            : $this->choices->some($all, $this->choices->number(1, \count($all)));
        $names = $columns === $all && $this->choices->happens(30)
            ? ''
            : ' (' . implode(', ', array_column($columns, 'name')) . ')';
        if ($this->choices->happens(3)) {
            return "$verb $table->name DEFAULT VALUES";
        }
        if ($this->choices->happens(8)) {
            $source = $this->table();
            $list = implode(', ', array_map(
                fn(): string => $this->choices->one($source->columns)->name,
                $columns,
            ));

            return "$verb $table->name$names SELECT $list FROM $source->name WHERE " . $this->where($source)
                . ($this->choices->happens(20) ? ' ON CONFLICT DO NOTHING' : '');
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
        $target = $this->choices->one([
            '', $table->key === [] ? '' : ' (' . implode(', ', $table->key) . ')', ' (a)', ' (a, b)',
        ]);
        $column = $this->choices->one($table->written())->name;
        $where = $this->choices->happens(20) ? " WHERE $table->name.$column IS NOT NULL" : '';

        return " ON CONFLICT$target DO " . $this->choices->one([
            'NOTHING', "UPDATE SET $column = excluded.$column$where",
            "UPDATE SET a = 3$where", "UPDATE SET $column = $column || 1$where",
        ]);
    }

    private function update(RandomTable $table): string
    {
        $verb = $this->choices->weighted(['UPDATE' => 80, 'UPDATE OR IGNORE' => 6, 'UPDATE OR REPLACE' => 8,
            'UPDATE OR FAIL' => 4, 'UPDATE OR ROLLBACK' => 2]);
        $sets = [];
        foreach ($this->choices->some($table->written(), $this->choices->happens(70) ? 1 : 2) as $column) {
            $isKey = \in_array($column->name, $table->key, true);
            if ($isKey && $this->choices->happens(60)) {
                $column = $table->written()[\count($table->written()) - 1] ?? $column;
            }
            $sets[] = "$column->name = " . match ($this->choices->weighted(['value' => 75, 'added' => 10, 'other' => 8,
                'query' => 4, 'text' => 3])) {
                'added' => "$column->name + 1",
                'other' => $this->choices->one($table->columns)->name,
                'query' => '(SELECT max(a) FROM ' . $this->table()->name . ')',
                'text' => "lower($column->name)",
                default => $this->stored($column),
            };
        }
        if ($this->choices->happens(4)) {
            $sets = ['(a, b) = (' . $this->choices->one(['1, 2', "'a', 'b'", 'b, a']) . ')'];
        }
        $alias = $this->choices->happens(6) ? ' AS u' : '';
        $from = '';
        if ($this->choices->happens(5)) {
            $other = $this->table();
            $from = " FROM $other->name f";
            $link = ($alias === '' ? $table->name : 'u') . '.' . $this->choices->one($table->columns)->name;

            return "$verb $table->name$alias SET " . implode(', ', $sets) . "$from WHERE f."
                . $this->choices->one($other->columns)->name . " = $link";
        }
        $where = $this->choices->happens(93) ? ' WHERE ' . $this->where($table) : '';

        return "$verb $table->name$alias SET " . implode(', ', $sets) . $where;
    }

    private function delete(RandomTable $table): string
    {
        return "DELETE FROM $table->name" . ($this->choices->happens(96) ? ' WHERE ' . $this->where($table) : '');
    }

    private function with(RandomTable $table): string
    {
        $column = $this->choices->one($table->columns)->name;
        $other = $this->table();
        $from = $this->choices->one($other->columns)->name;

        return "WITH x AS (SELECT $from AS v FROM $other->name WHERE " . $this->where($other) . ') '
            . $this->choices->one([
                "DELETE FROM $table->name WHERE $column IN (SELECT v FROM x)",
                "UPDATE $table->name SET a = 5 WHERE $column IN x",
                "INSERT INTO $table->name ($column) SELECT v FROM x",
            ]);
    }

    private function where(RandomTable $table): string
    {
        $isKey = $table->key !== [] && $this->choices->happens(60);
        $column = ($isKey ? $table->column($table->key[0]) : null) ?? $this->choices->one($table->columns);
        $name = $column->name;
        $text = match ($this->choices->weighted(['equal' => 68, 'range' => 8, 'in' => 6, 'or' => 4, 'null' => 3,
            'function' => 3, 'query' => 4, 'rowid' => 3, 'not' => 1])) {
            'range' => $name . $this->choices->one([' > ', ' <= ', ' <> ']) . $this->parameters->value($column),
            'in' => "$name IN (" . $this->parameters->value($column) . ', ' . $this->parameters->value($column) . ')',
            'or' => "$name = " . $this->parameters->value($column) . " OR $name = 1",
            'null' => "$name IS NULL",
            'function' => "lower($name) = " . $this->parameters->value($column),
            'query' => "$name IN (SELECT " . $this->choices->one($table->columns)->name . ' FROM '
                . $this->table()->name . ')',
            'rowid' => $table->hasRowid ? 'rowid = ' . $this->choices->number(0, 5) : "$name = 1",
            'not' => "NOT $name = " . $this->parameters->value($column),
            default => "$name = " . $this->parameters->value($column),
        };

        return $this->choices->happens(15)
            ? $text . ' AND ' . $this->choice($table)
            : $text;
    }

    private function choice(RandomTable $table): string
    {
        $column = $this->choices->one($table->columns);

        return "$column->name " . $this->choices->one(['IS NOT NULL', '<> 3', "LIKE 'a%'", 'IS NOT 2']);
    }

    private function stored(Column $column): string
    {
        return $this->choices->happens(10) ? $this->parameters->value($column) : $this->parameters->plain($column);
    }

    private function schemaChange(): Command
    {
        $table = $this->choices->one($this->schema->realTables());
        $column = $this->choices->one($table->columns)->name;
        $number = ++$this->made;
        $view = $this->choices->one($this->schema->tables);

        return Command::exec(match ($this->choices->weighted(['index' => 25, 'add' => 20, 'rename' => 8, 'column' => 8,
            'drop' => 6, 'view' => 10, 'trigger' => 12, 'pragma' => 8, 'analyze' => 3])) {
            'index' => $this->choices->one([
                "CREATE INDEX new$number ON $table->name ($column)",
                "CREATE UNIQUE INDEX new$number ON $table->name ($column)",
                'DROP INDEX new' . ($number - 1),
            ]),
            'add' => "ALTER TABLE $table->name ADD COLUMN n$number INTEGER DEFAULT 4",
            'rename' => "ALTER TABLE $table->name RENAME TO renamed$number",
            'column' => "ALTER TABLE $table->name RENAME COLUMN $column TO r$number",
            'drop' => $this->choices->one(["DROP TABLE $table->name", "ALTER TABLE $table->name DROP COLUMN $column"]),
            'view' => $view->isView
                ? "DROP VIEW $view->name"
                : "CREATE VIEW made$number AS SELECT * FROM $table->name",
            'trigger' => "CREATE TRIGGER made$number AFTER UPDATE ON $table->name BEGIN UPDATE "
                . $this->choices->one($this->schema->realTables())->name . ' SET a = 7; END',
            'analyze' => 'ANALYZE',
            default => $this->choices->one(['PRAGMA foreign_keys = OFF', 'PRAGMA foreign_keys = ON',
                'PRAGMA recursive_triggers = ON']),
        });
    }

    private function table(): RandomTable
    {
        return $this->choices->happens(95)
            ? $this->choices->one($this->schema->realTables())
            : $this->choices->one($this->schema->tables);
    }
}
