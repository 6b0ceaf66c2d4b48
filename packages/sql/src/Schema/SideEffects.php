<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

use Closure;
use Larder\Sql\Reading\Write;

/**
 * @internal Which tables a statement writes to beside its own, by foreign keys and triggers, as the schema has them.
 *
 * @phpstan-type Key array{
 *     table: string, referred: string|null, referring: string|null, update: string, delete: string, alike: bool,
 * }
 */
final class SideEffects
{
    /** What a foreign key does to the rows that refer to one. */
    private const OF_KEY = ['CASCADE' => null, 'SET NULL' => Write::UPDATE, 'SET DEFAULT' => Write::UPDATE];

    private mixed $version = null;

    /** @var array<string, list<Key>> by the table that is referred to */
    private array $keys = [];

    /** @var array<string, list<array{list<string>, list<Write>|null}>> events and writes by the trigger's table */
    private array $triggers = [];

    /** @var array<string, true> tables whose constraints remove rows that are in the way */
    private array $replacing = [];

    /** @var array<string, true> tables whose constraints say what is done at a conflict */
    private array $resolving = [];

    /** @var array<string, bool> whether their rows have a number, by ordinary table */
    private array $tables = [];

    /** @var array<string, list<array<string, string>>|null> by table */
    private array $uniques = [];

    /** @var array<string, true> tables whose uniques were asked for; '': all */
    private array $asked = [];

    private bool $hasLedger = false;

    /** @param Closure(string, array<int, scalar|null>=): list<array<string, scalar|null>> $rows of a query */
    public function __construct(
        private readonly Dialect $dialect,
        private readonly Closure $rows,
        private readonly Schema $schema,
    ) {}

    /**
     * To be called in each transaction that writes, before anything else is asked. Where another connection tells the
     * schema, it asks nothing as long as the plan is known.
     */
    public function refresh(): void
    {
        $version = $this->schema->present();
        if ($version === null || $version !== $this->version) {
            $this->load();
            $this->version = $version;
        }
    }

    /** Reads the schema anew the next time: a statement may have changed what is enforced, or a temporary trigger. */
    public function forget(): void
    {
        $this->version = null;
        $this->schema->forget();
    }

    public function hasLedger(): bool
    {
        return $this->hasLedger;
    }

    /** Whether the number of rows that a statement changed leaves out some that were in the way. */
    public function replaces(string $table): bool
    {
        return isset($this->replacing[$table]);
    }

    /** Whether a constraint says what is done at a conflict, so that a statement which fails may leave rows. */
    public function resolves(string $table): bool
    {
        return isset($this->resolving[$table]);
    }

    /** Whether it is a table of the database itself, no view and not virtual. */
    public function isTable(string $table): bool
    {
        return isset($this->tables[$table]);
    }

    /** Whether a row that was inserted can be found by its number. */
    public function hasRowNumbers(string $table): bool
    {
        return $this->tables[$table] ?? false;
    }

    /** @return list<string>|null in lower case, its own table only if it is written to once more; null: unknown */
    public function of(Write $write): ?array
    {
        $found = [];
        $seen = [];
        $writes = [$write];
        while (($next = array_pop($writes)) !== null) {
            foreach ($this->replaces($next->table) ? [...$next->events, Write::DELETE] : $next->events as $event) {
                if (isset($seen[$next->table . ' ' . $event])) {
                    continue;
                }
                // Another statement on this table may set other columns, so only those without any are remembered.
                if ($next->columns === null) {
                    $seen[$next->table . ' ' . $event] = true;
                }
                $caused = $this->caused($next, $event);
                if ($caused === null) {
                    return null;
                }
                foreach ($caused as $one) {
                    $found[$one->table] = $one->table;
                    $writes[] = new Write($one->table, $one->events);
                }
            }
        }

        return array_values($found);
    }

    /**
     * What must be unique in a table.
     *
     * @return list<array<string, string>>|null the collation by column, for each constraint; null: other values decide
     *     too than those that a statement gives
     */
    public function uniques(string $table): ?array
    {
        [$query, $parameters] = $this->dialect->catalog()->uniques($table);
        if (!isset($this->asked[$parameters[0] ?? ''])) {
            $this->asked[$parameters[0] ?? ''] = true;
            $this->readUniques($query, $parameters);
        }

        return \array_key_exists($table, $this->uniques) ? $this->uniques[$table] : [];
    }

