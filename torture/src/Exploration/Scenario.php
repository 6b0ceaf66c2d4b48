<?php

declare(strict_types=1);

namespace Larder\Torture\Exploration;

/** How many processes there are and what may happen to them. Each may die before any step. */
final readonly class Scenario
{
    /**
     * @param int  $flushers  processes that take every page away, as `larder flush` does
     * @param bool $faults    every call that changes a file may fail
     * @param bool $everyStep suspends also before what cannot matter to other processes; see DrivenPdo and DrivenFiles
     * @param int  $minimum   states that there are at least
     */
    public function __construct(
        public int $renderers,
        public int $writers,
        public bool $faults = false,
        public bool $everyStep = false,
        public int $flushers = 0,
        public int $minimum = 0,
    ) {}

    /** @return list<self> together about forty seconds */
    public static function usual(): array
    {
        return [
            new self(1, 1, minimum: 120),
            new self(1, 1, everyStep: true, minimum: 700),
            new self(1, 1, faults: true, minimum: 150),
            new self(1, 0, everyStep: true, flushers: 1, minimum: 1000),
            new self(1, 2, minimum: 350),
            new self(2, 1, minimum: 3000),
        ];
    }

    /** @param Violation|null $sought ends at the first state in which this is so; null: all states */
    public function explore(
        Implementation $implementation = new Implementation(),
        ?Violation $sought = null,
    ): Exploration {
        $storage = Storage::temporary(new StoppedClock());
        try {
            return (new Explorer(new PageSystem($storage, $implementation, $this), $sought))->explore();
        } finally {
            $storage->remove();
        }
    }

    public function __toString(): string
    {
        return "{$this->renderers}R {$this->writers}W"
            . ($this->flushers > 0 ? " {$this->flushers}F" : '')
            . ($this->faults ? ' with faults' : '')
            . ($this->everyStep ? ' every step' : '');
    }
}
