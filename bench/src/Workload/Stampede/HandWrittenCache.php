<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use Closure;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Freshness;
use Larder\Bench\Subject\Remembering;

/**
 * A cache as applications write it themselves on top of a store. Without a cache library they have these ways to keep
 * their processes from all making the same value.
 */
final readonly class HandWrittenCache implements Remembering
{
    /** They have no protection: a process that misses makes the value and stores it. Most sites do this. */
    public const NONE = 'none';

    /**
     * The wrapper of 2013 as its class was published. A process that finds a value in its last part stores it again for
     * the length of that part, so that others take it for fresh, and makes a new one. Get and set are two calls, and
     * several processes may come between them.
     */
    public const SOFT_EXPIRY = 'soft';

    /** The process that adds a lock makes the value; all others look again every 10 ms until there is one. */
    public const LOCK = 'lock';

    /** The title of each protection, and its line in the report's table of terms. */
    public const PROTECTIONS = [
        self::NONE => ['no protection', 'none: get, and after a miss compute and set'],
        self::SOFT_EXPIRY => [
            'soft expiry',
            'an earlier end inside the value; the first process after it stores the old value again and computes',
        ],
        self::LOCK => [
            'a lock to wait for',
            'a lock that one process can add; the others look every 10 ms',
        ],
    ];

    /** Microseconds between two looks of a process that waits for a lock. */
    private const PAUSE = 10_000;

    /** @param key-of<self::PROTECTIONS> $protection */
    public function __construct(
        private string $protection,
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
            self::NONE => $this->unprotected($key, $compute, $freshness),
            self::SOFT_EXPIRY => $this->softExpiry($key, $compute, $freshness),
            self::LOCK => $this->locked($key, $compute, $freshness),
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
