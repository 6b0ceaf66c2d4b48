<?php

declare(strict_types=1);

namespace Larder\Proof\Values;

use Closure;
use Larder\Proof\ForwardingStore;
use Larder\Store;
use Larder\Store\BatchStore;
use Larder\Store\Operation;

/** The store of a writer that may die before each of its trips. */
final class DyingStore extends ForwardingStore implements BatchStore
{
    public function __construct(private readonly Store $mortal, private readonly DeathCountdown $countdown)
    {
        parent::__construct($mortal);
    }

    public function batch(array $operations): array
    {
        return $this->pass(fn(): array => Operation::run($this->mortal, $operations));
    }

    protected function pass(Closure $call): mixed
    {
        $this->countdown->step();

        return $call();
    }
}
