<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

/** Drops what was asked for longest ago. */
final readonly class Lru implements Policy
{
    private Line $line;

    public function __construct(private int $capacity)
    {
        $this->line = new Line();
    }

    public function request(int $key): bool
    {
        $hit = $this->line->has($key);
        if ($hit) {
            $this->line->remove($key);
        } elseif ($this->line->length() >= $this->capacity && ($last = $this->line->last()) !== null) {
            $this->line->remove($last);
        }
        $this->line->addFirst($key);

        return $hit;
    }
}
