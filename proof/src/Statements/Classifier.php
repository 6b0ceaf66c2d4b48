<?php

declare(strict_types=1);

namespace Larder\Proof\Statements;

use Closure;
use Larder\Sql\Reading\Grammar;
use Larder\Sql\Reading\Write;
use Larder\Sql\Schema\Catalog;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Table;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\Statement;

/**
 * Tells what the statements of one application get, by the library's own recording of reads; and why they get no more,
 * by asking again with a small thing changed.
 */
final class Classifier
{
    /** As the library learns them. */
    private const MOST_SETS = 32;

    /** Tokens that are left out at once, to find the ones that are not understood. */
    private const WIDEST_GAP = 6;

    private const ALL = '(all tables)';

    /** @var array<string, list<non-empty-list<string>>> learned, by table */
    private array $sets = [];

    private Registry $registry;

    /** @param SchemaFacts|null $facts null: not known, so it is told which columns could name rows */
    public function __construct(
        private readonly Grammar $grammar,
        private readonly Catalog $catalog,
        private readonly ?SchemaFacts $facts,
    ) {
        $this->registry = $this->registry();
    }

    /** Learns the column sets that a statement compares by, as the library does beside a page that is made. */
    public function learn(string $sql): void
    {
        $reads = new RecordedReads($this->registry);
        $reads->statement(Statement::parse($sql, $this->grammar));
        foreach ($reads->wanted() as $table => $sets) {
            foreach ($sets as $set) {
                if (\count($this->sets[$table] ?? []) < self::MOST_SETS) {
                    $this->sets[$table][] = $set;
                }
            }
        }
        $this->registry = $this->registry();
    }

    public function verdict(string $sql): Verdict
    {
        $statement = Statement::parse($sql, $this->grammar);
        $isRead = preg_match('/^\s*(?:SELECT|WITH)\b/i', $sql) === 1;
        if (!$this->isStored('SELECT 1')) {
            $grade = $isRead ? Grade::Refused : Grade::Bulk;

            return new Verdict($grade, $isRead ? [] : [self::ALL], ['the sql_mode of the session' => []]);
        }
        if ($statement->refusal !== null && !$isRead) {
            return $this->written($statement);
        }
        $reads = new RecordedReads($this->facts === null ? $this->alike($statement, null) : $this->registry);
        $reads->statement($statement);
        $names = array_values(array_filter(
            $reads->names(),
            static fn(string $name): bool => !str_ends_with($name, '!'),
        ));
        $refusal = $reads->refusal() ?? $reads->clock();
        if ($refusal !== null) {
            return new Verdict(Grade::Refused, [], [$refusal => $this->gap($sql, $this->isStored(...))]);
        }
        if ($this->facts === null) {
            $names = $this->compared($statement);
        }
        $signs = array_map(static fn(string $name): string => $name[strcspn($name, ':?')] ?? '', $names);
        $whole = array_keys($signs, '', true);

        return new Verdict(match (true) {
            $names === [] => Grade::None,
            \count($whole) === \count($names) => Grade::Whole,
            $whole !== [] => Grade::Partly,
            \in_array('?', $signs, true) => Grade::Sets,
            default => Grade::Rows,
        }, $names, $this->why($statement, $sql, $names));
    }

    /**
     * Without a schema: by which columns its tables would be narrowed, if the columns' types allow it.
     *
     * @return list<string>
     */
    private function compared(Statement $statement): array
    {
        $names = [];
        foreach ($statement->sources as $source) {
            $columns = $this->columns($statement)[$source] ?? [];
            $names[] = $source . ($columns === [] ? '' : '?' . implode('&', $columns));
        }

        return $names;
    }

    /**
     * @param list<string> $names
     *
     * @return array<string, list<string>>
     */
    private function why(Statement $statement, string $sql, array $names): array
    {
        if (!$this->isUnderstood($sql)) {
            return ['not understood beyond its tables' => $this->gap($sql, $this->isUnderstood(...))];
        }
        $why = [];
        $text = (string) preg_replace('~/\*.*?\*/~s', '', $sql);
        foreach ($this->used($names) as $name => [$isWhole, $used]) {
            $compared = $this->columns($statement)[$name] ?? [];
            $table = $this->registry->find($name);
            foreach (array_diff($compared, $used) as $column) {
                [$type, $collation] = $this->facts?->tables[$name]->columns[$column] ?? ['', ''];
                $why[match (true) {
                    isset($table?->columns[$column]) => 'the value is not one of the column\'s type',
                    $collation !== '' => 'collation ' . $collation,
                    default => 'type ' . preg_replace('/\(.*/', '', $type),
                }][] = $name . '.' . $column;
            }
            if ($isWhole && $compared === []) {
                $why[match (true) {
                    str_contains($text, '\\') => 'a text with a backslash is no constant',
                    preg_match('/\sOR\s/i', $text) === 1 => 'OR',
                    preg_match('/\sIS NULL\b/i', $text) === 1 => 'IS NULL',
                    preg_match('/\sIN ?\((?:[^(),]+,){32}/i', $text) === 1 => 'IN of more than 32',
                    \count($statement->sources) > 1 => 'joined to rows that are not known beforehand',
                    preg_match('/\sWHERE\s/i', $text) === 1 => 'its WHERE has no equality with a constant',
                    default => 'no WHERE',
                }][] = $name;
            }
        }

        return $why;
    }

