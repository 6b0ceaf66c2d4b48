<?php

declare(strict_types=1);

namespace Larder\Tests\Explore;

/** How many processes of each kind change or read one name, and what may befall them. */
final readonly class GateSetting
{
    /**
     * @param int  $readers that know the name before they read
     * @param int  $late    readers that tell the name after they have read
     * @param int  $deaths  writers that may die, at any step; what a dead one had closed may end then
     * @param int  $losses  how often the gate may be lost, at any step
     * @param bool $unseen  a late reader does not look whether anything changed, to see that this is missed
     */
    public function __construct(
        public int $readers,
        public int $late,
        public int $writers,
        public int $deaths = 0,
        public int $losses = 0,
        public bool $unseen = false,
    ) {}

    public function __toString(): string
    {
        return \sprintf('%dR %dL %dW, %d deaths, %d losses', $this->readers, $this->late, $this->writers, $this->deaths, $this->losses);
    }
}
