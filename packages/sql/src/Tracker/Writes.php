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
use Larder\Sql\Schema\TableFacts;
use PDOException;
use Throwable;

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

    /** The number of the transaction. */
    private int $transaction = 0;

    /** @var array<string, array<string, Name>> by the table's name and their own: what is known exactly */
    private array $names = [];

    /** @var array<string, array{Table, string|null}> by name: changed in bulk, and why, if a better statement helps */
    private array $bulk = [];

    /** @var array<string, list<RowImages|string>> by table: what a foreign key is going to change */
    private array $referring = [];

    private bool $undeclared = false;

    private bool $isAll = false;

    /** Whether the connection's session is another one than that which the tables were read for. */
    private bool $isElsewhere = false;

    /** @var array<string, true> tables that only this connection has, if no other one has its name */
    private array $temporary = [];

    /**
     * @param Closure(string, array<int, scalar|null>): list<array<string, scalar|null>> $select
     * @param TableFacts|null $facts of a server; null: one writer at a time
     * @param (Closure(string, array<int, scalar|null>): list<array<string, scalar|null>>)|null $committed the same as
     *     $select on the second connection of a server
     */
    public function __construct(
        private readonly Registry $registry,
        private readonly Dialect $dialect,
        private readonly SideEffects $effects,
        private readonly Closure $select,
        private readonly ?TableFacts $facts = null,
        private readonly ?Closure $committed = null,
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

    /** Whether names of tables mean others than those that were read, from now on. */
    public function lookElsewhere(bool $isElsewhere): void
    {
        $this->isElsewhere = $isElsewhere;
    }

    /** A statement made or dropped a temporary table, whose name may hide another one. */
    public function hide(string $table): void
    {
        $this->temporary[$table] = true;
    }

    /** Whether nobody else needs to know what a statement writes. */
    public function areNone(Statement $parsed): bool
    {
        $writes = $parsed->writes;
        if ($writes === null || $this->isElsewhere) {
            return $writes === [];
        }
        foreach ($writes as $write) {
            $isQuiet = $write->table === '' || ($this->isHidden($write->table));
            if (!$isQuiet || ($write->calls && $this->facts?->areFunctionsWriting() !== false)) {
                return false;
            }
        }

        return true;
    }

    /**
     * Whether a name among these, or in a view among them, may mean a temporary table.
     *
     * @param list<string> $names in lower case
     */
    public function areHidden(array $names): bool
    {
        foreach ($this->temporary === [] ? [] : $names as $name) {
            $names = [...$names, ...array_map(
                static fn(Table $table): string => strtolower($table->name),
                $this->registry->bases($name) ?? [],
            )];
        }

        return $this->temporary !== [] && array_intersect_key($this->temporary, array_flip($names)) !== [];
    }

    private function isHidden(string $table): bool
    {
        return isset($this->temporary[$table])
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
        if ($this->isElsewhere || isset($this->temporary[$write->table])) {
            return null;
        }
        $table = $this->registry->find($write->table);

        $isLost = $table === null || $table->key === '' || isset($this->bulk[$table->name]);

        return $isLost || $write->moves($table->key) ? null : $table;
    }

    /** Whether it depends on the schema which rows have to be read before the statement runs. */
    public function needsSchema(Statement $parsed): bool
    {
        $rows = $parsed->writes[0]->rows ?? null;

        return $rows !== null && ($rows->verb === Write::DELETE || $rows->values !== []);
    }

    /**
     * Reads what a statement is about to change, right before it.
     *
     * @param bool $knowsSchema whether the schema was read in this transaction
     * @param bool $isInside    whether the transaction is the application's, so that it must outlive an error of ours
     *
     * @return RowImages|string|null why it cannot be known; null: nobody needs it
     */
    public function before(
        Statement $parsed,
        ?RunningStatement $statement,
        bool $knowsSchema,
        bool $isInside = false,
    ): RowImages|string|null {
        $this->referring = [];
        $write = $parsed->writes[0] ?? null;
        $rows = $write?->rows;
        $table = $this->followed($parsed);
        if ($write === null || $rows === null || $table === null) {
            return null;
        }
        if ($this->facts !== null) {
            $images = RowImages::locked(
                $table,
                $write,
                $rows,
                $statement,
                $this->dialect,
                $this->select,
                $this->facts,
                $isInside,
                $this->committed ?? $this->select,
                $rows->verb === Write::INSERT ? $this->effects->uniques($write->table) : [],
            );
            if ($rows->verb === Write::DELETE && $images instanceof RowImages) {
                $this->follow($write->table, $images);
            }

            return $images;
        }
        $uniques = $knowsSchema && $rows->values !== [] ? $this->effects->uniques($write->table) : null;
        $images = RowImages::before($table, $rows, $statement, $this->dialect, $this->select, $uniques);
        if ($knowsSchema && $rows->verb === Write::DELETE && $images instanceof RowImages) {
            $this->follow($write->table, $images);
        }

        return $images;
    }

    /**
     * Notes what a statement wrote, right after it.
     *
     * @param RowImages|string|null $images   as before() returned them
     * @param int|null              $affected how many rows it changed of its own table; null: unknown
     * @param string                $inserted the number of the row that was inserted last
     */
    public function note(
        Statement $parsed,
        RowImages|string|null $images,
        ?int $affected,
        string $inserted,
        ?Throwable $failure = null,
    ): void {
        if ($this->facts !== null) {
            $this->noteOnServer($parsed, $images, $affected, $inserted, $failure, $this->facts);

            return;
        }
        $effects = $this->effectsOf($parsed->writes);
        $isNowhere = $failure === null && $images instanceof RowImages && $images->isEmpty();
        if ($isNowhere || ($failure !== null && $this->leavesNothing($parsed, $effects, $failure))) {
            return;
        }
        foreach ($effects as $name) {
            $referring = $this->referring[$name] ?? [];
            if ($referring === []) {
                $this->inBulk($name, $parsed->writes === null
                    ? 'a statement that is not understood may have written it'
                    : 'a foreign key or a trigger changes it');
            }
            foreach ($referring as $rows) {
                $this->addReferring($name, $rows);
            }
        }
        foreach ($parsed->writes ?? [] as $write) {
            $table = $this->registry->find($write->table);
            $isSchema = \in_array($parsed->verb, ['drop', 'alter'], true);
            $isNothing = $failure === null && $affected === 0 && !$write->returns
                && $this->effects->isTable($write->table);
            if ($table === null) {
                $this->undeclared = $this->undeclared || !$this->isOwn($write->table);
            } elseif ($isNothing && !$isSchema) {
                continue;
            } elseif ($isSchema || ($images instanceof RowImages && $images->areTooMany())) {
                $this->inBulk($write->table, null);
            } elseif ($failure !== null) {
                $this->inBulk($write->table, 'a statement failed that may have changed rows before');
            } elseif (!isset($this->bulk[$table->name])) {
                $this->add($table, $this->exact($table, $write, $images, $affected, $inserted));
            }
        }
    }

    /**
     * Notes what a statement wrote on a server. One that failed has left nothing there.
     *
     * @throws PDOException if the rows cannot be read, and the transaction is lost
     */
    private function noteOnServer(
        Statement $parsed,
        RowImages|string|null $images,
        ?int $affected,
        string $inserted,
        ?Throwable $failure,
        TableFacts $facts,
    ): void {
        $writes = $parsed->writes;
        if ($writes === null || $this->isElsewhere) {
            $this->isAll = $this->isAll || $writes !== [];

            return;
        }
        if ($failure !== null || $this->areNone($parsed)) {
            return;
        }
        $calls = array_filter($writes, static fn(Write $write): bool => $write->calls);
        if ($calls !== [] && $facts->areFunctionsWriting()) {
            $this->isAll = true;

            return;
        }
        $effects = [];
        $through = $this->throughViews($writes);
        $isOne = $through === $writes && \count($writes) === 1;
        // A view may have triggers of its own.
        foreach ($through === null ? [null] : [...$writes, ...$through] as $write) {
            $of = $write === null ? null : $this->effects->of($write);
            if ($of === null) {
                $this->isAll = true;

                return;
            }
            $effects = [...$effects, ...$of];
        }
        $writes = $through ?? [];
        $isOne = $isOne && \in_array($parsed->verb, ['insert', 'update', 'delete', 'replace'], true);
        $write = $writes[0];
        $table = $this->registry->find($write->table);
        $names = $isOne && $table !== null
            ? $this->exact($table, $write, $images, $affected, $inserted)
            : 'a statement does not say plainly which rows it changes';
        if ($images instanceof RowImages && $images->isEmpty() && $names === []) {
            return;
        }
        foreach ($effects as $name) {
            $referring = $this->referring[$name] ?? [];
            if ($referring === []) {
                $this->inBulk($name, 'a foreign key or a trigger changes it');
            }
            foreach ($referring as $rows) {
                $this->addReferring($name, $rows);
            }
        }
        foreach ($writes as $write) {
            $table = $this->registry->find($write->table);
            if ($table === null) {
                $this->undeclared = $this->undeclared || !$this->isOwn($write->table);
            } elseif ($isOne && $affected === 0 && !isset($this->temporary[$write->table])) {
                continue;
            } elseif ($images instanceof RowImages && $images->areTooMany()) {
                $this->inBulk($write->table, null);
            } elseif (!isset($this->bulk[$table->name])) {
                $this->add($table, $names);
            }
        }
    }

    /**
     * The same writes, to the tables that a view reads instead of the view.
     *
     * @param list<Write> $writes
     *
     * @return list<Write>|null null: to what else they write is not known
     */
    private function throughViews(array $writes): ?array
    {
        $through = [];
        foreach ($writes as $write) {
            if ($this->effects->isTable($write->table) || $this->isOwn($write->table)
                || isset($this->temporary[$write->table])) {
                $through[] = $write;
                continue;
            }
            $tables = $this->registry->bases($write->table) ?? [];
            if ($tables === []) {
                return null;
            }
            foreach ($tables as $table) {
                $through[] = new Write(strtolower($table->name), $write->events);
            }
        }

        return $through;
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
            $this->facts === null ? '' : ' FOR UPDATE',
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
     * Whether a statement that failed has changed no row. The database takes back what it did, and counts what it did
     * not take back; but not what its triggers did, nor where a conflict is resolved, nor at another failure than that
     * of a constraint.
     *
     * @param list<string> $effects
     */
    private function leavesNothing(Statement $parsed, array $effects, Throwable $failure): bool
    {
        $write = $parsed->writes[0] ?? null;
        if (
            $effects !== []
            || $write === null
            || $write->rows === null
            || $write->resolves
            || $this->effects->resolves($write->table)
            || !$failure instanceof PDOException
            || !$this->dialect->isConstraint($failure)
        ) {
            return false;
        }
        try {
            return array_values(($this->select)($this->dialect->changes(), [])[0] ?? []) === [0];
        } catch (PDOException) {
            return false;
        }
    }

    /** @return array<string, Name>|string why it cannot be known */
    private function exact(
        Table $table,
        Write $write,
        RowImages|string|null $images,
        ?int $affected,
        string $inserted,
    ): array|string {
        $isInsert = \in_array(Write::INSERT, $write->events, true);

        return match (true) {
            $table->key === '' => 'it has no key of one column',
            $write->moves($table->key) => 'a statement assigns its key',
            \is_string($images) => $images,
            $images === null => 'a statement does not say plainly which rows it changes',
            !$this->effects->isTable($write->table) => 'it is no ordinary table of the database',
            $this->facts === null && $isInsert && !$this->effects->hasRowNumbers($write->table)
                => 'the rows of this table have no number',
            $write->events !== [Write::DELETE] && $this->effects->replaces($write->table)
                => 'a constraint of it says ON CONFLICT REPLACE',
            default => $images->names($write->returns && $this->facts === null ? null : $affected, $inserted),
        };
    }

    /** Reads what foreign keys change in other tables when a DELETE removes these rows. */
    private function follow(string $name, RowImages $images): void
    {
        $effects = $images->isEmpty() || $images->areTooMany() ? [] : $this->effects->ofDelete($name) ?? [];
        foreach ($effects as $effect) {
            $table = $this->registry->find($effect['table']);
            if ($table !== null) {
                // A server ends the transaction with an error of ours, so nothing is asked that could be one: a table
                // without a key of one column, or one that is joined with itself.
                $isAsked = $this->facts === null || ($table->key !== '' && $effect['table'] !== $name);
                $this->referring[$effect['table']][] = $isAsked
                    ? $images->referring($table, $effect)
                    : 'a foreign key or a trigger changes it';
            }
        }
    }

    private function addReferring(string $name, RowImages|string $rows): void
    {
        if (\is_string($rows)) {
            $this->inBulk($name, $rows);
        } elseif (!$rows->isEmpty()) {
            $this->add($rows->table(), $rows->names($rows->found(), ''));
        }
    }

    /** @param array<string, Name>|string $names */
    private function add(Table $table, array|string $names): void
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
     * @param list<Write>|null $writes
     *
     * @return list<string> tables in lower case
     */
    private function effectsOf(?array $writes): array
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

    private function inBulk(string $name, ?string $cause): void
    {
        $table = $this->registry->find($name);
        if ($table !== null) {
            $this->bulk[$table->name] ??= [$table, $cause];
            unset($this->names[$table->name]);
        } else {
            $this->undeclared = $this->undeclared || !$this->isOwn($name);
        }
    }

    private function isOwn(string $table): bool
    {
        return str_starts_with($table, self::OWN);
    }
}
