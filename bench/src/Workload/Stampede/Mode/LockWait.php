<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede\Mode;

use Closure;
use Larder\Bench\Subject\Freshness;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Remembering;

/** Where there is nothing, who can add a lock computes, and all others look again every 10 ms until there is something. */
final readonly class LockWait implements Remembering
{
    private const PAUSE = 10_000;

    public function __construct(private Shelf $shelf) {}

    public function connect(Context $context): void
    {
        $this->shelf->connect($context);
    }

    public function close(): void {}

    public function remember(string $key, Closure $compute, Freshness $freshness): mixed
    {
        for (; ; usleep(self::PAUSE)) {
            $value = $this->shelf->get($key);
            if ($value !== null) {
                return $value;
            }
            if ($this->shelf->add($key . ':lock', 1, $freshness->lease)) {
                $value = $compute();
                $this->shelf->set($key, $value, $freshness->life);
                $this->shelf->delete($key . ':lock');

                return $value;
            }
        }
    }

    public function forget(string $key): void
    {
        $this->shelf->delete($key);
    }
}
