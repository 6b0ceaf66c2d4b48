<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Dependency\Name;
use Larder\Sql\Reading\AffectedRows;
use Larder\Sql\Reading\Conflict;
use Larder\Sql\Reading\Write;
use Larder\Sql\Schema\LockingDialect;
use Larder\Sql\Schema\Table;
use Larder\Sql\Schema\TableFacts;
use PDOException;
use Throwable;

/** @internal What one statement changes on a server. One that failed has left nothing there. */
final class LockingChange
{
    /** Null: nobody needs it; a text: why it cannot be known. */
    private LockedImages|Upsert|string|null $images = null;

    /** @var array<string, list<LockedImages|string>> by table: what a foreign key is going to change */
    private array $referring = [];

    /**
     * @param Closure(string, array<int, scalar|null>): list<array<string, scalar|null>> $committed as what $writes
     *     selects by, on the second connection
     */
    public function __construct(
        private readonly Writes $writes,
        private readonly LockingDialect $dialect,
        private readonly TableFacts $facts,
        private readonly Closure $committed,
        private readonly Statement $parsed,
    ) {}

    /** Whether nobody else needs to know what the statement writes. */
    public function areNone(): bool
    {
        $writes = $this->parsed->writes;
        if ($writes === null || $this->writes->isElsewhere()) {
            return $writes === [];
        }
        foreach ($writes as $write) {
            $isQuiet = $write->table === '' || $this->writes->isHidden($write->table);
            if (!$isQuiet || ($write->calls && $this->facts->areFunctionsWriting())) {
                return false;
            }
        }

        return true;
    }

    /** The statement runs without a look at what it is about to change. */
    public function leaveUnread(): void
    {
        $this->referring = [];
        $this->images = KeyedRows::UNREAD;
    }

    /**
     * Reads what the statement is about to change, right before it.
     *
     * @param bool $isInside whether the transaction is the application's, so that it must outlive an error of ours
     *
     * @throws PDOException if the statement itself cannot run either
     */
    public function before(?RunningStatement $statement, bool $isInside): void
    {
        $this->referring = [];
        $this->images = null;
        $write = $this->parsed->writes[0] ?? null;
        $rows = $write?->rows;
        $table = $this->writes->followed($this->parsed);
        if ($write === null || $rows === null || $table === null) {
            return;
        }
        $uniques = $rows->verb === Write::INSERT ? $this->writes->effects->uniques($write->table) : [];
        $this->images = match (true) {
            !$this->facts->areSeen($write->table)
                => 'its rows may not be read and locked, or a trigger or a rule comes before its statements',
            \in_array($rows->conflict->action, [Conflict::REPLACE, Conflict::UPDATE], true)
                => $this->upsert($table, $write, $rows, $statement, $uniques),
            default => LockedImages::before(
                $table,
                $write,
                $rows,
                $statement,
                $this->dialect,
                $this->writes->select,
                $this->facts,
                $isInside,
            ),
        };
        if ($rows->verb === Write::DELETE && $this->images instanceof LockedImages) {
            $this->follow($write->table, $this->images);
        }
    }

    /** @param list<array<string, string>>|null $uniques of the table, as SideEffects has them; null: not known */
    private function upsert(
        Table $table,
        Write $write,
        AffectedRows $rows,
        ?RunningStatement $statement,
        ?array $uniques,
    ): Upsert|string {
        $sent = LockedImages::sent($rows, $statement);
        $isNumbered = $this->facts->number($write->table) === strtolower($table->key);

        return $write->returns && !$this->dialect->countsReturned()
            ? 'it is not counted which rows a statement changes that returns some'
            : Upsert::of(
                $table,
                $rows,
                $sent,
                $uniques,
                $isNumbered,
                $this->dialect,
                $this->writes->select,
                $this->committed,
            );
    }

