<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Dependency\Name;
use Larder\Sql\Reading\Write;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Schema;
use Larder\Sql\Schema\SideEffects;
use Larder\Sql\Schema\Table;

/**
 * @internal What the open transaction has written, table by table, as far as nobody made it known yet.
 *
 * The rows that a statement changes are read before it and after it, and named, where its text says for certain which
 * they are. Everything else counts as a change of the table in bulk.
 */
final class Writes
{
    /** What the names of Larder's own tables begin with. */
    public const OWN = Schema::OWN;

    public const NO_KEY = 'it has no key of one column';

    public const MOVES = 'a statement assigns its key';

    public const UNCLEAR = 'a statement does not say plainly which rows it changes';

    public const NO_TABLE = 'it is no ordinary table of the database';

    public const BY_OTHER = 'a foreign key or a trigger changes it';

    /** The number of the transaction. */
    private int $transaction = 0;

    /** @var array<string, array<string, Name>> by the table's name and their own: what is known exactly */
    private array $names = [];

    /** @var array<string, array{Table, string|null}> by name: changed in bulk, and why, if a better statement helps */
    private array $bulk = [];

    private bool $undeclared = false;

    private bool $isAll = false;

    /** @param Closure(string, array<int, scalar|null>): list<array<string, scalar|null>> $select */
    public function __construct(
        private readonly TransactionState $state,
        public readonly Registry $registry,
        public readonly Dialect $dialect,
        public readonly SideEffects $effects,
        public readonly Closure $select,
    ) {}

    /** Whether any table may have changed, so that what names() says is not all. */
    public function isAll(): bool
    {
        return $this->isAll;
    }

    /** Any table may have changed. */
    public function all(): void
    {
        $this->isAll = true;
    }

    /**
     * Whether a name among these, or in a view among them, may mean a temporary table.
     *
     * @param list<string> $names in lower case
     */
    public function areHidden(array $names): bool
    {
        foreach ($names as $name) {
            $names = [...$names, ...array_map(
                static fn(Table $table): string => strtolower($table->name),
                $this->registry->bases($name) ?? [],
            )];
        }

        return array_intersect_key($this->state->temporary, array_flip($names)) !== [];
    }

    /** Whether names of tables mean others than those that were read. */
    public function isElsewhere(): bool
    {
        return $this->state->isElsewhere;
    }

    /** Whether a temporary table may have this name. */
    public function mayBeTemporary(string $table): bool
    {
        return isset($this->state->temporary[$table]);
    }

    /** Whether it is a temporary table, and no other one. */
    public function isHidden(string $table): bool
    {
        return isset($this->state->temporary[$table])
            && !$this->effects->isTable($table)
            && $this->registry->find($table) === null;
    }

    /** For a transaction that begins, or is over. */
    public function reset(): void
    {
        $this->clear();
        ++$this->transaction;
    }

    /** After what was written has been made known. */
    public function clear(): void
    {
        $this->names = $this->bulk = [];
        $this->undeclared = $this->isAll = false;
    }

    /** A number that no other transaction of this connection has. */
    public function transaction(): int
    {
        return $this->transaction;
    }

    /**
     * The tables that a statement may write to, without Larder's own.
     *
     * @param list<Write>|null $writes null: unknown
     *
     * @return list<string> in lower case
     */
    public function tables(?array $writes): array
    {
        $own = array_column($writes ?? [], 'table');

        return array_values(array_filter(
            [...$own, ...$this->effectsOf($writes)],
            static fn(string $table): bool => !str_starts_with($table, self::OWN),
        ));
    }

    /** The declared table whose rows have to be read before the statement runs; null: none. */
    public function followed(Statement $parsed): ?Table
    {
        $write = $parsed->writes[0] ?? null;
        if ($write === null || $write->rows === null) {
            return null;
        }
        if ($this->state->isElsewhere || isset($this->state->temporary[$write->table])) {
            return null;
        }
        $table = $this->registry->find($write->table);

        $isLost = $table === null || $table->key === '' || isset($this->bulk[$table->name]);

        return $isLost || $write->moves($table->key) ? null : $table;
    }