    /**
     * @param list<string> $names
     *
     * @return array<string, array{bool, list<string>}> by table that is not only read by key: whether it is read whole,
     *     and the columns of its names
     */
    private function used(array $names): array
    {
        $used = [];
        foreach ($names as $name) {
            $table = substr($name, 0, strcspn($name, ':?'));
            preg_match_all('/[?&]([^=&]+)/', substr($name, \strlen($table)), $columns);
            if (($name[\strlen($table)] ?? '') !== ':') {
                $used[$table] = [$name === $table, $columns[1]];
            }
        }

        return $used;
    }

    /**
     * The columns that its tables would be narrowed by, if values of all of them had names.
     *
     * @return array<string, list<string>> by table
     */
    private function columns(Statement $statement): array
    {
        $columns = [];
        foreach ([ColumnType::Text, ColumnType::Integer] as $type) {
            $reads = new RecordedReads($this->alike($statement, $type));
            $reads->statement($statement);
            foreach ($reads->wanted() as $table => $sets) {
                $columns[$table] = array_values(array_unique([...$columns[$table] ?? [], ...array_merge(...$sets)]));
            }
        }

        return $columns;
    }

    /** The tables that a statement names, with all columns of one type, and without a key. */
    private function alike(Statement $statement, ?ColumnType $type): Registry
    {
        $tables = [];
        foreach ($statement->sources as $source) {
            $facts = $this->table($source);
            $columns = $facts === null ? $statement->identifiers : array_keys($facts->columns);
            $types = $type === null ? [] : array_fill_keys($columns, $type);
            $tables[] = new Table($facts->name ?? $source, '', $types, [], array_map(strtolower(...), $columns));
        }

        return new Registry(...$tables);
    }

    private function table(string $name): ?TableFacts
    {
        foreach ($this->facts->tables ?? [] as $table) {
            if (strtolower($table->name) === $name) {
                return $table;
            }
        }

        return null;
    }

    /**
     * @param Closure(string): bool $holds of a statement; it does not hold of this one
     *
     * @return list<string> the least without which it would; none: there is no such part
     */
    private function gap(string $sql, Closure $holds): array
    {
        preg_match_all('~/\*.*?\*/|\'(?:[^\'\\\\]|\\\\.|\'\')*\'|`[^`]*`|"[^"]*"|[@\w.$]+|\s+|.~su', $sql, $matches);
        $tokens = $matches[0];
        for ($width = 1; $width <= self::WIDEST_GAP; ++$width) {
            for ($at = 1; $at + $width <= \count($tokens); ++$at) {
                $without = $tokens;
                $gap = implode('', array_splice($without, $at, $width, [' ']));
                if (trim($gap) === $gap && $holds(implode('', $without))) {
                    return [$gap];
                }
            }
        }

        return [];
    }

    private function isUnderstood(string $sql): bool
    {
        $statement = Statement::parse($sql, $this->grammar);

        return $statement->refusal === null && $statement->reads(new Registry()) !== null;
    }

    private function isStored(string $sql): bool
    {
        $statement = Statement::parse($sql, $this->grammar);

        return $statement->refusal === null && !$statement->volatile;
    }

    private function written(Statement $statement): Verdict
    {
        if ($statement->writes === null) {
            return new Verdict(Grade::Bulk, [self::ALL], ['what it writes is not understood' => []]);
        }
        $names = $reasons = [];
        foreach ($statement->writes as $write) {
            $table = $this->registry->find($write->table);
            $why = $this->bulk($write, $table);
            if ($why !== '') {
                $names[] = $write->table . '!';
                $reasons[$why][] = $write->table;
            } else {
                array_push($names, $write->table . ':…', ...array_map(
                    static fn(array $set): string => $write->table . '?' . implode('&', $set),
                    $table->sets ?? [],
                ));
            }
        }

        return new Verdict(match (true) {
            $statement->writes === [] => Grade::None,
            $reasons === [] => Grade::Written,
            default => Grade::Bulk,
        }, $names, $reasons);
    }

    /** @return string why the rows are not named; '': they are */
    private function bulk(Write $write, ?Table $table): string
    {
        return match (true) {
            $write->rows === null => 'it does not say plainly which rows it changes',
            $this->facts === null => '',
            $table === null => 'the table is not known',
            $table->key === '' => 'it has no key of one column',
            $write->moves($table->key) => 'it assigns the key',
            default => '',
        };
    }

    private function registry(): Registry
    {
        $tables = [];
        foreach ($this->facts->tables ?? [] as $table) {
            $tables[] = $table->table($this->catalog)
                ->with(array_map(static fn(array $set): string => implode(',', $set), $this->sets[$table->name] ?? []));
        }

        return new Registry(...$tables);
    }
}
