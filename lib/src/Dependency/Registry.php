<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Larder\Exception\InvalidRegistry;
use Larder\Exception\UnknownName;

/**
 * The tables, keys, column types and column sets that may be named. The error for any other name lists similar ones.
 */
final readonly class Registry
{
    /** @var array<string, Table> by name in lower case, as SQL compares names */
    private array $tables;

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

    /** @throws UnknownName */
    public function get(string $table): Table
    {
        return $this->find($table) ?? throw UnknownName::of('table', $table, array_column($this->tables, 'name'));
    }

    public function find(string $table): ?Table
    {
        return $this->tables[strtolower($table)] ?? null;
    }

    /** @return list<Table> */
    public function tables(): array
    {
        return array_values($this->tables);
    }

    /**
     * The name of one row, by its key.
     *
     * @throws UnknownName
     */
    public function row(string $table, int|float|string|bool $key): Dependency
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
    public function set(string $table, array $equal): Dependency
    {
        return $this->get($table)->set($equal);
    }

    /**
     * The name of a whole table.
     *
     * @throws UnknownName
     */
    public function table(string $table): Dependency
    {
        return $this->get($table)->whole();
    }

    /** @throws UnknownName */
    public function all(string $table): Dependency
    {
        return $this->get($table)->all();
    }

    /**
     * Reads a name as people write it: `news:4`, `news?category=net`, `news`, `news!`. Values are percent-encoded.
     *
     * @throws UnknownName
     */
    public function parse(string $name): Dependency
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
     * registry that declares no table takes any word.
     *
     * @throws UnknownName
     */
    public function name(string|Dependency $name): Dependency
    {
        return match (true) {
            $name instanceof Dependency => $name,
            $this->tables === [], str_starts_with($name, Dependency::WORD) => Dependency::word($name),
            default => $this->parse($name),
        };
    }

    /** @internal Makes a name of its text, as a Dependency gave it. */
    public function of(string $text): Dependency
    {
        return $this->tables === [] || str_starts_with($text, Dependency::WORD)
            ? Dependency::word($text)
            : Dependency::of($text);
    }

    /**
     * What a read of these names depends on: the names, and `news!` for each of their tables.
     *
     * @param array<string|Dependency> $names
     *
     * @return list<Dependency> each once
     *
     * @throws UnknownName
     */
    public function reads(array $names): array
    {
        $reads = [];
        foreach ($names as $name) {
            $name = $this->name($name);
            $reads[$name->name] = $name;
            if ($name->table !== '') {
                $all = Dependency::all($name->table);
                $reads[$all->name] = $all;
            }
        }

        return array_values($reads);
    }

    /**
     * The hash is equal for equal declarations. A process with another one stores nothing; its changes count as bulk.
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
