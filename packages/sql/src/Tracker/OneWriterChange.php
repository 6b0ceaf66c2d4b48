<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Larder\Dependency\Name;
use Larder\Sql\Reading\Write;
use Larder\Sql\Schema\Table;
use PDOException;
use Throwable;

/** @internal What one statement changes where there is one writer at a time. */
final class OneWriterChange
{
    /** Null: nobody needs it; a text: why it cannot be known. */
    private OneWriterImages|string|null $images = null;

    /** @var array<string, list<OneWriterImages|string>> by table: what a foreign key is going to change */
    private array $referring = [];

    public function __construct(
        private readonly Writes $writes,
        private readonly Statement $parsed,
    ) {}

    /** Whether it depends on the schema which rows have to be read before the statement runs. */
    public function needsSchema(): bool
    {
        $rows = $this->parsed->writes[0]->rows ?? null;

        return $rows !== null && ($rows->verb === Write::DELETE || $rows->values !== []);
    }

    /**
     * Reads what the statement is about to change, right before it.
     *
     * @param bool $knowsSchema whether the schema was read in this transaction
     */
    public function before(?RunningStatement $statement, bool $knowsSchema): void
    {
        $write = $this->parsed->writes[0] ?? null;
        $rows = $write?->rows;
        $table = $this->writes->followed($this->parsed);
        if ($write === null || $rows === null || $table === null) {
            return;
        }
        $this->images = OneWriterImages::before(
            $table,
            $rows,
            $statement,
            $this->writes->dialect,
            $this->writes->select,
            $knowsSchema && $rows->values !== [] ? $this->writes->effects->uniques($write->table) : null,
        );
        if ($knowsSchema && $rows->verb === Write::DELETE && $this->images instanceof OneWriterImages) {
            $this->follow($write->table, $this->images);
        }
    }

    /**
     * Notes what the statement wrote, right after it.
     *
     * @param int|null $affected how many rows it changed of its own table; null: unknown
     * @param string   $inserted the number of the row that was inserted last
     */
    public function note(?int $affected, string $inserted, ?Throwable $failure): void
    {
        $writes = $this->parsed->writes;
        $effects = $this->writes->effectsOf($writes);
        $images = $this->images;
        $isNowhere = $failure === null && $images instanceof OneWriterImages && $images->isEmpty();
        if ($isNowhere || ($failure !== null && $this->leavesNothing($effects, $failure))) {
            return;
        }
        foreach ($effects as $name) {
            $referring = $this->referring[$name] ?? [];
            if ($referring === []) {
                $this->writes->inBulk($name, $writes === null
                    ? 'a statement that is not understood may have written it'
                    : Writes::BY_OTHER);
            }
            foreach ($referring as $rows) {
                if (\is_string($rows)) {
                    $this->writes->inBulk($name, $rows);
                } elseif (!$rows->isEmpty()) {
                    $this->writes->add($rows->table(), $rows->names(null, ''));
                }
            }
        }
        foreach ($writes ?? [] as $write) {
            $table = $this->writes->registry->find($write->table);
            $isSchema = \in_array($this->parsed->verb, ['drop', 'alter'], true);
            $isNothing = $failure === null && $affected === 0 && !$write->returns
                && $this->writes->effects->isTable($write->table);
            if ($table === null) {
                $this->writes->undeclared($write->table);
            } elseif ($isNothing && !$isSchema) {
                continue;
            } elseif ($isSchema || ($images instanceof OneWriterImages && $images->areTooMany())) {
                $this->writes->inBulk($write->table, null);
            } elseif ($failure !== null) {
                $this->writes->inBulk($write->table, 'a statement failed that may have changed rows before');
            } elseif (!$this->writes->isBulk($table)) {
                $this->writes->add($table, $this->exact($table, $write, $affected, $inserted));
            }
        }
    }

    /**
     * Whether a statement that failed has changed no row. The database takes back what it did, and counts what it did
     * not take back; but not what its triggers did, nor where a conflict is resolved, nor at another failure than that
     * of a constraint.
     *
     * @param list<string> $effects
     */
    private function leavesNothing(array $effects, Throwable $failure): bool
    {
        $write = $this->parsed->writes[0] ?? null;
        if (
            $effects !== []
            || $write === null
            || $write->rows === null
            || $write->resolves
            || $this->writes->effects->resolves($write->table)
            || !$failure instanceof PDOException
            || !$this->writes->dialect->isConstraint($failure)
        ) {
            return false;
        }
        try {
            $row = ($this->writes->select)($this->writes->dialect->changes(), [])[0] ?? [];

            return array_values($row) === [0];
        } catch (PDOException) {
            return false;
        }
    }

    /** @return array<string, Name>|string why it cannot be known */
    private function exact(Table $table, Write $write, ?int $affected, string $inserted): array|string
    {
        $effects = $this->writes->effects;
        $images = $this->images;
        $isInsert = \in_array(Write::INSERT, $write->events, true);

        return match (true) {
            $table->key === '' => Writes::NO_KEY,
            $write->moves($table->key) => Writes::MOVES,
            \is_string($images) => $images,
            $images === null => Writes::UNCLEAR,
            !$effects->isTable($write->table) => Writes::NO_TABLE,
            $isInsert && !$effects->hasRowNumbers($write->table) => 'the rows of this table have no number',
            $write->events !== [Write::DELETE] && $effects->replaces($write->table)
                => 'a constraint of it says ON CONFLICT REPLACE',
            default => $images->names($write->returns ? null : $affected, $inserted),
        };
    }

    /** Reads what foreign keys change in other tables when a DELETE removes these rows. */
    private function follow(string $name, OneWriterImages $images): void
    {
        $effects = $images->isEmpty() || $images->areTooMany() ? [] : $this->writes->effects->ofDelete($name) ?? [];
        foreach ($effects as $effect) {
            $table = $this->writes->registry->find($effect['table']);
            if ($table !== null) {
                $this->referring[$effect['table']][] = $images->referring($table, $effect);
            }
        }
    }
}
