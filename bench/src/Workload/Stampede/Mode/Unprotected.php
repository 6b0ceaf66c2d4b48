<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede\Mode;

use Closure;
use Larder\Bench\Subject\Freshness;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Remembering;

/** Get; where there is nothing, compute and set: what most sites do. */
final readonly class Unprotected implements Remembering
{
    public function __construct(private Shelf $shelf) {}

    public function connect(Context $context): void
    {
        $this->shelf->connect($context);
    }

    public function close(): void {}

    public function remember(string $key, Closure $compute, Freshness $freshness): mixed
    {
        $value = $this->shelf->get($key);
        if ($value === null) {
            $value = $compute();
            $this->shelf->set($key, $value, $freshness->life);
        }

        return $value;
    }

    public function forget(string $key): void
    {
        $this->shelf->delete($key);
    }
}
