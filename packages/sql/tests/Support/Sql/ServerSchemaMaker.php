<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

/** Makes random schemas for a server. A statement that fails is left out: a foreign key that the rows do not allow. */
final readonly class ServerSchemaMaker
{
    /** Of 100 schemas, those whose changes can be followed row by row. */
    private const PLAIN = 50;

    private const NAMES = ['item', 'tag', 'node', 'word', 'log', 'entry'];
    private const ACTIONS = ['CASCADE', 'CASCADE', 'SET NULL', 'SET DEFAULT', 'RESTRICT', 'NO ACTION'];

    private Values $values;

    private bool $isPlain;

    public function __construct(
        private Choices $choices,
        private ServerTables $kind,
    ) {
        $this->values = new Values($choices, $kind->words());
        $this->isPlain = $choices->happens(self::PLAIN);
    }

    public function make(): Schema
    {
        $tables = $keys = $statements = [];
        foreach ($this->choices->some(self::NAMES, $this->choices->number(3, 6)) as $name) {
            [$tables[], $statements[], $references] = $this->table($name, $tables);
            $keys = [...$keys, ...$references];
        }
        $real = $tables === [] ? [$this->table('item', [])[0]] : $tables;
        $tables = $real;
        $statements = [...$this->kind->first(), ...$statements, ...$keys];
        foreach ($real as $table) {
            for ($i = $this->choices->number(8, 16); $i > 0; --$i) {
                $statements[] = $this->row($table);
            }
        }
        for ($i = $this->choices->number(0, 2); $i > 0; --$i) {
            [$tables[], $statements[]] = $this->view('view' . $i, $this->choices->one($tables));
        }
        foreach ($real as $table) {
            $columns = array_column($table->columns, 'name');
            $indexes = $this->kind->indexes($table, $this->choices->one($columns), $this->choices->one($columns));
            $statements = [...$statements, ...array_filter($indexes, fn(): bool => $this->choices->happens(8))];
        }
        array_push($statements, ...$this->kind->routines($this->choices->one($real), $this->choices->one($real)));
        for ($i = !$this->isPlain && $this->choices->happens(75) ? $this->choices->number(1, 2) : 0; $i > 0; --$i) {
            array_push($statements, ...$this->kind->trigger('on' . $i, $this->choices->one($real), $real));
        }

        return new Schema($tables, $statements, $this->kind->settings());
    }

    /**
     * @param list<RandomTable> $earlier
     *
     * @return array{RandomTable, string, list<string>} the table, the statement and those of its foreign keys
     */
    private function table(string $name, array $earlier): array
    {
        [$key, $declared, $constraint] = $this->kind->key($this->isPlain);
        $columns = $key;
        // The last one is found without its table's name before it.
        foreach (\array_slice(['a', 'b', 'c', "d_$name"], 0, $this->choices->number(2, 4)) as $column) {
            $columns[] = $made = $this->kind->column($column);
            $declared[] = $this->kind->declared($made) . $this->constraints($made);
        }
        if ($this->choices->happens(8)) {
            $columns[] = new Column('g', 'INTEGER', isMade: true);
            $declared[] = $this->kind->generated('g');
        }
        $references = [];
        foreach ($earlier as $n => $referred) {
            $id = $referred->column($referred->key[0] ?? '');
            if ($id !== null && \count($referred->key) === 1 && $this->choices->happens($this->isPlain ? 20 : 35)) {
                $columns[] = $made = new Column("r$n", $id->type, $id->collation);
                $declared[] = $this->kind->declared($made)
                    . ($this->choices->happens(20) ? ' DEFAULT ' . $this->values->ordinary($made) : '');
                $references[] = $this->reference($name, "r$n", "$referred->name ({$referred->key[0]})");
            }
        }
        $names = array_column($key, 'name');
        if (!$this->isPlain && \count($names) === 1 && $key[0]->type !== '' && $this->choices->happens(8)) {
            $columns[] = $made = new Column('up', $key[0]->type, $key[0]->collation);
            $declared[] = $this->kind->declared($made);
            $references[] = $this->reference($name, 'up', "$name ($names[0])");
        }
        if (!$this->isPlain && $this->choices->happens(10)) {
            $declared[] = 'UNIQUE (a, b)';
        }
        $sql = \sprintf(
            'CREATE TABLE %s (%s%s)%s',
            $name,
            implode(', ', $declared),
            $constraint,
            $this->kind->options(),
        );

        return [new RandomTable($name, $columns, $names), $sql, $references];
    }

    private function reference(string $table, string $column, string $referred): string
    {
        return \sprintf(
            'ALTER TABLE %s ADD CONSTRAINT fk_%s_%s FOREIGN KEY (%s) REFERENCES %s ON DELETE %s ON UPDATE %s%s',
            $table,
            $table,
            $column,
            $column,
            $referred,
            $this->choices->one(self::ACTIONS),
            $this->choices->one(self::ACTIONS),
            $this->choices->happens(20) ? $this->kind->deferral() : '',
        );
    }

    private function constraints(Column $column): string
    {
        return match ($this->isPlain ? 'none' : $this->choices->weighted(['none' => 66, 'unique' => 10,
            'default' => 14, 'not null' => 6, 'check' => 4])) {
            'unique' => ' UNIQUE',
            'default' => ' DEFAULT ' . $this->values->ordinary($column),
            'not null' => ' NOT NULL DEFAULT ' . $this->kind->words()->literals($column)[0],
            'check' => " CHECK ($column->name IS NULL OR $column->name <> "
                . $this->kind->words()->literals($column)[0] . ')',
            default => '',
        };
    }

    private function row(RandomTable $table): string
    {
        $columns = $table->written();

        return \sprintf(
            'INSERT INTO %s (%s) VALUES (%s)',
            $table->name,
            implode(', ', array_column($columns, 'name')),
            implode(', ', array_map($this->values->ordinary(...), $columns)),
        );
    }

    /** @return array{RandomTable, string} */
    private function view(string $name, RandomTable $of): array
    {
        $columns = array_map(
            static fn(Column $column): Column => new Column($column->name, $column->type, $column->collation),
            $this->choices->some($of->columns, $this->choices->number(1, 3)),
        );
        $where = $this->choices->one(['', '', ' WHERE ' . $columns[0]->name . ' IS NOT NULL',
            ' WHERE ' . $columns[0]->name . ' = ' . $this->kind->words()->literals($columns[0])[0]]);

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
}
