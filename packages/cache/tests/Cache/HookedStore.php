<?php

declare(strict_types=1);

namespace Larder\Tests\Cache;

use Closure;
use Larder\Answer;
use Larder\Outcome;
use Larder\Store;

/** A store at whose calls something happens: another process acts, a server is silent, a value is refused. */
class HookedStore implements Store
{
    /** @var list<string> methods that were called */
    public array $calls = [];

    /** @var array<string, Closure(string, mixed): mixed> */
    private array $hooks = [];

    public function __construct(protected readonly Store $store) {}

    /**
     * @param Closure(string, mixed): mixed $hook called before the method with the key and the value; what it returns,
     *     if it is of the method's type, is given instead
     */
    public function on(string $method, Closure $hook): void
    {
        $this->hooks[$method] = $hook;
    }

    /** @param Closure(): mixed $hook called before the method's next call only */
    public function once(string $method, Closure $hook): void
    {
        $this->hooks[$method] = function () use ($method, $hook): mixed {
            unset($this->hooks[$method]);

            return $hook();
        };
    }

    public function get(string $key, mixed $default = null): mixed
    {
        return $this->hook('get', $key) === Outcome::Unknown ? $default : $this->store->get($key, $default);
    }

    public function read(string $key): Answer
    {
        $given = $this->hook('read', $key);

        return $given instanceof Answer ? $given : $this->store->read($key);
    }

    public function getMultiple(array $keys): array
    {
        $given = $this->hook('getMultiple', $keys[0] ?? '');

        return \is_array($given) ? $given : $this->store->getMultiple($keys);
    }

    public function has(string $key): bool
    {
        return $this->store->has($key);
    }

    public function set(string $key, mixed $value, ?float $ttl = null, ?int $lease = null): Outcome
    {
        $given = $this->hook('set', $key, $value);

        return $given instanceof Outcome ? $given : $this->store->set($key, $value, $ttl, $lease);
    }

    public function add(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        $given = $this->hook('add', $key, $value);

        return $given instanceof Outcome ? $given : $this->store->add($key, $value, $ttl);
    }

    public function replace(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        return $this->store->replace($key, $value, $ttl);
    }

    public function cas(string $key, mixed $value, int $version, ?float $ttl = null): Outcome
    {
        $given = $this->hook('cas', $key, $value);

        return $given instanceof Outcome ? $given : $this->store->cas($key, $value, $version, $ttl);
    }

    public function setMultiple(array $values, ?float $ttl = null): array
    {
        return $this->store->setMultiple($values, $ttl);
    }

    public function delete(string $key): Outcome
    {
        $given = $this->hook('delete', $key);

        return $given instanceof Outcome ? $given : $this->store->delete($key);
    }

    public function deleteMultiple(array $keys): array
    {
        $outcomes = [];
        foreach ($keys as $key) {
            $outcomes[$key] = $this->delete($key);
        }

        return $outcomes;
    }

    public function touch(string $key, ?float $ttl = null): Outcome
    {
        return $this->store->touch($key, $ttl);
    }

    public function increment(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome
    {
        $given = $this->hook('increment', $key, $by);

        return \is_int($given) || $given instanceof Outcome
            ? $given
            : $this->store->increment($key, $by, $initial, $ttl);
    }

    public function decrement(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome
    {
        return $this->store->decrement($key, $by, $initial, $ttl);
    }

    public function getOrLease(string $key, float $seconds = 10.0): Answer
    {
        $given = $this->hook('getOrLease', $key);

        return $given instanceof Answer ? $given : $this->store->getOrLease($key, $seconds);
    }

    public function lease(string $key, float $seconds = 10.0): ?int
    {
        $this->hook('lease', $key);

        return $this->store->lease($key, $seconds);
    }

    public function release(string $key, int $lease): bool
    {
        $this->hook('release', $key);

        return $this->store->release($key, $lease);
    }

    public function clear(): Outcome
    {
        return $this->store->clear();
    }

    final protected function hook(string $method, string $key, mixed $value = null): mixed
    {
        $this->calls[] = $method;

        return isset($this->hooks[$method]) ? ($this->hooks[$method])($key, $value) : null;
    }
}
