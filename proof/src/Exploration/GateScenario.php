<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

/** How many processes of each kind change or read one name, and what may happen to them. */
final readonly class GateScenario
{
    /**
     * @param int  $readers that know the name before they read
     * @param int  $late    readers that tell the name after they have read
     * @param int  $deaths  writers that may die, at any step; a dead writer's gate may end
     * @param int  $losses  how often the gate, the counter or what was noted of changes may be lost, at any step
     * @param int  $others  writers of another name
     * @param int  $old     readers in a transaction that began before they take the versions
     * @param bool $unseen  a late reader does not look whether anything changed, and an old one does not tell of its
     *     transaction, so that a stale value must be found
     * @param int  $minimum states that there are at least
     */
    public function __construct(
        public int $readers,
        public int $late,
        public int $writers,
        public int $deaths = 0,
        public int $losses = 0,
        public int $others = 0,
        public int $old = 0,
        public bool $unseen = false,
        public int $minimum = 0,
    ) {}

    /** @return list<self> those in which nothing may be stale */
    public static function usual(): array
    {
        return [
            new self(1, 0, 1, deaths: 1, minimum: 150),
            new self(1, 0, 1, losses: 1, minimum: 700),
            new self(0, 1, 1, deaths: 1, minimum: 150),
            new self(0, 1, 1, losses: 1, minimum: 700),
            new self(1, 1, 1, minimum: 1400),
            new self(1, 0, 2, minimum: 15_000),
            new self(0, 1, 1, others: 1, minimum: 1900),
            new self(0, 1, 0, others: 1, losses: 1, minimum: 700),
            new self(0, 0, 1, deaths: 1, old: 1, minimum: 30),
        ];
    }

    public function __toString(): string
    {
        $counts = [$this->readers, $this->late, $this->old, $this->writers, $this->others, $this->deaths];

        return \sprintf('%dR %dL %dO %dW %dX, %d deaths, %d losses', ...[...$counts, $this->losses]);
    }
}
