<?php

declare(strict_types=1);

namespace Larder\Proof;

use Closure;
use Larder\Answer;
use Larder\Outcome;
use Larder\Store;

/** Gives every call to another store; pass() is where a subclass does something before or after each of them. */
abstract class ForwardingStore implements Store
{
    public function __construct(private readonly Store $store) {}

    public function get(string $key, mixed $default = null): mixed
    {
        return $this->pass(fn(): mixed => $this->store->get($key, $default));
    }

    public function read(string $key): Answer
    {
        return $this->pass(fn(): Answer => $this->store->read($key));
    }

    public function getMultiple(array $keys): array
    {
        return $this->pass(fn(): array => $this->store->getMultiple($keys));
    }

    public function has(string $key): bool
    {
        return $this->pass(fn(): bool => $this->store->has($key));
    }

    public function set(string $key, mixed $value, ?float $ttl = null, ?int $lease = null): Outcome
    {
        return $this->pass(fn(): Outcome => $this->store->set($key, $value, $ttl, $lease));
    }

    public function add(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        return $this->pass(fn(): Outcome => $this->store->add($key, $value, $ttl));
    }

    public function replace(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        return $this->pass(fn(): Outcome => $this->store->replace($key, $value, $ttl));
    }

    public function cas(string $key, mixed $value, int $version, ?float $ttl = null): Outcome
    {
        return $this->pass(fn(): Outcome => $this->store->cas($key, $value, $version, $ttl));
    }

    public function setMultiple(array $values, ?float $ttl = null): array
    {
        return $this->pass(fn(): array => $this->store->setMultiple($values, $ttl));
    }

    public function delete(string $key): Outcome
    {
        return $this->pass(fn(): Outcome => $this->store->delete($key));
    }

    public function deleteMultiple(array $keys): array
    {
        return $this->pass(fn(): array => $this->store->deleteMultiple($keys));
    }

    public function touch(string $key, ?float $ttl = null): Outcome
    {
        return $this->pass(fn(): Outcome => $this->store->touch($key, $ttl));
    }

    public function increment(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome
    {
        return $this->pass(fn(): int|Outcome => $this->store->increment($key, $by, $initial, $ttl));
    }

    public function decrement(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome
    {
        return $this->pass(fn(): int|Outcome => $this->store->decrement($key, $by, $initial, $ttl));
    }

    public function getOrLease(string $key, float $seconds = 10.0): Answer
    {
        return $this->pass(fn(): Answer => $this->store->getOrLease($key, $seconds));
    }

    public function lease(string $key, float $seconds = 10.0): ?int
    {
        return $this->pass(fn(): ?int => $this->store->lease($key, $seconds));
    }

    public function release(string $key, int $lease): bool
    {
        return $this->pass(fn(): bool => $this->store->release($key, $lease));
    }

    public function clear(): Outcome
    {
        return $this->pass($this->store->clear(...));
    }

    /**
     * @template T
     *
     * @param Closure(): T $call
     *
     * @return T
     */
    protected function pass(Closure $call): mixed
    {
        return $call();
    }
}
