<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Closure;
use Larder\Outcome;
use Larder\Proof\ForwardingStore;
use Larder\Store;

/** The store as one process sees it. Each call is a step of the process, and its result is what the process learns. */
final class GateStore extends ForwardingStore
{
    /** @param int|null $frozen the increments that the process makes are not made, and give this number */
    public function __construct(
        Store $store,
        private readonly GateProcess $process,
        private readonly ?int $frozen = null,
    ) {
        parent::__construct($store);
    }

    public function increment(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome
    {
        return $this->frozen ?? parent::increment($key, $by, $initial, $ttl);
    }

    protected function pass(Closure $call): mixed
    {
        return $this->process->step($call);
    }
}
