<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede\Mode;

use Closure;
use Larder\Bench\Subject\Freshness;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Remembering;

/**
 * The wrapper of 2013 as its class was published: who finds a value in its last part stores it again for the length of that part, so that
 * others do not see it is old, and computes. Get and set are two calls, and several may come between them.
 */
final readonly class SoftExpiry implements Remembering
{
    public function __construct(private Shelf $shelf) {}

    public function connect(Context $context): void
    {
        $this->shelf->connect($context);
    }

    public function close(): void {}

    public function remember(string $key, Closure $compute, Freshness $freshness): mixed
    {
        $stored = $this->shelf->get($key);
        if (\is_array($stored) && \array_key_exists('resource', $stored) && \is_float($stored['until'] ?? null)) {
            if ($stored['until'] > microtime(true)) {
                return $stored['resource'];
            }
            $this->shelf->set($key, ['until' => microtime(true) + $freshness->window, 'resource' => $stored['resource']], $freshness->window);
        }
        $value = $compute();
        $this->shelf->set($key, ['until' => microtime(true) + $freshness->life - $freshness->window, 'resource' => $value], $freshness->life);

        return $value;
    }

    public function forget(string $key): void
    {
        $this->shelf->delete($key);
    }
}
