<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

use Closure;
use Larder\Store;
use Larder\Torture\ForwardingStore;

/** The store of a writer that may die before each of its calls. */
final class DyingStore extends ForwardingStore
{
    public function __construct(Store $store, private readonly DeathCountdown $countdown)
    {
        parent::__construct($store);
    }

    protected function pass(Closure $call): mixed
    {
        $this->countdown->step();

        return $call();
    }
}