    /**
     * The row with this key as it is now.
     *
     * @return array<string, scalar|null>|null the declared columns; null: no such row
     */
    public function row(Table $table, int|string $key): ?array
    {
        if ($table->key === '') {
            return null;
        }
        $quote = $this->dialect->quote(...);
        $columns = array_keys($table->columns);
        $row = ($this->select)(\sprintf(
            'SELECT %s FROM %s WHERE %s = ?%s',
            implode(', ', array_map($quote, $columns)),
            $quote($table->name),
            $quote($table->key),
            // A plain SELECT would read an older state, or begin the application's snapshot.
            $this->dialect->lockRow(),
        ), [$key])[0] ?? null;

        return $row === null ? null : array_combine($columns, $row);
    }

    /**
     * What has been written, and nobody made known.
     *
     * @param array<string, true> $trusted names of tables that are left out
     *
     * @return array<string, Name> by name
     */
    public function names(array $trusted = []): array
    {
        $names = array_merge(...array_values(array_diff_key($this->names, $trusted)));
        foreach (array_diff_key($this->bulk, $trusted) as [$table]) {
            $names[$table->all()->name] = $table->all();
        }

        return $names;
    }

    /**
     * The tables whose changes could not be followed row by row.
     *
     * @param array<string, true> $trusted names of tables that are left out
     *
     * @return array<string, string> why, by the table's name
     */
    public function causes(array $trusted = []): array
    {
        return array_filter(
            array_map(static fn(array $bulk): ?string => $bulk[1], array_diff_key($this->bulk, $trusted)),
            is_string(...),
        );
    }

    /** Whether a table was written that this process's registry does not declare. Another release's may. */
    public function areUndeclared(): bool
    {
        return $this->undeclared;
    }

    /**
     * Notes what is known to have changed.
     *
     * @param array<string, Name>|string $names why it is not known
     */
    public function add(Table $table, array|string $names): void
    {
        if (\is_string($names) || isset($this->bulk[$table->name])) {
            $this->inBulk($table->name, \is_string($names) ? $names : null);

            return;
        }
        // A row that stayed in its sets by one statement may have moved by another one.
        $moved = array_filter($names, static fn(Name $name): bool => !$name->stays);
        $this->names[$table->name] = array_replace(($this->names[$table->name] ?? []) + $names, $moved);
        if (array_sum(array_map(\count(...), $this->names)) > KeyedRows::MOST) {
            $this->inBulk($table->name, null);
        }
    }

    /**
     * @param list<Write>|null $writes null: unknown
     *
     * @return list<string> tables, in lower case, that they change beside their own
     */
    public function effectsOf(?array $writes): array
    {
        $effects = [];
        foreach ($writes ?? [] as $write) {
            $of = $this->effects->of($write);
            if ($of === null) {
                $writes = null;
                break;
            }
            $effects = [...$effects, ...$of];
        }

        return $writes !== null ? $effects : array_map(
            static fn(Table $table): string => strtolower($table->name),
            $this->registry->tables(),
        );
    }

    /** Notes that any row of a table may have changed. */
    public function inBulk(string $name, ?string $cause): void
    {
        $table = $this->registry->find($name);
        if ($table !== null) {
            $this->bulk[$table->name] ??= [$table, $cause];
            unset($this->names[$table->name]);
        } else {
            $this->undeclared($name);
        }
    }

    /** Notes that this process's registry may not declare a table that was written. */
    public function undeclared(string $table): void
    {
        $this->undeclared = $this->undeclared || !$this->isOwn($table);
    }

    /** Whether it is changed in bulk. */
    public function isBulk(Table $table): bool
    {
        return isset($this->bulk[$table->name]);
    }

    public function isOwn(string $table): bool
    {
        return str_starts_with($table, self::OWN);
    }
}