    /**
     * Notes what the statement wrote, right after it.
     *
     * @param int|null $affected how many rows it changed of its own table; null: unknown
     * @param string   $inserted the number of the row that was inserted last
     *
     * @throws PDOException if the rows cannot be read, and the transaction is lost
     */
    public function note(?int $affected, string $inserted, ?Throwable $failure): void
    {
        $writes = $this->parsed->writes;
        $images = $this->images;
        if ($writes === null || $this->writes->isElsewhere()) {
            if ($writes !== []) {
                $this->writes->all();
            }

            return;
        }
        if ($failure !== null || $this->areNone()) {
            return;
        }
        $calls = array_filter($writes, static fn(Write $write): bool => $write->calls);
        if ($calls !== [] && $this->facts->areFunctionsWriting()) {
            $this->writes->all();

            return;
        }
        $effects = [];
        $through = $this->throughViews($writes);
        $isOne = $through === $writes && \count($writes) === 1;
        // A view may have triggers of its own.
        foreach ($through === null ? [null] : [...$writes, ...$through] as $write) {
            $of = $write === null ? null : $this->writes->effects->of($write);
            if ($of === null) {
                $this->writes->all();

                return;
            }
            $effects = [...$effects, ...$of];
        }
        $writes = $through ?? [];
        $isOne = $isOne && \in_array($this->parsed->verb, ['insert', 'update', 'delete', 'replace'], true);
        $write = $writes[0];
        $table = $this->writes->registry->find($write->table);
        $names = $isOne && $table !== null
            ? $this->exact($table, $write, $affected, $inserted)
            : Writes::UNCLEAR;
        if ($images instanceof LockedImages && $images->isEmpty() && $names === []) {
            return;
        }
        foreach ($effects as $name) {
            $referring = $this->referring[$name] ?? [];
            if ($referring === []) {
                $this->writes->inBulk($name, Writes::BY_OTHER);
            }
            foreach ($referring as $rows) {
                if (\is_string($rows)) {
                    $this->writes->inBulk($name, $rows);
                } elseif (!$rows->isEmpty()) {
                    $this->writes->add($rows->table(), $rows->names($rows->found(), ''));
                }
            }
        }
        foreach ($writes as $write) {
            $table = $this->writes->registry->find($write->table);
            if ($table === null) {
                $this->writes->undeclared($write->table);
            } elseif ($isOne && $affected === 0 && !$this->writes->mayBeTemporary($write->table)) {
                continue;
            } elseif ($images !== null && !\is_string($images) && $images->areTooMany()) {
                $this->writes->inBulk($write->table, null);
            } elseif (!$this->writes->isBulk($table)) {
                $this->writes->add($table, $names);
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
            if ($this->writes->effects->isTable($write->table) || $this->writes->isOwn($write->table)
                || $this->writes->mayBeTemporary($write->table)) {
                $through[] = $write;
                continue;
            }
            $tables = $this->writes->registry->bases($write->table) ?? [];
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
     * @return array<string, Name>|string why it cannot be known
     *
     * @throws PDOException
     */
    private function exact(Table $table, Write $write, ?int $affected, string $inserted): array|string
    {
        $images = $this->images;

        return match (true) {
            $table->key === '' => Writes::NO_KEY,
            $write->moves($table->key) => Writes::MOVES,
            \is_string($images) => $images,
            $images === null => Writes::UNCLEAR,
            !$this->writes->effects->isTable($write->table) => Writes::NO_TABLE,
            default => $images->names($affected, $inserted),
        };
    }

    /**
     * Reads what foreign keys change in other tables when a DELETE removes these rows.
     *
     * @throws PDOException
     */
    private function follow(string $name, LockedImages $images): void
    {
        $effects = $images->isEmpty() || $images->areTooMany() ? [] : $this->writes->effects->ofDelete($name) ?? [];
        foreach ($effects as $effect) {
            $table = $this->writes->registry->find($effect['table']);
            if ($table !== null) {
                // A server ends the transaction with an error of ours, so nothing is asked that could be one: a table
                // without a key of one column, or one that is joined with itself.
                $this->referring[$effect['table']][] = $table->key !== '' && $effect['table'] !== $name
                    ? $images->referring($table, $effect)
                    : Writes::BY_OTHER;
            }
        }
    }
}
