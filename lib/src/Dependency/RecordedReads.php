<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Closure;

/** The dependencies recorded while one result was being made, with what forbids to store it. */
final class RecordedReads
{
    /** @var array<string, Dependency> */
    private array $names = [];

    /** @var array<int, int> slot to version, of the snapshot that the result was read in */
    private array $versions = [];

    private ?string $refusal = null;

    private ?string $clock = null;

    private float $ends = PHP_FLOAT_MAX;

    /** @param Closure(list<Dependency>): void|null $before is given the names that come new, before the data is read */
    public function __construct(
        private readonly Registry $registry,
        private readonly ?Closure $before = null,
    ) {}

    public function add(Dependency ...$names): void
    {
        $new = [];
        foreach ($names as $name) {
            $all = $this->registry->all($name->table);
            $new += [$name->name => $name, $all->name => $all];
        }
        $new = array_diff_key($new, $this->names);
        if ($new !== []) {
            $this->names += $new;
            if ($this->before !== null) {
                ($this->before)(array_values($new));
            }
        }
    }

    /** Takes over what was recorded of a part of the result. */
    public function include(self $part): void
    {
        $this->add(...array_values($part->names));
        $this->refusal ??= $part->refusal;
        $this->clock ??= $part->clock;
        $this->ends = min($this->ends, $part->ends);
    }

    /**
     * Something in the result is bounded by time only.
     *
     * @param float $ends Unix time
     */
    public function bound(string $reason, float $ends): void
    {
        $this->clock ??= $reason;
        $this->ends = min($this->ends, $ends);
    }

    /** The Unix time at which the first thing in it ends that is bounded by time only; PHP_FLOAT_MAX: nothing in it. */
    public function ends(): float
    {
        return $this->ends;
    }

    /** A table of the statement that no name covers counts as read whole: forgetting a name costs precision, never freshness. */
    public function statement(Statement $statement, Dependency ...$names): void
    {
        if ($statement->refusal !== null) {
            $this->refuse('a statement ' . $statement->refusal);

            return;
        }
        $this->add(...$names);
        $covered = array_map(static fn(Dependency $name): string => strtolower($name->table), $names);
        foreach ($statement->identifiers as $identifier) {
            $table = $this->registry->find($identifier);
            if ($table !== null && !\in_array($identifier, $covered, true)) {
                $this->add($table->whole());
            }
        }
        foreach ($statement->sources as $source) {
            if ($this->registry->find($source) === null) {
                $this->refuse(\sprintf('a statement reads %s, which the registry does not declare', $source));
            }
        }
        if ($statement->volatile) {
            $this->clock ??= 'a statement asks for the time, for chance or for the connection\'s state';
        }
    }

    /** The result may not be stored. The first reason stays. */
    public function refuse(string $reason): void
    {
        $this->refusal ??= $reason;
    }

    public function refusal(): ?string
    {
        return $this->refusal;
    }

    /** Why the result does not follow from the tables alone: only a ttl can bound its age. */
    public function clock(): ?string
    {
        return $this->clock;
    }

    /** @return list<string> in the order of the names' text */
    public function names(): array
    {
        $names = array_map(strval(...), array_keys($this->names));
        sort($names, SORT_STRING);

        return $names;
    }

    /** @return list<string> */
    public function tables(): array
    {
        return array_values(array_unique(array_map(static fn(Dependency $name): string => $name->table, array_values($this->names))));
    }

    /** @return list<int> sorted, each once */
    public function slots(int $slots): array
    {
        $found = array_unique(array_map(static fn(Dependency $name): int => $name->slot($slots), array_values($this->names)));
        sort($found);

        return $found;
    }

    /** @param array<int, int> $versions */
    public function seal(array $versions): void
    {
        $this->versions = $versions;
    }

    /** @return array<int, int> */
    public function versions(): array
    {
        return $this->versions;
    }
}
