<?php

declare(strict_types=1);

namespace Larder\Proof\Exact;

use Larder\Sql\Schema\Registry;
use Larder\Tests\Support\Sql\Command;
use Larder\Tests\Support\Sql\Read;
use Larder\Tests\Support\Sql\Schema;

/** What is wrong, and all that led to it. */
final readonly class Finding
{
    /** Databases that are made to find a smaller one. */
    private const TRIES = 300;

    /**
     * @param Read|null           $read   null: a write did something else than it does without Larder
     * @param list<list<Command>> $before what was written before the read was stored
     * @param list<list<Command>> $after  what was written after that
     * @param list<int>|null      $steps  who did each step, if the read and the first write of those after it overlap:
     *     0 is the writer, 1 the renderer
     */
    public function __construct(
        public string $wrong,
        private Schema $schema,
        private Registry $registry,
        private ?Read $read,
        private array $before,
        private array $after,
        private ?array $steps = null,
    ) {}

    /** The same finding with little: most is left out that it does not need. */
    public function shrunk(Host $host, string $name, Blindness $blindness): self
    {
        $smallest = $this;
        $tries = 0;
        for ($length = intdiv($this->size(), 3); $length >= 1; $length = $length === 1 ? 0 : intdiv($length, 2)) {
            do {
                $size = $smallest->size();
                for ($at = $size - $length; $at > -$length && $tries < self::TRIES; $at -= $length) {
                    $candidate = $smallest->without(max(0, $at), $length);
                    $smallest = $candidate->isFound($host, $name . ++$tries, $blindness) ? $candidate : $smallest;
                }
            } while ($length === 1 && $smallest->size() < $size && $tries < self::TRIES);
        }

        return $smallest;
    }

    /** @return list<string> */
    public function lines(): array
    {
        $lines = [$this->wrong];
        if ($this->schema->attributes !== []) {
            $lines[] = '  attributes: ' . json_encode($this->schema->attributes);
        }
        $lines[] = '  schema and rows:';
        foreach ([...$this->schema->settings, ...$this->schema->statements] as $statement) {
            $lines[] = "    $statement;";
        }
        if ($this->before !== []) {
            $lines[] = '  written before:';
            array_push($lines, ...self::texts($this->before));
        }
        if ($this->read !== null) {
            array_push($lines, '  read:', '    ' . $this->read->query);
        }

        if ($this->steps !== null) {
            $lines[] = '  steps (0: the writer, 1: the renderer): ' . implode(' ', $this->steps);
        }

        return [...$lines, '  written:', ...self::texts($this->after)];
    }

    /**
     * @param list<list<Command>> $writes
     *
     * @return list<string>
     */
    private static function texts(array $writes): array
    {
        return array_map(static fn(Command $command): string => "    $command", array_merge(...$writes));
    }

    /** How many statements and commands there are. */
    private function size(): int
    {
        return \count($this->schema->statements) + self::count($this->before) + self::count($this->after);
    }

    /** @param list<list<Command>> $writes */
    private static function count(array $writes): int
    {
        return array_sum(array_map(\count(...), $writes));
    }

    /** All but some of the statements and commands. */
    private function without(int $at, int $length): self
    {
        $statements = $this->schema->statements;
        $all = \count($statements);
        array_splice($statements, min($at, $all), max(0, min($length, $all - $at)));
        $from = $at - $all;

        return new self(
            $this->wrong,
            $this->schema->with($statements),
            $this->registry,
            $this->read,
            self::fewer($this->before, $from, $length),
            self::fewer($this->after, $from - self::count($this->before), $length),
            $this->steps,
        );
    }

    /**
     * @param list<list<Command>> $writes
     *
     * @return list<list<Command>>
     */
    private static function fewer(array $writes, int $at, int $length): array
    {
        $fewer = [];
        $n = 0;
        foreach ($writes as $commands) {
            $left = [];
            foreach ($commands as $command) {
                if ($n < $at || $n >= $at + $length) {
                    $left[] = $command;
                }
                ++$n;
            }
            if ($left !== []) {
                $fewer[] = $left;
            }
        }

        return $fewer;
    }

    /** Whether the same is wrong again. */
    private function isFound(Host $host, string $name, Blindness $blindness): bool
    {
        if ($this->after === []) {
            return false;
        }
        $trial = new Trial($host, $name, $this->schema, $this->registry, $blindness);
        try {
            foreach ($this->before as $commands) {
                $trial->write($commands);
            }
            $stored = $after = null;
            if ($this->read !== null && $this->steps !== null) {
                [$made, $after] = $this->overlapped($trial, $this->read);
                $stored = $made ?? '';
            } elseif ($this->read !== null) {
                $stored = $trial->record($this->read);
            }
            if (\is_string($stored)) {
                return $stored === '!' . $this->wrong;
            }
            $wrong = null;
            foreach ($after ?? $this->after as $commands) {
                $wrong ??= $trial->write($commands);
            }
            if ($stored === null) {
                return ($wrong ?? $trial->difference()) !== null;
            }

            return $trial->now($stored) !== $stored->result && Round::wrong($trial, $stored) !== null;
        } finally {
            $trial->remove();
            unset($trial);
            gc_collect_cycles();
        }
    }

    /** @return array{StoredRead|null, list<list<Command>>} the read, and what is written after it */
    private function overlapped(Trial $trial, Read $read): array
    {
        $after = $this->after;
        $steps = $this->steps ?? [];
        [, $stored] = $trial->overlap([[$read]], array_shift($after) ?? [], static function () use (&$steps): int {
            return array_shift($steps) ?? 0;
        });

        return [$stored[0] ?? null, $after];
    }
}
