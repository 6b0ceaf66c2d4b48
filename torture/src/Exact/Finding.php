<?php

declare(strict_types=1);

namespace Larder\Torture\Exact;

use Larder\Dependency\Registry;

/** What is wrong, and all that led to it. */
final readonly class Finding
{
    /**
     * @param list<string>        $statements that make the schema and its first rows
     * @param list<string>        $pragmas
     * @param Read|null           $read   null: a write did something else than it does without Larder
     * @param list<list<Command>> $before what was written before the read was stored
     * @param list<list<Command>> $after  what was written after that
     */
    public function __construct(
        public string $wrong,
        private array $statements,
        private array $pragmas,
        private Registry $registry,
        private ?Read $read,
        private array $before,
        private array $after,
    ) {}

    /** The same finding with as little as possible: all is left out that it does not need. */
    public function shrunk(string $file, Blindness $blindness): self
    {
        $smallest = $this;
        do {
            $size = $smallest->size();
            for ($at = $size - 1; $at >= 0; --$at) {
                $candidate = $smallest->without($at);
                $smallest = $candidate->isFound($file, $blindness) ? $candidate : $smallest;
            }
        } while ($smallest->size() < $size);

        return $smallest;
    }

    /** @return list<string> */
    public function lines(): array
    {
        $lines = [$this->wrong, '  schema and rows:'];
        foreach ([...$this->pragmas, ...$this->statements] as $statement) {
            $lines[] = "    $statement;";
        }
        if ($this->before !== []) {
            $lines[] = '  written before:';
            array_push($lines, ...self::texts($this->before));
        }
        if ($this->read !== null) {
            array_push($lines, '  read:', '    ' . $this->read->query);
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
        return \count($this->statements) + self::count($this->before) + self::count($this->after);
    }

    /** @param list<list<Command>> $writes */
    private static function count(array $writes): int
    {
        return array_sum(array_map(\count(...), $writes));
    }

    /** All but one of the statements and commands. */
    private function without(int $at): self
    {
        $statements = $this->statements;
        unset($statements[$at]);
        $at -= \count($this->statements);

        return new self(
            $this->wrong,
            array_values($statements),
            $this->pragmas,
            $this->registry,
            $this->read,
            self::fewer($this->before, $at),
            self::fewer($this->after, $at - self::count($this->before)),
        );
    }

    /**
     * @param list<list<Command>> $writes
     *
     * @return list<list<Command>>
     */
    private static function fewer(array $writes, int $at): array
    {
        $fewer = [];
        foreach ($writes as $commands) {
            $all = \count($commands);
            unset($commands[$at]);
            $at -= $all;
            if ($commands !== []) {
                $fewer[] = array_values($commands);
            }
        }

        return $fewer;
    }

    /** Whether the same is wrong again. */
    private function isFound(string $file, Blindness $blindness): bool
    {
        $trial = new Trial($file, $this->statements, $this->pragmas, $this->registry, $blindness);
        try {
            foreach ($this->before as $commands) {
                $trial->write($commands);
            }
            $stored = $this->read === null ? null : $trial->record($this->read);
            if (\is_string($stored)) {
                return $stored === '!' . $this->wrong;
            }
            $wrong = null;
            foreach ($this->after as $commands) {
                $wrong ??= $trial->write($commands);
            }
            if ($stored === null) {
                return ($wrong ?? $trial->difference()) !== null;
            }

            return $trial->now($stored) !== $stored->result && Round::wrong($trial, $stored) !== null;
        } finally {
            $trial->remove();
        }
    }
}