    /**
     * What a DELETE does to rows of other tables, if foreign keys of one column do it all, and nothing follows from it.
     *
     * @return list<array{table: string, event: string, referred: string, referring: string}>|null null: it may do more
     */
    public function ofDelete(string $table): ?array
    {
        foreach ($this->triggers[$table] ?? [] as [$events, $writes]) {
            if (\in_array(Write::DELETE, $events, true) && $writes !== []) {
                return null;
            }
        }
        $caused = [];
        foreach ($this->keys[$table] ?? [] as $key) {
            if (!$key['alike']) {
                // SQLite converts the old key for this column, and then compares the converted one with all others.
                return null;
            }
            if (!\array_key_exists($key['delete'], self::OF_KEY)) {
                continue;
            }
            $other = $key['table'];
            $event = self::OF_KEY[$key['delete']] ?? Write::DELETE;
            $isAll = $event === Write::DELETE || !$this->replaces($other);
            $columns = $event === Write::DELETE || $key['referring'] === null ? null : [$key['referring']];
            if (
                $key['referred'] === null
                || $key['referring'] === null
                || !$isAll
                || $this->of(new Write($other, [$event], $columns)) !== []
            ) {
                return null;
            }
            $caused[] = [
                'table' => $other,
                'event' => $event,
                'referred' => $key['referred'],
                'referring' => $key['referring'],
            ];
        }

        return $caused;
    }

    /** @return list<Write>|null */
    private function caused(Write $write, string $event): ?array
    {
        $caused = [];
        foreach ($this->keys[$write->table] ?? [] as $key) {
            $action = $event === Write::UPDATE ? $key['update'] : $key['delete'];
            $isChanged = $event === Write::DELETE || ($event === Write::UPDATE && (
                $write->columns === null
                || $key['referred'] === null
                || \in_array($key['referred'], $write->columns, true)
            ));
            if ($isChanged && \array_key_exists($action, self::OF_KEY)) {
                if (!isset($this->tables[$key['table']])) {
                    // Nobody can tell what a rule or another database makes of it.
                    return null;
                }
                $caused[] = new Write($key['table'], [self::OF_KEY[$action] ?? $event]);
            }
        }
        foreach ($this->triggers[$write->table] ?? [] as [$events, $writes]) {
            if (!\in_array($event, $events, true)) {
                continue;
            }
            if ($writes === null) {
                return null;
            }
            $caused = [...$caused, ...$writes];
        }

        return $caused;
    }

    /** @param list<string> $parameters the table; none: all at once */
    private function readUniques(string $query, array $parameters): void
    {
        $unclear = $uniques = [];
        foreach (($this->rows)($query, $parameters) as $row) {
            $table = strtolower((string) ($row['table'] ?? $parameters[0] ?? ''));
            if ($row['made'] !== 0) {
                $unclear[$table] = null;
            }
            $uniques[$table][(string) $row['name']][(string) $row['column']] = (string) $row['collation'];
        }
        $this->uniques = $unclear + array_map(array_values(...), $uniques) + $this->uniques;
    }

    private function load(): void
    {
        $this->uniques = $this->asked = $this->keys = $this->replacing = [];
        $this->resolving = $this->tables = [];
        $this->hasLedger = false;
        $triggers = $others = $routines = [];
        foreach (($this->rows)($this->dialect->catalog()->sideEffects()) as $row) {
            $text = static fn(string $column): string => (string) ($row[$column] ?? '');
            $name = strtolower($text('name'));
            if ($text('kind') === 'key') {
                $this->keys[$name][] = [
                    'table' => strtolower($text('other')),
                    'referred' => isset($row['referred']) ? strtolower($text('referred')) : null,
                    'referring' => isset($row['referring']) ? strtolower($text('referring')) : null,
                    'update' => $text('on_update'),
                    'delete' => $text('on_delete'),
                    'alike' => isset($row['alike']) ? $row['alike'] === 1 : $this->schema->areAlike(
                        $name,
                        strtolower($text('referred')),
                        strtolower($text('other')),
                        strtolower($text('referring')),
                    ),
                ];
                $others[] = $name;
            } elseif ($text('kind') === 'trigger') {
                $triggers[] = $row;
            } elseif ($text('kind') === 'replace') {
                $this->replacing[$name] = true;
            } elseif ($text('kind') === 'conflict') {
                $this->resolving[$name] = true;
            } elseif ($text('kind') === 'table') {
                $this->tables[$name] = $text('other') !== '';
            } elseif ($text('kind') === 'ledger') {
                $this->hasLedger = true;
            } elseif ($text('kind') === 'routine') {
                $routines[] = $name;
            } else {
                $others[] = $name;
            }
        }
        $tables = array_keys($this->tables);
        // A name that another thing has too is not for certain the table's.
        $unclear = [...array_diff($others, $tables), ...$routines];
        $this->triggers = $triggers === []
            ? []
            : $this->dialect->catalog()->triggers($triggers, $tables, $unclear);
    }
}
