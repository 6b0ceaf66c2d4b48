<?php

declare(strict_types=1);

namespace Larder\Dependency;

/** A finished draft that asks to be published. */
final readonly class Registration
{
    /**
     * @param string   $draft   a name that no other draft ever has
     * @param string   $route   whose share of the store it counts against
     * @param int      $bytes   on disk, twins included
     * @param int|null $expires Unix time after which the page is no longer asked for (policy ttl), null for exact pages
     * @param int      $cap     bytes that the route may hold
     * @param int      $total   bytes that all routes together may hold
     */
    public function __construct(
        public string $page,
        public string $draft,
        public string $route,
        public int $bytes,
        public RecordedReads $reads,
        public ?int $expires,
        public int $cap,
        public int $total,
    ) {}
}
