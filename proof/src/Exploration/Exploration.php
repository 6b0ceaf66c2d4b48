<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

/** What an exploration found. */
final readonly class Exploration
{
    /**
     * @param list<string> $sights what nginx may have to serve beside what is committed, each once, sorted
     * @param array<value-of<Violation>, int>        $violations states in which there is one
     * @param array<value-of<Violation>, list<Move>> $schedules the first that led to one
     * @param array<value-of<Violation>, string>     $reasons
     */
    public function __construct(
        public int $states,
        public int $transitions,
        public array $sights,
        public array $violations,
        private array $schedules,
        private array $reasons,
    ) {}

    /** @return list<string> */
    public function schedule(Violation $violation): array
    {
        return array_map(strval(...), $this->schedules[$violation->value] ?? []);
    }

    public function explained(): string
    {
        $text = \sprintf('%d states', $this->states);
        foreach ($this->reasons as $violation => $reason) {
            $text .= \sprintf(
                "\n%s: %s after\n    %s",
                $violation,
                $reason,
                implode("\n    ", $this->schedule(Violation::from($violation))),
            );
        }

        return $text;
    }
}
