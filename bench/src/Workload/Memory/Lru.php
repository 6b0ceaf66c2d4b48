<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

/** Drops what was asked for longest ago. */
final readonly class Lru
{
    private KeyOrder $order;

    public function __construct(private int $capacity)
    {
        $this->order = new KeyOrder();
    }

    /** A get, and on a miss a set. Returns whether it was a hit. */
    public function request(int $key): bool
    {
        $hit = $this->order->has($key);
        if ($hit) {
            $this->order->remove($key);
        } elseif ($this->order->length() >= $this->capacity && ($last = $this->order->last()) !== null) {
            $this->order->remove($last);
        }
        $this->order->addFirst($key);

        return $hit;
    }
}
