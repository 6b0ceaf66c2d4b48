<?php

declare(strict_types=1);

namespace Larder\Follow;

use Larder\Dependency\Database\Dialect;
use Larder\Dependency\Database\Schema;
use Larder\Dependency\Dependency;
use Larder\Dependency\Registry;
use Larder\Dependency\Table;
use Larder\Dependency\Tracker\KeyedRows;

/**
 * @internal What has changed since the last work: names of rows, sets and tables, whatever the log's transactions were.
 *
 * Of a table with more than MOST names, all is meant, so that this takes a bounded room. What a transaction has made
 * known by itself, since Larder wrote it, is only ended in the stores of rows.
 */
final class Gathered
{
    /** The table in which followers see their own hearts beat: `name`, `beat`. */
    public const BEATS = 'larder_beat';

    private const RAISES = 'larder_raise';

    /** Names of a table. */
    private const MOST = KeyedRows::MOST;

    /** Names, from which on the work is due. */
    private const DUE = 1000;

    /** Slots of a transaction that are remembered. */
    private const MOST_SLOTS = 2048;

    /** @var array<string, array<string, Dependency>> of the transaction that is not over, by table */
    private array $open = [];

    /** @var array<int, true> slots that it has raised */
    private array $raised = [];

    private bool $isAllOpen = false;

    /** @var array<string, array<string, Dependency>> that nobody has made known, by table */
    private array $untold = [];

    /** @var array<string, array<string, Dependency>> that the writer has made known */
    private array $told = [];

    private bool $isAll = false;

    private ?Committed $last = null;

    /** @var array<string, true> transactions, for the barrier */
    private array $transactions = [];

    private int $rows = 0;

    private ?string $why = null;

    /** The registry's, which the names are of. */
    private ?int $state = null;

    /** @var array<string, string> the last beat of each follower */
    private array $beats = [];

    /** The table of the last row. */
    private ?Table $columnsOf = null;

    /** @var list<string> its columns that names are made of */
    private array $columns = [];

    public function __construct(
        private readonly Registry $registry,
        private readonly Facts $facts,
        private readonly int $slots,
    ) {}

    public function add(LogEvent $event): void
    {
        match (true) {
            $event instanceof RowChange => $this->ofRow($event),
            $event instanceof BulkChange => $this->ofBulk($event),
            $event instanceof Committed => $this->commit($event),
            default => null,
        };
    }

    /** Whether so much is gathered that the work should not wait for more. */
    public function isDue(): bool
    {
        return $this->isAll || \count($this->transactions) >= self::DUE
            || array_sum(array_map(\count(...), $this->untold)) >= self::DUE
            || array_sum(array_map(\count(...), $this->told)) >= 4 * self::DUE;
    }

    /** The last transaction that is over; null: none is. */
    public function last(): ?Committed
    {
        return $this->last;
    }

    /** @return list<string> of all that are over */
    public function transactions(): array
    {
        return array_map(strval(...), array_keys($this->transactions));
    }

    /** Whether anything may have changed. */
    public function isAll(): bool
    {
        return $this->isAll;
    }

    public function why(): ?string
    {
        return $this->why;
    }

    /** @return list<Dependency> that nobody has made known */
    public function untold(): array
    {
        return self::listed($this->untold);
    }

    /** @return list<Dependency> that the writers have made known */
    public function told(): array
    {
        return self::listed($this->told);
    }

    public function beat(string $name): ?string
    {
        return $this->beats[$name] ?? null;
    }

    /** Rows that were seen, of the tables that have names. */
    public function rows(): int
    {
        return $this->rows;
    }

    /** The work is done. */
    public function done(): void
    {
        $this->untold = $this->told = $this->transactions = $this->beats = [];
        $this->isAll = false;
        $this->last = $this->why = null;
        $this->rows = 0;
    }

    /**
     * Compares what the names are made of with what the registry says now, which may have more sets. If it is not the
     * same, all tables end that have names.
     *
     * @return bool whether it was not the same, so that the names are others now
     */
    public function look(): bool
    {
        $state = $this->registry->state();
        $isAnother = $this->state !== null && $this->state !== $state;
        if ($isAnother) {
            $this->open = self::inBulk($this->open);
            $this->untold = self::inBulk($this->untold);
            $this->told = self::inBulk($this->told);
        }
        $this->state = $state;

        return $isAnother;
    }

    /** A new schema was found: what comes is everything. */
    public function doubt(string $why): void
    {
        $this->isAll = true;
        $this->why = $why;
    }

    private function ofRow(RowChange $change): void
    {
        foreach ($this->facts->children($change) as $child) {
            $this->bulk($child);
        }
        if (strcasecmp($change->schema, $this->facts->schema()) !== 0) {
            return;
        }
        if (str_starts_with(strtolower($change->table), Schema::OWN)) {
            $this->ofOwn($change);

            return;
        }
        ++$this->rows;
        $this->look();
        $table = $this->registry->find($change->table);
        // Nothing is made from a table that the registry does not know.
        if ($table === null || isset($this->open[$table->name][$table->all()->name])) {
            return;
        }
        $names = $this->names($table, $change);
        if ($names === null) {
            $this->bulk($table->name);

            return;
        }
        foreach ($names as $name => $dependency) {
            $known = $this->open[$table->name][$name] ?? null;
            // What moved once has moved.
            $this->open[$table->name][$name] = $known === null || $known->stays ? $dependency : $known;
        }
        if (\count($this->open[$table->name]) > self::MOST) {
            $this->bulk($table->name);
        }
    }

