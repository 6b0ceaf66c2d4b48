<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * What a controller declares: the tables that it reads, and for how many seconds its pages may outlive a change.
 *
 * @internal
 */
final readonly class Policy
{
    /**
     * @param list<string> $tables
     * @param int|null     $ttl    null: a change drops its pages
     * @param bool         $trust  whether only those tables count that a page was seen to read
     */
    public function __construct(
        public array $tables,
        public ?int $ttl,
        public bool $trust = false,
    ) {}
}
