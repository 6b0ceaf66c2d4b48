<?php

declare(strict_types=1);

namespace Larder\Page;

/** How much room the pages of a site may take, and how long a request waits for one. */
final readonly class Limits
{
    /**
     * @param int   $bytes            that the pages may take
     * @param float $routeShare       share of $bytes that one controller's pages may take
     * @param int   $pageBytes        a larger body is sent and not stored
     * @param int   $leaseSeconds     after which a renderer that still runs loses its lease
     * @param int   $waitMilliseconds for which a request waits for another's render, before it renders without storing
     */
    public function __construct(
        public int $bytes = 256 << 20,
        public float $routeShare = 0.5,
        public int $pageBytes = 2 << 20,
        public int $leaseSeconds = 10,
        public int $waitMilliseconds = 1500,
    ) {}

    /** The bytes that one controller's pages may take. */
    public function routeBytes(): int
    {
        return (int) ($this->bytes * $this->routeShare);
    }
}
