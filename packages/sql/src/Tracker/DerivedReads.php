<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Dependency\Name;
use Larder\Sql\Reading\Column;
use Larder\Sql\Reading\Constant;
use Larder\Sql\Reading\Equality;
use Larder\Sql\Reading\Parser;
use Larder\Sql\Reading\Query;
use Larder\Sql\Reading\Select;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Table;

/**
 * @internal What a statement reads of declared tables: rows and sets where its own equalities narrow a table, else all
 * of it. Made once per statement and state of the registry; the values are those of one execution.
 */
final readonly class DerivedReads
{
    /** Columns of a set that is worth to be declared. */
    private const WIDEST_SET = 4;

    /** @param list<array{Table, array<string, list<non-empty-list<Constant>>>}> $uses constants by declared column */
    private function __construct(private array $uses) {}

    /** @return self|null null: a common table has the name of a declared table */
    public static function of(Query $query, Registry $registry): ?self
    {
        foreach ($query->common as $name) {
            if ($registry->find($name) !== null) {
                return null;
            }
        }
        $tables = [];
        foreach ($query->tables() as $name) {
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
            array_push($uses, ...self::ofSelect($select, $tables));
        }

        return new self($uses);
    }

    /**
     * @param Closure(int, string|null): (array{int|string|null}|null)|null $sent    of RecordingStatement; null: there
     *     are no parameters
     * @param list<int|string>|null                                         $literals of the text that runs, if it
     *     has the shape of another one that this was derived of
     * @param list<string>                                                  $covered tables to leave out, in lower case
     * @param array<string, array<string, non-empty-list<string>>>          $wanted  gets the sorted columns of each set
     *     by which a name would have been narrower and that is not declared, by table
     *
     * @return list<Name>
     */
    public function names(
        ?Closure $sent = null,
        ?array $literals = null,
        array $covered = [],
        array &$wanted = [],
    ): array {
        $names = [];
        foreach ($this->uses as [$table, $constants]) {
            if ($covered !== [] && \in_array(strtolower($table->name), $covered, true)) {
                continue;
            }
            $key = $constants[$table->key] ?? [];
            if (\count($key) === 1 && \count($key[0]) === 1) {
                // Most often it is one row.
                $type = $table->columns[$table->key];
                $value = $key[0][0]->value($sent, $literals);
                if ($value !== null && $type->isOwn($value)) {
                    $names[] = $type === ColumnType::Integer
                        ? Name::row($table->name, (string) $value)
                        : $table->row($value);
                    continue;
                }
            }
            $known = $constants === [] ? [] : self::known($table, $constants, $sent, $literals);
            if ($known === []) {
                $names[] = $table->whole();
            } elseif (isset($known[$table->key])) {
                foreach ($known[$table->key] as $key) {
                    $names[] = $table->row($key);
                }
            } else {
                $best = self::best($table, $known);
                array_push($names, ...self::combined($table, $best, $known));
                $set = \count($best) === \count($known) ? [] : self::widest($known);
                if ($set !== [] && !\in_array($set, $table->sets, true)) {
                    $wanted[$table->name][implode(',', $set)] = $set;
                }
            }
        }

        return $names;
    }

    /**
     * @param array<string, Table|null> $declared
     *
     * @return list<array{Table, array<string, list<non-empty-list<Constant>>>}>
     */
    private static function ofSelect(Select $select, array $declared): array
    {
        $tables = [];
        foreach ($select->sources as $source) {
            $tables[] = $declared[$source->table ?? ''] ?? null;
        }
        $uses = [];
        foreach ($tables as $at => $table) {
            if ($table !== null) {
                $matches = $select->sources[$at]->matches;
                $equalities = $matches === [] ? $select->equalities : [...$select->equalities, ...$matches];
                $uses[] = [$table, self::constants($at, $select, $tables, $equalities)];
            }
        }

        return $uses;
    }

    /**
     * The constants that columns of one source equal, also by way of other columns of the same type.
     *
     * @param list<Table|null> $tables     by the position of their source
     * @param list<Equality>         $equalities that all hold for each row of the source that has an effect
     *
     * @return array<string, list<non-empty-list<Constant>>> by declared column
     */
    private static function constants(int $source, Select $select, array $tables, array $equalities): array
    {
        $columns = [];
        foreach (\count($tables) > 1 ? $tables : [] as $table) {
            $columns[] = $table?->allColumns;
        }
        $constants = $links = [];
        foreach ($equalities as $equality) {
            $node = self::node($equality->column, $equality, $select, $tables, $columns);
            if ($node === null) {
                continue;
            }
            if (\is_array($equality->to)) {
                $constants[$node[0]][] = $equality->to;
                continue;
            }
            $other = self::node($equality->to, $equality, $select, $tables, $columns);
            if ($other !== null && $other[1] === $node[1] && $node[1]->isCarried()) {
                $links[$node[0]][] = $other[0];
                $links[$other[0]][] = $node[0];
            }
        }
        $found = [];
        foreach ($constants === [] ? [] : $tables[$source]->columns ?? [] as $column => $_) {
            if ($links === []) {
                $one = $constants[$source . ' ' . $column] ?? null;
                if ($one !== null) {
                    $found[$column] = $one;
                }
                continue;
            }
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
     * @param list<Table|null>        $tables
     * @param list<list<string>|null> $columns all columns of each, if they are several
     *
     * @return array{string, ColumnType}|null source and declared column, and its type
     */
    private static function node(
        Column $column,
        Equality $equality,
        Select $select,
        array $tables,
        array $columns,
    ): ?array {
        $source = $select->sourceOf($column, $columns);
        $isVisible = $source !== null && $source >= $equality->first && $source < $equality->sources;
        $table = $isVisible ? $tables[$source] : null;
        if ($table === null) {
            return null;
        }
        foreach ($table->columns as $declared => $type) {
            if ($declared === $column->name || strtolower($declared) === $column->name) {
                return [$source . ' ' . $declared, $type];
            }
        }

        return null;
    }

    /**
     * @param array<string, list<non-empty-list<Constant>>>                 $constants
     * @param Closure(int, string|null): (array{int|string|null}|null)|null $sent
     * @param list<int|string>|null                                         $literals
     *
     * @return array<string, non-empty-list<int|string>> by column: the fewest constants that are known and of its type
     */
    private static function known(Table $table, array $constants, ?Closure $sent, ?array $literals): array
    {
        $known = [];
        foreach ($constants as $column => $alternatives) {
            foreach ($alternatives as $alternative) {
                $texts = [];
                foreach ($alternative as $constant) {
                    $value = $constant->value($sent, $literals);
                    if ($value === null || !$table->columns[$column]->isOwn($value)) {
                        continue 2;
                    }
                    $texts[] = $value;
                }
                if (\count($texts) < \count($known[$column] ?? [...$texts, null])) {
                    $known[$column] = $texts;
                }
            }
        }

        return $known;
    }

    /**
     * @param array<string, non-empty-list<int|string>> $known values by column
     *
     * @return list<string> the declared set of the most columns that does not stand for too many names
     */
    private static function best(Table $table, array $known): array
    {
        $best = [];
        foreach ($table->sets as $set) {
            $names = \count($set) > \count($best) ? 1 : 0;
            foreach ($set as $column) {
                $names *= \count($known[$column] ?? []);
            }
            $best = $names > 0 && $names <= Parser::MOST_NAMES ? $set : $best;
        }

        return $best;
    }

    /**
     * @param array<string, non-empty-list<int|string>> $known
     *
     * @return list<string> sorted: as many of the columns as a set may have
     */
    private static function widest(array $known): array
    {
        ksort($known);
        $set = [];
        $names = 1;
        foreach ($known as $column => $values) {
            if (\count($set) < self::WIDEST_SET && $names * \count($values) <= Parser::MOST_NAMES) {
                $set[] = $column;
                $names *= \count($values);
            }
        }

        return $set;
    }

    /**
     * @param list<string>                              $set
     * @param array<string, non-empty-list<int|string>> $known
     *
     * @return list<Name> one for each combination of values; the whole table for a set without columns
     */
    private static function combined(Table $table, array $set, array $known): array
    {
        if ($set === []) {
            return [$table->whole()];
        }
        $combined = [[]];
        foreach ($set as $column) {
            $wider = [];
            foreach ($combined as $equal) {
                foreach ($known[$column] ?? [] as $value) {
                    $wider[] = $equal + [$column => $value];
                }
            }
            $combined = $wider;
        }

        return array_map($table->set(...), $combined);
    }
}
