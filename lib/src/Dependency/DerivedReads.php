<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;
use Larder\Dependency\Sql\Constant;
use Larder\Dependency\Sql\Equality;
use Larder\Dependency\Sql\Parser;
use Larder\Dependency\Sql\Query;
use Larder\Dependency\Sql\Select;

/**
 * @internal What a statement reads of declared tables: rows and sets where its own equalities narrow a table, else all
 * of it. Made once per statement and state of the registry; the values are those of one execution.
 */
final readonly class DerivedReads
{
    /** Columns of a set that is worth to be declared. */
    private const WIDEST_SET = 4;

    /**
     * @param list<array{Table, array<string, list<non-empty-list<Constant>>>}> $uses   constants by declared column
     * @param array<string, Table|null>                                         $tables by name in lower case
     */
    private function __construct(
        private array $uses,
        private array $tables,
    ) {}

    /** @return self|null null: a common table has the name of a declared table */
    public static function of(Query $query, Registry $registry): ?self
    {
        foreach ($query->common as $name) {
            if ($registry->find($name) !== null) {
                return null;
            }
        }
        $tables = [];
        foreach ([...$query->tables(), ...$query->common] as $name) {
            $tables[$name] = $registry->find($name);
        }
        $uses = [];
        foreach ($query->whole as $name) {
            $table = $tables[$name] ?? null;
            if ($table !== null) {
                $uses[] = [$table, []];
            }
        }
        foreach ($query->selects as $select) {
            $uses = [...$uses, ...self::ofSelect($select, $tables)];
        }

        return new self($uses, $tables);
    }

    /** Whether the registry has the same tables as it had then. */
    public function isOf(Registry $registry): bool
    {
        foreach ($this->tables as $name => $table) {
            if ($registry->find($name) !== $table) {
                return false;
            }
        }

        return true;
    }

    /**
     * @param Closure(int, string|null): (array{int|string|null}|null)|null $sent    of RecordingStatement; null: there
     *     are no parameters
     * @param list<string>                                                  $covered tables to leave out, in lower case
     *
     * @return list<Dependency>
     */
    public function names(?Closure $sent = null, array $covered = []): array
    {
        $names = [];
        foreach ($this->uses as [$table, $constants]) {
            if ($covered === [] || !\in_array(strtolower($table->name), $covered, true)) {
                foreach (self::ofUse($table, self::known($table, $constants, $sent)) as $name) {
                    $names[] = $name;
                }
            }
        }

        return $names;
    }

    /**
     * The column sets that would have made a name narrower, and are not declared.
     *
     * @param Closure(int, string|null): (array{int|string|null}|null)|null $sent    of RecordingStatement
     * @param list<string>                                                  $covered tables to leave out, in lower case
     *
     * @return array<string, list<non-empty-list<string>>> sorted columns by table
     */
    public function wanted(?Closure $sent = null, array $covered = []): array
    {
        $wanted = [];
        foreach ($this->uses as [$table, $constants]) {
            $known = $constants === [] ? [] : self::known($table, $constants, $sent);
            $isNarrow = $known === [] || isset($known[$table->key]);
            if ($isNarrow || \in_array(strtolower($table->name), $covered, true)) {
                continue;
            }
            ksort($known);
            $set = [];
            $names = 1;
            foreach ($known as $column => $texts) {
                if (\count($set) < self::WIDEST_SET && $names * \count($texts) <= Parser::MOST_NAMES) {
                    $set[] = $column;
                    $names *= \count($texts);
                }
            }
            if ($set !== [] && !\in_array($set, $table->sets, true)) {
                $wanted[$table->name][implode(',', $set)] = $set;
            }
        }

        return array_map(array_values(...), $wanted);
    }

    /**
     * @param array<string, Table|null> $declared
     *
     * @return list<array{Table, array<string, list<non-empty-list<Constant>>>}>
     */
    private static function ofSelect(Select $select, array $declared): array
    {
        $tables = [];
        foreach ($select->sources as $at => $source) {
            $tables[$at] = $declared[$source->table ?? ''] ?? null;
        }
        $uses = [];
        foreach ($tables as $at => $table) {
            if ($table !== null) {
                $equalities = [...$select->equalities, ...$select->sources[$at]->matches];
                $uses[] = [$table, self::constants($at, $select, $tables, $equalities)];
            }
        }

        return $uses;
    }

    /**
     * The constants that columns of one source equal, also by way of other columns of the same type.
     *
     * @param array<int, Table|null> $tables     by the position of their source
     * @param list<Equality>         $equalities that all hold for each row of the source that has an effect
     *
     * @return array<string, list<non-empty-list<Constant>>> by declared column
     */
    private static function constants(int $source, Select $select, array $tables, array $equalities): array
    {
        $constants = $links = [];
        foreach ($equalities as $equality) {
            $node = self::node($equality->column, $select, $tables);
            if ($node === null) {
                continue;
            }
            if (\is_array($equality->to)) {
                $constants[$node[0]][] = $equality->to;
                continue;
            }
            $other = self::node($equality->to, $select, $tables);
            if ($other !== null && $other[1] === $node[1]) {
                $links[$node[0]][] = $other[0];
                $links[$other[0]][] = $node[0];
            }
        }
        $found = [];
        foreach ($constants === [] ? [] : $tables[$source]->columns ?? [] as $column => $_) {
            $reached = [$source . ' ' . $column];
            for ($i = 0; $i < \count($reached); ++$i) {
                foreach ($constants[$reached[$i]] ?? [] as $one) {
                    $found[$column][] = $one;
                }
                foreach ($links[$reached[$i]] ?? [] as $next) {
                    if (!\in_array($next, $reached, true)) {
                        $reached[] = $next;
                    }
                }
            }
        }

        return $found;
    }

    /**
     * @param array<int, Table|null> $tables
     *
     * @return array{string, ColumnType}|null source and declared column, and its type
     */
    private static function node(Sql\Column $column, Select $select, array $tables): ?array
    {
        $source = $select->sourceOf($column);
        $table = $source === null ? null : $tables[$source];
        foreach ($table->columns ?? [] as $declared => $type) {
            if (strtolower($declared) === $column->name) {
                return [$source . ' ' . $declared, $type];
            }
        }

        return null;
    }

    /**
     * @param array<string, list<non-empty-list<Constant>>>                 $constants
     * @param Closure(int, string|null): (array{int|string|null}|null)|null $sent
     *
     * @return array<string, non-empty-list<int|string>> by column: the first constants that are known and of its type
     */
    private static function known(Table $table, array $constants, ?Closure $sent): array
    {
        $known = [];
        foreach ($constants as $column => $alternatives) {
            foreach ($alternatives as $alternative) {
                $texts = [];
                foreach ($alternative as $constant) {
                    $value = $constant->value($sent);
                    if ($value === null || !$table->columns[$column]->isOwn($value)) {
                        continue 2;
                    }
                    $texts[] = $value;
                }
                $known[$column] = $texts;
                break;
            }
        }

        return $known;
    }

    /**
     * @param array<string, non-empty-list<int|string>> $known values by column
     *
     * @return list<Dependency>
     */
    private static function ofUse(Table $table, array $known): array
    {
        if (isset($known[$table->key])) {
            return array_map($table->row(...), $known[$table->key]);
        }
        $best = [];
        foreach ($known === [] ? [] : $table->sets as $set) {
            if (\count($set) > \count($best) && array_diff($set, array_keys($known)) === []) {
                $names = array_product(array_map(static fn(string $column): int => \count($known[$column]), $set));
                $best = $names <= Parser::MOST_NAMES ? $set : $best;
            }
        }
        if ($best === []) {
            return [$table->whole()];
        }
        $combined = [[]];
        foreach ($best as $column) {
            $wider = [];
            foreach ($combined as $equal) {
                foreach ($known[$column] as $value) {
                    $wider[] = $equal + [$column => $value];
                }
            }
            $combined = $wider;
        }

        return array_map($table->set(...), $combined);
    }
}