    /** @return array<string, Dependency>|null null: they are not certain */
    private function names(Table $table, RowChange $change): ?array
    {
        if ($table->key === '') {
            return null;
        }
        if ($this->columnsOf !== $table) {
            $this->columns = array_values(array_unique([$table->key, ...array_merge(...$table->sets)]));
            $this->columnsOf = $table;
        }
        $columns = $this->columns;
        // An UPDATE's image may have only what changed.
        $images = $change->before === null ? [] : [$change->before];
        if ($change->after !== null) {
            $images[] = $change->after + ($change->before ?? []);
        }
        // An UPDATE without the row before it has the same key, and sets that nobody knows.
        if ($change->before === null && !$change->came && $columns !== [$table->key]) {
            return null;
        }
        $rows = [];
        foreach ($images as $i => $image) {
            $row = $this->facts->row($table, $image, $columns, $i === 0 && $change->before !== null);
            if ($row === null) {
                return null;
            }
            $rows[] = $row;
        }
        if (\count($rows) === 2 && $rows[0] === $rows[1]) {
            return self::staying(KeyedRows::ofRow($table, $rows[0]));
        }
        $names = [];
        foreach ($rows as $row) {
            $emitted = KeyedRows::ofRow($table, $row);
            if ($emitted === null) {
                return null;
            }
            $names += $emitted;
        }

        return $names;
    }

    /**
     * @param array<string, Dependency>|null $names
     *
     * @return array<string, Dependency>|null
     */
    private static function staying(?array $names): ?array
    {
        foreach ($names ?? [] as $name => $dependency) {
            $names[$name] = $dependency->staying();
        }

        return $names;
    }

    private function ofOwn(RowChange $change): void
    {
        if ($change->table === self::RAISES && $change->before === null) {
            $slot = $this->facts->own($change, 'slot', 1);
            if ($slot !== null && is_numeric($slot) && \count($this->raised) < self::MOST_SLOTS) {
                $this->raised[(int) $slot] = true;
            }
        } elseif ($change->table === self::BEATS && $change->after !== null) {
            $name = $this->facts->own($change, 'name', 1);
            $beat = $this->facts->own($change, 'beat', 2);
            if ($name !== null && $beat !== null && \count($this->beats) < self::MOST) {
                $this->beats[$name] = $beat;
            }
        }
    }

    private function ofBulk(BulkChange $change): void
    {
        if ($change->schema === null || $change->table === null) {
            $this->isAllOpen = true;
            $this->why ??= $change->why;
        } elseif (strcasecmp($change->schema, $this->facts->schema()) === 0) {
            $this->bulk($change->table);
        }
    }

    private function bulk(string $name): void
    {
        $table = $this->registry->find($name);
        if ($table !== null) {
            $all = $table->all();
            $this->open[$table->name] = [$all->name => $all];
        }
    }

    private function commit(Committed $committed): void
    {
        $areAllTold = isset($this->raised[Dialect::SCHEMA]) || isset($this->raised[Dialect::EVERYTHING]);
        foreach ($this->open as $table => $names) {
            foreach ($names as $name => $dependency) {
                $isTold = $areAllTold || isset($this->raised[$dependency->slot($this->slots)]);
                $known = $isTold ? $this->told[$table][$name] ?? null : $this->untold[$table][$name] ?? null;
                $kept = $known === null || $known->stays ? $dependency : $known;
                if ($isTold) {
                    $this->told[$table][$name] = $kept;
                } else {
                    $this->untold[$table][$name] = $kept;
                }
            }
        }
        $this->isAll = $this->isAll || $this->isAllOpen;
        $this->open = $this->raised = [];
        $this->isAllOpen = false;
        $this->last = $committed;
        if ($committed->transaction !== '') {
            $this->transactions[$committed->transaction] = true;
        }
    }

    /**
     * @param array<string, array<string, Dependency>> $byTable
     *
     * @return array<string, array<string, Dependency>>
     */
    private static function inBulk(array $byTable): array
    {
        $bulk = [];
        foreach (array_keys($byTable) as $table) {
            $all = Dependency::all($table);
            $bulk[$table] = [$all->name => $all];
        }

        return $bulk;
    }

    /**
     * @param array<string, array<string, Dependency>> $byTable
     *
     * @return list<Dependency>
     */
    private static function listed(array $byTable): array
    {
        $names = [];
        foreach ($byTable as $ofTable) {
            // All that read the table carry its name with `!`.
            $all = array_filter($ofTable, static fn(Dependency $name): bool => $name->isAll());
            array_push($names, ...array_values($all === [] ? $ofTable : $all));
        }

        return $names;
    }
}
