<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

use Larder\Dependency\Name;
use Larder\Exception\UnknownName;
use Larder\Sql\Exception\InvalidRegistry;

/** A table as the registry declares it, or as the database's schema has it. */
final readonly class Table
{
    /** @var list<non-empty-list<string>> column names sorted within each set */
    public array $sets;

    /**
     * @param string                    $key     column whose value names a row; '': none does
     * @param array<string, ColumnType> $columns at least the key and every column of a set
     * @param list<list<string>> $sets column sets that queries compare by equality: [['category'], ['author']]
     * @param list<string>|null $allColumns all columns, in lower case, if the table was read from the schema; null: it
     *     is declared
     *
     * @throws InvalidRegistry
     */
    public function __construct(
        public string $name,
        public string $key,
        public array $columns,
        array $sets = [],
        public ?array $allColumns = null,
    ) {
        foreach ($allColumns === null ? [$name, ...array_keys($columns)] : [] as $identifier) {
            if (preg_match('/^[A-Za-z_][A-Za-z0-9_]{0,63}$/D', $identifier) !== 1) {
                throw InvalidRegistry::because(
                    \sprintf('"%s" is not a name of up to 64 letters, digits and _', $identifier),
                );
            }
        }
        $sorted = [];
        foreach ($sets as $set) {
            if ($set === []) {
                throw InvalidRegistry::because(\sprintf('%s has an empty column set', $name));
            }
            sort($set);
            $sorted[] = $set;
        }
        foreach ([...($key === '' ? [] : [$key]), ...array_merge(...$sorted)] as $column) {
            if (!\array_key_exists($column, $columns)) {
                throw InvalidRegistry::because(
                    \sprintf('%s.%s is used as key or in a set but has no type', $name, $column),
                );
            }
        }
        if (\count(
            array_unique(array_map(static fn(array $set): string => implode(',', $set), $sorted)),
        ) !== \count($sorted)) {
            throw InvalidRegistry::because(\sprintf('%s has the same column set twice', $name));
        }
        $this->sets = $sorted;
    }

    /** Whether somebody declared it. Otherwise it was read from the database's schema, and its sets are learned. */
    public function isDeclared(): bool
    {
        return $this->allColumns === null;
    }

    /**
     * @internal
     *
     * @param list<string> $sets columns with commas between them; a set with a column that has no type is left out
     */
    public function with(array $sets): self
    {
        $usable = [];
        foreach ($sets as $set) {
            $columns = explode(',', $set);
            if (array_diff($columns, array_keys($this->columns)) === []) {
                $usable[] = $columns;
            }
        }

        return $usable === []
            ? $this
            : new self($this->name, $this->key, $this->columns, $usable, $this->allColumns);
    }

    /** The whole table, if no column names its rows. */
    public function row(int|float|string|bool $key): Name
    {
        $canonical = $this->key === '' ? null : $this->columns[$this->key]->canonical($key);

        return $canonical === null ? $this->whole() : Name::row($this->name, $canonical);
    }

    /**
     * @param array<string, int|float|string|bool|null> $equal column to value; null is the read `IS NULL`
     *
     * @return Name the whole table, if the set could be learned and is not
     *
     * @throws UnknownName if the columns are no declared set
     */
    public function set(array $equal): Name
    {
        ksort($equal);
        if (!\in_array(array_keys($equal), $this->sets, true)) {
            if (!$this->isDeclared() && array_diff_key($equal, $this->columns) === []) {
                return $this->whole();
            }
            throw UnknownName::of(
                'column set',
                $this->name . '?' . implode('&', array_keys($equal)),
                $this->setNames(),
            );
        }
        $values = [];
        foreach ($equal as $column => $value) {
            $canonical = $value === null ? null : $this->columns[$column]->canonical($value);
            if ($value !== null && $canonical === null) {
                return $this->whole();
            }
            $values[$column] = $canonical;
        }

        return Name::set($this->name, $values);
    }

    public function whole(): Name
    {
        return Name::table($this->name);
    }

    public function all(): Name
    {
        return Name::all($this->name);
    }

    /** @return list<string> */
    public function setNames(): array
    {
        return array_map(fn(array $set): string => $this->name . '?' . implode('&', $set), $this->sets);
    }
}
