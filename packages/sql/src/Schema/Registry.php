<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

use Larder\Dependency\Name;
use Larder\Dependency\Names;
use Larder\Exception\UnknownName;
use Larder\Sql\Exception\InvalidRegistry;

/**
 * The tables, keys, column types and column sets that may be named. The error for any other name lists similar ones.
 *
 * That of a connection also has the database's other tables, as the schema has them in its transaction, with the sets
 * that were learned.
 */
final class Registry implements Names
{
    /** @var array<string, Table> the declared ones by name in lower case, as SQL compares names */
    private readonly array $tables;

    private ?Schema $schema = null;

    /** @throws InvalidRegistry */
    public function __construct(Table ...$tables)
    {
        $byName = [];
        foreach ($tables as $table) {
            $name = strtolower($table->name);
            if (isset($byName[$name])) {
                throw InvalidRegistry::because(\sprintf('table %s is declared twice', $table->name));
            }
            $byName[$name] = $table;
        }
        ksort($byName);
        $this->tables = $byName;
    }

    /** @internal The same declarations, with the other tables of a database. */
    public function over(Schema $schema): self
    {
        $registry = clone $this;
        $registry->schema = $schema;

        return $registry;
    }

    /** @internal The database's schema, of which the undeclared tables are; null: there are none. */
    public function schema(): ?Schema
    {
        return $this->schema;
    }

    /** @internal A number that is another one once find() may answer otherwise than before. */
    public function state(): int
    {
        return $this->schema?->state() ?? 0;
    }

    /** @throws UnknownName */
    public function get(string $table): Table
    {
        $found = $this->find($table);
        $failure = $found === null ? $this->schema?->failure() : null;

        return $found ?? throw ($failure === null
            ? UnknownName::of('table', $table, array_column($this->tables(), 'name'))
            : UnknownName::unread($table, $failure));
    }

    public function find(string $table): ?Table
    {
        $name = strtolower($table);

        return $this->tables[$name] ?? $this->schema?->table($name);
    }

    /**
     * @internal The tables that a view of the database reads.
     *
     * @return list<Table>|null null: it is no view, or what it shows depends on more than tables
     */
    public function bases(string $view): ?array
    {
        $bases = $this->schema?->bases(strtolower($view));

        return $bases === null ? null : array_values(array_filter(array_map($this->find(...), $bases)));
    }

    /** @return list<Table> those of the database too */
    public function tables(): array
    {
        return [...$this->declared(), ...$this->undeclared()];
    }

    /** @return list<Table> */
    public function declared(): array
    {
        return array_values($this->tables);
    }

    /** @return list<Table> those that only the database's schema has */
    public function undeclared(): array
    {
        $others = array_diff($this->schema?->names() ?? [], array_keys($this->tables));

        return array_values(array_filter(array_map(fn(string $name): ?Table => $this->schema?->table($name), $others)));
    }

    /**
     * The name of one row, by its key.
     *
     * @throws UnknownName
     */
    public function row(string $table, int|float|string|bool $key): Name
    {
        return $this->get($table)->row($key);
    }

    /**
     * The name of all rows with these values, such as `['category' => 'net']`.
     *
     * @param array<string, int|float|string|bool|null> $equal the columns of one declared set, with their values
     *
     * @throws UnknownName
     */
    public function set(string $table, array $equal): Name
    {
        return $this->get($table)->set($equal);
    }

    /**
     * The name of a whole table.
     *
     * @throws UnknownName
     */
    public function table(string $table): Name
    {
        return $this->get($table)->whole();
    }

    /** @throws UnknownName */
    public function all(string $table): Name
    {
        return $this->get($table)->all();
    }

    /**
     * Reads a name as people write it: `news:4`, `news?category=net`, `news`, `news!`. Values are percent-encoded.
     *
     * @throws UnknownName
     */
    public function parse(string $name): Name
    {
        if (preg_match(
            '/^([A-Za-z_][A-Za-z0-9_]*)(?:(!)|:(.+)|\?(.+))?$/Ds',
            $name,
            $matches,
            PREG_UNMATCHED_AS_NULL,
        ) !== 1) {
            throw UnknownName::malformed($name);
        }
        [, $table, $all, $key, $equal] = $matches + [4 => null];
        $table = $this->get($table);
        if ($key !== null) {
            return $table->row(rawurldecode($key));
        }
        if ($equal === null) {
            return $all === null ? $table->whole() : $table->all();
        }
        $values = [];
        foreach (explode('&', $equal) as $pair) {
            [$column, $value] = explode('=', $pair, 2) + [1 => null];
            $values[$column] = $value === null ? null : rawurldecode($value);
        }

        return $table->set($values);
    }

    /**
     * A name as a caller wrote it. What begins with # is a word of the application's own, such as `#front page`. A
     * registry that declares no table takes any word, also one that names a table of the database.
     *
     * @throws UnknownName
     */
    public function name(string|Name $name): Name
    {
        return match (true) {
            $name instanceof Name => $name,
            $this->tables === [], str_starts_with($name, Name::WORD) => Name::word($name),
            default => $this->parse($name),
        };
    }

    /**
     * @internal A name as name() makes it, and what it says of a table of the database, if it is a word. Then whoever
     * knows the table and whoever does not agree on one name at least.
     *
     * @return non-empty-list<Name>
     *
     * @throws UnknownName
     */
    public function named(string|Name $name): array
    {
        $name = $this->name($name);
        if ($name->table !== '' || $this->schema === null || str_starts_with($name->name, Name::WORD)) {
            return [$name];
        }
        try {
            return [$name, $this->parse($name->name)];
        } catch (UnknownName) {
            return [$name];
        }
    }

    /** @internal Makes a name of its text, as a Name gave it. */
    public function of(string $text): Name
    {
        $name = Name::of($text);

        return str_starts_with($text, Name::WORD) || ($this->tables === [] && $this->find($name->table) === null)
            ? Name::word($text)
            : $name;
    }

    /**
     * What a read of these names depends on: the names, and `news!` for each of their tables.
     *
     * @param array<string|Name> $names
     *
     * @return list<Name> each once
     *
     * @throws UnknownName
     */
    public function reads(array $names): array
    {
        $reads = [];
        foreach (array_merge(...array_map($this->named(...), array_values($names))) as $name) {
            // A word and what it says of a table can have the same text.
            $reads[$name->name] = $name;
            if ($name->table !== '') {
                $all = Name::all($name->table);
                $reads[$all->name] = $all;
            }
        }

        return array_values($reads);
    }

    /**
     * The hash is equal for equal declarations. A process with another one stores nothing; its changes count as bulk.
     * What the database itself says is not in it: it is the same for all.
     */
    public function hash(): string
    {
        $declared = [];
        foreach ($this->tables as $name => $table) {
            $columns = array_map(static fn(ColumnType $type): string => $type->value, $table->columns);
            ksort($columns);
            $sets = array_map(static fn(array $set): string => implode(',', $set), $table->sets);
            sort($sets);
            $declared[$name] = [$table->key, $columns, $sets];
        }

        return hash('xxh128', json_encode($declared, JSON_THROW_ON_ERROR));
    }
}
