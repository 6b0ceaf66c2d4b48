<?php

declare(strict_types=1);

namespace Larder\Cache;

/**
 * What a caller gets that asked for the right to make an entry.
 *
 * @internal
 */
final readonly class Claim
{
    public function __construct(
        /** Null: another process makes it. */
        public ?int $lease,
        /** False: no store answered, so nobody makes it for anybody. */
        public bool $answered = true,
    ) {}
}
