<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Answer;
use Larder\Exception\SharedMemoryUnavailable;
use Larder\Outcome;
use Larder\SharedMemory;
use Larder\Store;
use Psr\Log\LoggerInterface;

/**
 * The store in shared memory as an application takes it: where the extension or the segment is missing, the application runs all the
 * same, only without a cache.
 *
 * It then behaves as a NullStore: reads miss, writes are Outcome::Refused, and getOrLease() and lease() give everybody a lease, so
 * that nobody waits for a value that will never come.
 */
final readonly class SharedMemoryStore implements Store
{
    private Store $store;

    /**
     * @param string|null          $namespace a set of keys of its own, up to 63 bytes without NUL; null: the one of larder.namespace
     * @param LoggerInterface|null $log       is told once, here, why there is no shared memory and what to do about it
     */
    public function __construct(?string $namespace = null, ?LoggerInterface $log = null)
    {
        $this->store = self::on($namespace, $log);
    }

    /**
     * The same without this class: each call through it costs about as much as a read itself.
     *
     * @return Store a Larder\SharedMemory, or a NullStore; the arguments are the constructor's
     */
    public static function on(?string $namespace = null, ?LoggerInterface $log = null): Store
    {
        return self::memory($namespace, $log) ?? new NullStore();
    }

    public function get(string $key, mixed $default = null): mixed
    {
        return $this->store->get($key, $default);
    }

    public function read(string $key): Answer
    {
        return $this->store->read($key);
    }

    public function getMultiple(array $keys): array
    {
        return $this->store->getMultiple($keys);
    }

    public function has(string $key): bool
    {
        return $this->store->has($key);
    }

    public function set(string $key, mixed $value, ?float $ttl = null, ?int $lease = null): Outcome
    {
        return $this->store->set($key, $value, $ttl, $lease);
    }

    public function add(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        return $this->store->add($key, $value, $ttl);
    }

    public function replace(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        return $this->store->replace($key, $value, $ttl);
    }

    public function cas(string $key, mixed $value, int $version, ?float $ttl = null): Outcome
    {
        return $this->store->cas($key, $value, $version, $ttl);
    }

    public function setMultiple(array $values, ?float $ttl = null): array
    {
        return $this->store->setMultiple($values, $ttl);
    }

    public function delete(string $key): Outcome
    {
        return $this->store->delete($key);
    }

    public function deleteMultiple(array $keys): array
    {
        return $this->store->deleteMultiple($keys);
    }

    public function touch(string $key, ?float $ttl = null): Outcome
    {
        return $this->store->touch($key, $ttl);
    }

    public function increment(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome
    {
        return $this->store->increment($key, $by, $initial, $ttl);
    }

    public function decrement(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome
    {
        return $this->store->decrement($key, $by, $initial, $ttl);
    }

    public function getOrLease(string $key, float $seconds = 10.0): Answer
    {
        return $this->store->getOrLease($key, $seconds);
    }

    public function lease(string $key, float $seconds = 10.0): ?int
    {
        return $this->store->lease($key, $seconds);
    }

    public function release(string $key, int $lease): bool
    {
        return $this->store->release($key, $lease);
    }

    public function clear(): Outcome
    {
        return $this->store->clear();
    }

    /** @internal false: there is no shared memory, so nothing is kept */
    public function keeps(): bool
    {
        return !$this->store instanceof NullStore;
    }

    private static function memory(?string $namespace, ?LoggerInterface $log): ?SharedMemory
    {
        if (!class_exists(SharedMemory::class, false)) {
            $log?->warning('Nothing is cached in shared memory: the PHP extension larder is not loaded. Add extension=larder.so to the php.ini of this PHP.');

            return null;
        }
        try {
            return new SharedMemory($namespace);
        } catch (SharedMemoryUnavailable $exception) {
            $log?->warning('Nothing is cached in shared memory: {reason}. Check larder.size and larder.directory in php.ini, and that the machine has that much memory left.', [
                'reason' => rtrim($exception->getMessage(), '.'),
                'exception' => $exception,
            ]);

            return null;
        }
    }
}
