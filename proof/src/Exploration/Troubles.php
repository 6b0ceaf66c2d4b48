<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Stringable;

/** What may happen between processes and the memcached server that has the pages. */
final readonly class Troubles implements Stringable
{
    /**
     * @param int  $silences calls of which no reply comes, or whose connection is lost. What was sent may be done at
     *     any later moment, or never
     * @param int  $restarts how often the server begins anew: empty, with CAS numbers from 1 and no connection
     * @param int  $losses   items that are evicted or come to their end
     * @param bool $leases   renderers take a lease first, as Miss does
     */
    public function __construct(
        public int $silences = 0,
        public int $restarts = 0,
        public int $losses = 0,
        public bool $leases = false,
        public Remains $remains = Remains::None,
    ) {}

    public function __toString(): string
    {
        $words = $this->leases ? ' with leases' : '';
        $troubles = ['silences' => $this->silences, 'restarts' => $this->restarts, 'losses' => $this->losses];
        foreach (array_filter($troubles, static fn(int $times): bool => $times > 0) as $trouble => $times) {
            $words .= ", $trouble: $times";
        }

        return $words . ($this->remains === Remains::None ? '' : ', ' . $this->remains->value);
    }
}
