<?php

declare(strict_types=1);

namespace Larder\Proof\Client;

use Closure;
use Larder\Memcached;
use Larder\Pipeline;

/** One call for one key, which is made alone or in a pipeline, and the check of its result. */
final readonly class KeyCall
{
    /**
     * @param Closure(Memcached|Pipeline): mixed $send
     * @param Closure(mixed): void               $check
     */
    public function __construct(
        public string $name,
        public Closure $send,
        public Closure $check,
    ) {}
}
