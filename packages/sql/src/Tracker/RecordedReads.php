<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use Closure;
use Larder\Dependency\Name;
use Larder\Sql\Schema\Registry;

/** @internal The dependencies recorded while one result was being made, and the reasons not to store it. */
final class RecordedReads
{
    /** How the refusal begins if a statement failed. */
    public const FAILED = 'a statement failed';

    /** @var array<string, Name> */
    private array $names = [];

    /** @var array<int, int> version by slot, in the snapshot that the result was read in */
    private array $versions = [];

    /** @var array<string, array<string, non-empty-list<string>>> column sets by table */
    private array $wanted = [];

    /** Whether the connection has seen a statement of it. */
    private bool $hasStatements = false;

    /** Whether functions of PHP may run statements that the connection does not see. */
    private bool $mayBePassed = false;

    private string $life = '';

    private ?string $refusal = null;

    /** Whether the refusal is that a statement failed. */
    private bool $hasFailed = false;

    private ?string $clock = null;

    private float $ends = PHP_FLOAT_MAX;

    /** @param Closure(list<Name>): void|null $before gets each new name before its data is read */
    public function __construct(
        private readonly Registry $registry,
        private readonly ?Closure $before = null,
    ) {}

    public function add(Name ...$names): void
    {
        $this->addAll($names);
    }

    /** @param array<Name> $names */
    private function addAll(array $names): void
    {
        $new = [];
        foreach ($names as $name) {
            $known = $this->names[$name->name] ?? null;
            // A word can have the text of another name.
            if ($known !== null && $known->table === $name->table) {
                continue;
            }
            if ($known === null) {
                $this->names[$name->name] = $new[] = $name;
            }
            if ($name->table !== '' && !isset($this->names[$name->table . '!'])) {
                $this->names[$name->table . '!'] = $new[] = Name::all($name->table);
            }
        }
        if ($new !== [] && $this->before !== null) {
            ($this->before)($new);
        }
    }

    /** Adds what was recorded for a part of the result. */
    public function include(self $part): void
    {
        $this->add(...array_values($part->names));
        foreach ($part->wanted as $table => $sets) {
            $this->wanted[$table] = $sets + ($this->wanted[$table] ?? []);
        }
        $this->hasFailed = $this->refusal === null ? $part->hasFailed : $this->hasFailed;
        $this->hasStatements = $this->hasStatements || $part->hasStatements;
        $this->refusal ??= $part->refusal;
        $this->clock ??= $part->clock;
        $this->ends = min($this->ends, $part->ends);
    }

    /**
     * Notes that a part of the result is bounded by time only.
     *
     * @param float $ends Unix time
     */
    public function bound(string $reason, float $ends): void
    {
        $this->clock ??= $reason;
        $this->ends = min($this->ends, $ends);
    }

    /** The Unix time at which its first part ends that is bounded by time only; PHP_FLOAT_MAX: there is none. */
    public function ends(): float
    {
        return $this->ends;
    }

    /**
     * Adds what the statement's own equalities say it reads of each table that no given name covers. A table that they
     * do not narrow counts as read whole.
     *
     * @param Closure(int, string|null): (array{int|string|null}|null)|null $sent what the database gets as the value of
     *     a parameter, by its position from 1 on and its `:name` in lower case, if it has one; null: it is not certain
     */
    public function statement(Statement $statement, ?Closure $sent = null, Name ...$names): void
    {
        $this->hasStatements = true;
        if ($statement->refusal !== null) {
            $this->refuse('a statement ' . $statement->refusal);

            return;
        }
        $covered = [];
        foreach ($names as $name) {
            $covered[] = strtolower($name->table);
        }
        $derived = $statement->reads($this->registry);
        if ($derived !== null) {
            $read = $derived->names($sent, $statement->literals(), $covered, $this->wanted);
            $this->addAll($names === [] ? $read : [...array_values($names), ...$read]);
        } else {
            $this->addAll($names);
            $this->wholly($statement, $covered);
        }
        foreach ($statement->unknown() as $source) {
            $this->view($source, $covered);
        }
        if ($statement->volatile || $statement->asksForTime($sent)) {
            $this->clock ??= 'a statement asks for the time, for chance or for the connection\'s state';
        } elseif ($statement->asksForRowids($this->registry)) {
            $this->clock ??= 'a statement reads rowids, which VACUUM may change';
        }
    }

    /**
     * A view counts as all of the tables that it reads.
     *
     * @param list<string> $covered
     */
    private function view(string $name, array $covered): void
    {
        $tables = $this->registry->bases($name);
        if ($tables === null) {
            $this->refuse(\sprintf('a statement reads %s, which the registry does not declare', $name));
        }
        foreach ($tables ?? [] as $table) {
            if (!\in_array(strtolower($table->name), $covered, true)) {
                $this->add($table->whole());
            }
        }
    }

