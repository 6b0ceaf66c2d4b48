<?php

declare(strict_types=1);

namespace Larder\Tests\Explore;

/** What an exploration found. */
final readonly class Exploration
{
    /**
     * @param list<string>                       $sights    what nginx may have to serve beside what is committed, each once, sorted
     * @param array<value-of<Wrong>, int>        $wrong     states in which it is so
     * @param array<value-of<Wrong>, list<Move>> $schedules the first that led to one
     * @param array<value-of<Wrong>, string>     $reasons
     */
    public function __construct(
        public int $states,
        public int $transitions,
        public array $sights,
        public array $wrong,
        private array $schedules,
        private array $reasons,
    ) {}

    /** @return list<string> */
    public function schedule(Wrong $wrong): array
    {
        return array_map(strval(...), $this->schedules[$wrong->value] ?? []);
    }

    public function explained(): string
    {
        $text = \sprintf('%d states', $this->states);
        foreach ($this->reasons as $wrong => $reason) {
            $text .= \sprintf("\n%s: %s after\n    %s", $wrong, $reason, implode("\n    ", $this->schedule(Wrong::from($wrong))));
        }

        return $text;
    }
}
