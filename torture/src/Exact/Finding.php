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

    /** The same finding with as little as possible: each statement is left out that it does not need. */
    public function shrunk(string $file, Blindness $blindness): self
    {
        $smallest = $this;
        if ($this->found($file, $blindness) !== null) {
            do {
                $size = $smallest->size();
                foreach (['after', 'before', 'statements'] as $part) {
                    $smallest = $smallest->shrunkIn($part, $file, $blindness);
                }
            } while ($smallest->size() < $size);
        }

        return $smallest;
    }

    /** @return list<string> */
    public function lines(): array
    {
        $commands = static fn(array $written): array => array_map(
            static fn(mixed $command): string => '    ' . (\is_scalar($command) || $command instanceof Command
                ? (string) $command
                : ''),
            array_merge(...array_values(array_filter($written, is_array(...)))),
        );

        return [
            $this->wrong,
            '  schema and rows:',
            ...array_map(static fn(string $sql): string => "    $sql;", [...$this->pragmas, ...$this->statements]),
            ...($this->before === [] ? [] : ['  written before:', ...$commands($this->before)]),
            ...($this->read === null ? [] : ['  read:', '    ' . $this->read->query]),
            '  written:',
            ...$commands($this->after),
        ];
    }

    private function size(): int
    {
        return \count($this->statements) + array_sum(array_map(\count(...), [...$this->before, ...$this->after]));
    }

    private function shrunkIn(string $part, string $file, Blindness $blindness): self
    {
        $smallest = $this;
        $list = match ($part) {
            'statements' => $this->statements,
            'before' => $this->before,
            default => $this->after,
        };
        for ($i = \count($list) - 1; $i >= 0; --$i) {
            $fewer = $list;
            array_splice($fewer, $i, 1);
            $candidate = $smallest->with($part, $fewer);
            if ($candidate->found($file, $blindness) !== null) {
                $smallest = $candidate;
                $list = $fewer;
            } elseif (\is_array($list[$i]) && \count($list[$i]) > 1) {
                [$smallest, $list[$i]] = $smallest->withFewerCommands($part, $list, $i, $file, $blindness);
            }
        }

        return $smallest;
    }

    /**
     * @param list<string|list<Command>> $list
     *
     * @return array{self, list<Command>}
     */
    private function withFewerCommands(string $part, array $list, int $i, string $file, Blindness $blindness): array
    {
        $smallest = $this;
        $commands = \is_array($list[$i] ?? null) ? $list[$i] : [];
        for ($n = \count($commands) - 1; $n >= 0; --$n) {
            $fewer = $commands;
            array_splice($fewer, $n, 1);
            $list[$i] = $fewer;
            $candidate = $smallest->with($part, $list);
            if ($fewer !== [] && $candidate->found($file, $blindness) !== null) {
                $smallest = $candidate;
                $commands = $fewer;
            }
        }

        return [$smallest, $commands];
    }

    /** @param list<string|list<Command>> $list */
    private function with(string $part, array $list): self
    {
        return new self(
            $this->wrong,
            $part === 'statements' ? array_values(array_filter($list, is_string(...))) : $this->statements,
            $this->pragmas,
            $this->registry,
            $this->read,
            $part === 'before' ? array_values(array_filter($list, is_array(...))) : $this->before,
            $part === 'after' ? array_values(array_filter($list, is_array(...))) : $this->after,
        );
    }

    /** @return string|null what is wrong, if this is so again */
    private function found(string $file, Blindness $blindness): ?string
    {
        $trial = new Trial($file, $this->statements, $this->pragmas, $this->registry, $blindness);
        try {
            foreach ($this->before as $commands) {
                $trial->write($commands);
            }
            $stored = $this->read === null ? null : $trial->record($this->read);
            if (\is_string($stored)) {
                return str_starts_with($stored, '!') ? $stored : null;
            }
            $wrong = null;
            foreach ($this->after as $commands) {
                $wrong ??= $trial->write($commands);
            }
            if ($stored === null) {
                return $wrong ?? $trial->difference();
            }

            return $trial->now($stored) === $stored->result ? null : Round::wrong($trial, $stored);
        } finally {
            $trial->remove();
        }
    }
}