    /** @param list<string> $covered */
    private function wholly(Statement $statement, array $covered): void
    {
        foreach ($statement->identifiers as $identifier) {
            $table = $this->registry->find($identifier);
            // Many columns have the name of some table of the database.
            $isTable = $table?->isDeclared() === true || \in_array($identifier, $statement->sources, true);
            if ($table !== null && $isTable && !\in_array($identifier, $covered, true)) {
                $this->add($table->whole());
            }
        }
    }

    /**
     * The column sets that statements compared by equality and the registry does not declare. With them the names would
     * have been narrower.
     *
     * @return array<string, list<non-empty-list<string>>> by table, the columns of each set sorted
     */
    public function wanted(): array
    {
        return array_map(array_values(...), $this->wanted);
    }

    /**
     * Compares the rows that a statement returned to the names that it was given, if these are rows of one table only.
     *
     * @param list<array<string, scalar|null>> $rows
     */
    public function rows(Statement $statement, array $rows, Name ...$names): void
    {
        $table = \count($statement->sources) === 1 ? $this->registry->find($statement->sources[0]) : null;
        if ($table === null || $names === [] || !isset($rows[0][$table->key])) {
            return;
        }
        $named = [];
        foreach ($names as $name) {
            if (!str_starts_with($name->name, $table->name . ':')) {
                return;
            }
            $named[$name->name] = true;
        }
        foreach (array_column($rows, $table->key) as $key) {
            $read = $table->row($key ?? '')->name;
            if (!isset($named[$read])) {
                $this->refuse(\sprintf('a statement read %s, and was said to read %s', $read, implode(', ', $names)));

                return;
            }
        }
    }

    /** Functions of PHP may run statements that the connection does not see. */
    public function mayBePassed(): void
    {
        $this->mayBePassed = true;
    }

    /** Counts each table that nothing was recorded of as read whole: it may be read past this connection. */
    public function atLeast(string ...$tables): void
    {
        if ($this->mayBePassed && $tables !== [] && !$this->hasStatements && $this->names === []) {
            $this->refuse('its connection saw no statement, though #[Reads] declares tables: call methods such as '
                . '$db->query() in place of functions such as mysqli_query(), or say #[Reads(…, trust: true)]');
        }
        foreach (array_diff($tables, $this->tables()) as $name) {
            $table = $this->registry->find($name);
            if ($table === null) {
                $this->refuse(\sprintf('it reads %s, which the registry does not declare', $name));
            } else {
                $this->add($table->whole());
            }
        }
    }

    /** Forbids to store the result. The first reason is kept. */
    public function refuse(string $reason): void
    {
        $this->refusal ??= $reason;
    }

    public function refusal(): ?string
    {
        return $this->refusal;
    }

    /**
     * Forbids to store the result, since it may be made from the failure of a statement, whoever catches that. What the
     * database said of it stays out of the reason, which visitors see.
     *
     * @param string $state SQLSTATE; '': nobody knows it
     */
    public function failed(string $state = ''): void
    {
        $this->hasFailed = $this->hasFailed || $this->refusal === null;
        $this->refuse(self::FAILED . ($state === '' ? '' : " (SQLSTATE $state)"));
    }

    /** Whether the refusal is that a statement failed. */
    public function hasFailed(): bool
    {
        return $this->hasFailed;
    }

    /** @return string|null why the result does not follow from the tables alone, so that only a ttl bounds its age */
    public function clock(): ?string
    {
        return $this->clock;
    }

    /** @return list<string> sorted */
    public function names(): array
    {
        $names = array_map(strval(...), array_keys($this->names));
        sort($names, SORT_STRING);

        return $names;
    }

    /** @return list<string> */
    public function tables(): array
    {
        $tables = array_map(static fn(Name $name): string => $name->table, array_values($this->names));

        return array_values(array_diff(array_unique($tables), ['']));
    }

    /** @return list<int> sorted, each once */
    public function slots(int $slots): array
    {
        $found = array_unique(
            array_map(static fn(Name $name): int => $name->slot($slots), array_values($this->names)),
        );
        sort($found);

        return $found;
    }

    /**
     * @param array<int, int> $versions
     * @param string          $life     of the ledger, in the same snapshot
     */
    public function seal(array $versions, string $life): void
    {
        $this->versions = $versions;
        $this->life = $life;
    }

    /** The life of the ledger in the snapshot that the result was read in. Without one, nothing can be stored. */
    public function life(): string
    {
        return $this->life;
    }

    /** The same moment without names: of a page that no change drops. */
    public function unnamed(): self
    {
        $unnamed = new self($this->registry);
        $unnamed->life = $this->life;

        return $unnamed;
    }

    /** @return array<int, int> */
    public function versions(): array
    {
        return $this->versions;
    }
}
