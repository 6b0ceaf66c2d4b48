<?php

declare(strict_types=1);

namespace Larder\Page;

/** What one controller declares: the tables it may read, and how long its pages may outlive a change (null: not at all). */
final readonly class Policy
{
    /** @param list<string> $tables */
    public function __construct(
        public array $tables,
        public ?int $ttl,
    ) {}
}
