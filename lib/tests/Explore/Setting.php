<?php

declare(strict_types=1);

namespace Larder\Tests\Explore;

/** How many processes there are and what may befall them. Deaths always may. */
final readonly class Setting
{
    /**
     * @param int  $flushers  processes that take every page away, as `larder flush` does
     * @param bool $faults    every call that changes a file may fail
     * @param bool $everyStep suspends also before what cannot matter to other processes; see DrivenPdo and DrivenFiles
     */
    public function __construct(
        public int $renderers,
        public int $writers,
        public bool $faults = false,
        public bool $everyStep = false,
        public int $flushers = 0,
    ) {}

    /** @return list<self> together about twenty seconds */
    public static function usual(): array
    {
        return [
            new self(1, 1),
            new self(1, 1, everyStep: true),
            new self(1, 1, faults: true),
            new self(1, 0, everyStep: true, flushers: 1),
            new self(1, 2),
            new self(2, 1),
        ];
    }

    /** @param Wrong|null $sought ends at the first state in which this is so; null: all states */
    public function explore(Subject $subject = new Subject(), ?Wrong $sought = null): Exploration
    {
        $ground = Ground::temporary(new StoppedClock());
        try {
            return (new Explorer(new Scene($ground, $subject, $this), $sought))->explore();
        } finally {
            $ground->remove();
        }
    }

    public function __toString(): string
    {
        return \sprintf('%dR %dW%s%s%s', $this->renderers, $this->writers, $this->flushers > 0 ? \sprintf(' %dF', $this->flushers) : '', $this->faults ? ' with faults' : '', $this->everyStep ? ' every step' : '');
    }
}
