<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use Closure;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Freshness;
use Larder\Bench\Subject\Remembering;

/** A cache as applications write it themselves on top of a store. */
final readonly class HandWrittenCache implements Remembering
{
    /** Microseconds between two looks of a process that waits for a lock. */
    private const PAUSE = 10_000;

    public function __construct(
        private Protection $protection,
        private TtlStore $store,
    ) {}

    public function connect(Context $context): void
    {
        $this->store->connect($context);
    }

    public function close(): void {}

    public function remember(string $key, Closure $compute, Freshness $freshness): mixed
    {
        return match ($this->protection) {
            Protection::None => $this->unprotected($key, $compute, $freshness),
            Protection::SoftExpiry => $this->softExpiry($key, $compute, $freshness),
            Protection::Lock => $this->locked($key, $compute, $freshness),
        };
    }

    public function forget(string $key): void
    {
        $this->store->delete($key);
    }

    /** @param Closure(): mixed $compute */
    private function unprotected(string $key, Closure $compute, Freshness $freshness): mixed
    {
        $value = $this->store->get($key);
        if ($value === null) {
            $value = $compute();
            $this->store->set($key, $value, $freshness->life);
        }

        return $value;
    }

    /** @param Closure(): mixed $compute */
    private function softExpiry(string $key, Closure $compute, Freshness $freshness): mixed
    {
        $stored = $this->store->get($key);
        if (\is_array($stored) && \array_key_exists('resource', $stored) && \is_float($stored['until'] ?? null)) {
            if ($stored['until'] > microtime(true)) {
                return $stored['resource'];
            }
            $this->storeUntil($key, $stored['resource'], $freshness->window, $freshness->window);
        }
        $value = $compute();
        $this->storeUntil($key, $value, $freshness->life - $freshness->window, $freshness->life);

        return $value;
    }

    /**
     * @param float $fresh seconds after which a process makes the value anew
     * @param float $ttl   seconds that the store keeps it
     */
    private function storeUntil(string $key, mixed $value, float $fresh, float $ttl): void
    {
        $this->store->set($key, ['until' => microtime(true) + $fresh, 'resource' => $value], $ttl);
    }

    /** @param Closure(): mixed $compute */
    private function locked(string $key, Closure $compute, Freshness $freshness): mixed
    {
        for (; ; usleep(self::PAUSE)) {
            $value = $this->store->get($key);
            if ($value !== null) {
                return $value;
            }
            if ($this->store->add($key . ':lock', 1, $freshness->lease)) {
                $value = $compute();
                $this->store->set($key, $value, $freshness->life);
                $this->store->delete($key . ':lock');

                return $value;
            }
        }
    }
}
