<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

/** Makes random schemas for SQLite: all kinds of keys, types, constraints, triggers and views. */
final readonly class SchemaMaker
{
    /** Of 100 schemas, those whose changes can be followed row by row. */
    private const PLAIN = 50;

    private const NAMES = ['item', 'tag', 'node', 'Word', 'log', 'entry'];
    private const TYPES = [
        'INTEGER' => 30, 'INT' => 10, 'TEXT' => 25, 'VARCHAR(10)' => 8, 'REAL' => 5, 'NUMERIC' => 5,
        'DECIMAL(5,2)' => 2, 'BLOB' => 3, '' => 4, 'STRING' => 2, 'BOOLEAN' => 2, 'DATETIME' => 2,
        'FLOATING POINT' => 1, 'CHARINT' => 1,
    ];
    private const ACTIONS = ['CASCADE', 'CASCADE', 'SET NULL', 'SET DEFAULT', 'RESTRICT', 'NO ACTION'];

    private Values $values;

    private bool $isPlain;

    public function __construct(private Choices $choices)
    {
        $this->values = new Values($choices, new SqliteWords());
        $this->isPlain = $choices->happens(self::PLAIN);
    }

    public function make(): Schema
    {
        $names = $this->choices->some(self::NAMES, $this->choices->number(3, 6));
        $tables = $statements = [];
        foreach ($names as $name) {
            [$tables[], $statements[]] = $this->table($name, $tables);
        }
        foreach ($tables as $table) {
            for ($i = $this->choices->number(4, 12); $i > 0; --$i) {
                $statements[] = $this->row($table);
            }
        }
        $real = $tables;
        for ($i = $this->choices->number(0, 2); $i > 0; --$i) {
            [$tables[], $statements[]] = $this->view('view' . $i, $this->choices->one($real));
        }
        foreach ($real as $table) {
            $statements = [...$statements, ...$this->indexes($table)];
        }
        for ($i = !$this->isPlain && $this->choices->happens(75) ? $this->choices->number(1, 2) : 0; $i > 0; --$i) {
            $statements[] = $this->trigger('on' . $i, $this->choices->one($tables), $real);
        }
        $pragmas = [
            'PRAGMA foreign_keys = ' . ($this->choices->happens(85) ? 'ON' : 'OFF'),
            'PRAGMA recursive_triggers = ' . ($this->choices->happens(15) ? 'ON' : 'OFF'),
        ];

        return new Schema($tables === [] ? [$this->table('item', [])[0]] : $tables, $statements, $pragmas);
    }

    /**
     * @param list<RandomTable> $earlier
     *
     * @return array{RandomTable, string}
     */
    private function table(string $name, array $earlier): array
    {
        [$key, $declared, $constraint] = $this->key();
        $columns = $key;
        // The last one is found without its table's name before it.
        foreach (\array_slice(['a', 'b', 'c', "d_$name"], 0, $this->choices->number(2, 4)) as $column) {
            $columns[] = $made = $this->column($column);
            $declared[] = $made->declared() . $this->constraints($made);
        }
        if ($this->choices->happens(8)) {
            $columns[] = $made = new Column('g', 'INTEGER', isMade: true);
            $declared[] = $made->declared() . ' AS (' . $this->choices->one(['a', 'a + 1', 'length(b)', 'a || b'])
                . ') ' . $this->choices->one(['STORED', 'VIRTUAL']);
        }
        foreach ($earlier as $referred) {
            if ($this->choices->happens($this->isPlain ? 15 : 30)) {
                $declared[] = $this->reference($columns, $referred);
            }
        }
        if ($this->choices->happens(10)) {
            $declared[] = 'UNIQUE (a, b)' . $this->conflict();
        }
        $withoutRowid = $constraint !== null && $this->choices->happens(30);
        $names = array_column($key, 'name');
        $sql = \sprintf(
            'CREATE TABLE %s (%s%s)%s',
            $name,
            implode(', ', $declared),
            $constraint ?? '',
            $withoutRowid ? ' WITHOUT ROWID' : '',
        );

        return [new RandomTable($name, $columns, $constraint === null && $key !== [] ? ['id'] : $names, !$withoutRowid),
            $sql];
    }

    /**
     * @return array{list<Column>, list<string>, string|null} columns, as they are declared, and what stands behind all
     *     columns; null: the table cannot be without rowids
     */
    private function key(): array
    {
        $kind = $this->isPlain ? $this->choices->one(['rowid', 'rowid', 'rowid', 'text']) : $this->choices->weighted([
            'rowid' => 48, 'text' => 16, 'nocase' => 6, 'int' => 6, 'desc' => 2, 'composite' => 10, 'none' => 12,
        ]);
        $id = new Column('id', 'INTEGER');

        return match ($kind) {
            'rowid' => [
                [$id],
                ['id INTEGER PRIMARY KEY' . $this->choices->one(['', '', '', ' AUTOINCREMENT', $this->conflict()])],
                null,
            ],
            'text' => [[new Column('id', 'TEXT')], ['id TEXT PRIMARY KEY' . $this->conflict()], ''],
            'nocase' => [
                [new Column('id', 'TEXT', 'NOCASE')],
                ['id TEXT COLLATE NOCASE PRIMARY KEY'],
                '',
            ],
            'int' => [[new Column('id', 'INT')], ['id INT NOT NULL PRIMARY KEY'], ''],
            'desc' => [[$id], ['id INTEGER PRIMARY KEY DESC'], ''],
            'composite' => [
                [$id, new Column('k', 'TEXT')],
                ['id INTEGER NOT NULL', 'k TEXT NOT NULL'],
                ', PRIMARY KEY (id, k)' . $this->conflict(),
            ],
            default => [[], [], null],
        };
    }

    private function column(string $name): Column
    {
        $type = $this->choices->weighted(self::TYPES);
        $isText = preg_match('/TEXT|VARCHAR/', $type) === 1;
        $collation = $this->choices->weighted(['' => 70, 'NOCASE' => 20, 'RTRIM' => 5, 'BINARY' => 5]);

        return new Column($name, $type, $isText || $this->choices->happens(5) ? $collation : '');
    }

    private function constraints(Column $column): string
    {
        return match ($this->isPlain ? 'none' : $this->choices->weighted(['none' => 62, 'unique' => 10,
            'default' => 14, 'not null' => 8, 'replace' => 3, 'check' => 3])) {
            'unique' => ' UNIQUE' . $this->conflict(),
            'default' => ' DEFAULT ' . $this->values->ordinary($column),
            'not null' => ' NOT NULL DEFAULT ' . $this->choices->one(['0', "'a'"]),
            'replace' => " NOT NULL ON CONFLICT REPLACE DEFAULT '1'",
            'check' => " CHECK ($column->name IS NULL OR $column->name <> 6)",
            default => '',
        };
    }

    private function conflict(): string
    {
        return $this->isPlain ? '' : $this->choices->weighted([
            '' => 80, ' ON CONFLICT REPLACE' => 12, ' ON CONFLICT IGNORE' => 5, ' ON CONFLICT FAIL' => 3,
        ]);
    }

    /** @param list<Column> $columns */
    private function reference(array $columns, RandomTable $referred): string
    {
        $isKey = \count($referred->key) === 1;

        return \sprintf(
            'FOREIGN KEY (%s) REFERENCES %s%s ON DELETE %s ON UPDATE %s%s',
            $this->choices->one(array_column($columns, 'name')),
            $referred->name,
            $isKey && $this->choices->happens(60) ? '' : ' (' . ($isKey ? $referred->key[0] : 'a') . ')',
            $this->choices->one(self::ACTIONS),
            $this->choices->one(self::ACTIONS),
            $this->choices->happens(20) ? ' DEFERRABLE INITIALLY DEFERRED' : '',
        );
    }

    private function row(RandomTable $table): string
    {
        $columns = $table->written();

        return \sprintf(
            'INSERT OR IGNORE INTO %s (%s) VALUES (%s)',
            $table->name,
            implode(', ', array_column($columns, 'name')),
            implode(', ', array_map($this->values->ordinary(...), $columns)),
        );
    }

    /** @return list<string> */
    private function indexes(RandomTable $table): array
    {
        $indexes = [];
        $column = $this->choices->one(array_column($table->columns, 'name'));
        $other = $this->choices->one(array_column($table->columns, 'name'));
        foreach ([
            "($column)" => 15,
            "($column, $other DESC)" => 5,
            "(lower($column))" => 4,
            "($column) WHERE $other IS NOT NULL" => 6,
            "($column COLLATE NOCASE)" => 4,
        ] as $on => $percent) {
            if ($this->choices->happens($percent)) {
                $indexes[] = \sprintf(
                    'CREATE %sINDEX by_%s_%d ON %s %s',
                    $this->choices->happens(10) ? 'UNIQUE ' : '',
                    $table->name,
                    \count($indexes),
                    $table->name,
                    $on,
                );
            }
        }

        return $indexes;
    }

    /** @return array{RandomTable, string} */
    private function view(string $name, RandomTable $of): array
    {
        $columns = array_map(
            static fn(Column $column): Column => new Column($column->name, $column->type, $column->collation),
            $this->choices->some($of->columns, $this->choices->number(1, 3)),
        );
        $where = $this->choices->one(['', '', ' WHERE ' . $columns[0]->name . ' IS NOT NULL',
            ' WHERE ' . $columns[0]->name . ' = ' . $this->values->ordinary($columns[0])]);

        return [
            new RandomTable($name, $columns, [], false, true),
            \sprintf(
                'CREATE VIEW %s AS SELECT %s FROM %s%s',
                $name,
                implode(', ', array_column($columns, 'name')),
                $of->name,
                $where,
            ),
        ];
    }

    /** @param list<RandomTable> $tables */
    private function trigger(string $name, RandomTable $on, array $tables): string
    {
        $event = $this->choices->one(['INSERT', 'UPDATE', 'UPDATE OF ' . $on->columns[0]->name, 'DELETE']);
        $row = $event === 'INSERT' ? 'NEW' : 'OLD';
        $body = [];
        for ($i = $this->choices->number(1, 2); $i > 0; --$i) {
            $target = $this->choices->happens(20) && !$on->isView ? $on : $this->choices->one($tables);
            $column = $this->choices->one($target->written())->name;
            $source = $row . '.' . $this->choices->one($on->columns)->name;
            $body[] = match ($this->choices->weighted(['update' => 40, 'insert' => 25, 'delete' => 25, 'raise' => 5,
                'replace' => 5])) {
                'update' => "UPDATE $target->name SET $column = " . $this->choices->one([$source, '3', "$column + 1"])
                    . ($this->choices->happens(50) ? '' : ' WHERE ' . $this->choices->one($target->columns)->name
                    . " = $source"),
                'insert' => "INSERT OR IGNORE INTO $target->name ($column) VALUES ($source)",
                'replace' => "REPLACE INTO $target->name ($column) VALUES ($source)",
                'delete' => "DELETE FROM $target->name WHERE $column = $source",
                default => "SELECT RAISE(IGNORE) WHERE $source = 3",
            } . ';';
        }

        return \sprintf(
            'CREATE TRIGGER %s %s %s ON %s%s BEGIN %s END',
            $name,
            $on->isView ? 'INSTEAD OF' : $this->choices->one(['AFTER', 'AFTER', 'BEFORE']),
            $event,
            $on->name,
            $this->choices->happens(30) ? " FOR EACH ROW WHEN $row.{$on->columns[0]->name} <> 2" : '',
            implode(' ', $body),
        );
    }
}
