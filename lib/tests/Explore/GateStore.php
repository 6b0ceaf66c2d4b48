<?php

declare(strict_types=1);

namespace Larder\Tests\Explore;

use Closure;
use Larder\Answer;
use Larder\Outcome;
use Larder\Store;
use LogicException;

/** The store as one process sees it: each call is a step of its own, and what it gave is what the process knows. */
final readonly class GateStore implements Store
{
    /** @param Closure(Closure(): mixed): mixed $step runs a call when the process may go on */
    public function __construct(private Store $store, private Closure $step) {}

    public function get(string $key, mixed $default = null): mixed
    {
        return ($this->step)(fn(): mixed => $this->store->get($key, $default));
    }

    public function read(string $key): Answer
    {
        $answer = ($this->step)(fn(): Answer => $this->store->read($key));

        return $answer instanceof Answer ? $answer : throw new LogicException();
    }

    public function getMultiple(array $keys): array
    {
        $values = ($this->step)(fn(): array => $this->store->getMultiple($keys));

        return \is_array($values) ? $values : throw new LogicException();
    }

    public function has(string $key): bool
    {
        return ($this->step)(fn(): bool => $this->store->has($key)) === true;
    }

    public function set(string $key, mixed $value, ?float $ttl = null, ?int $lease = null): Outcome
    {
        return $this->outcome(fn(): Outcome => $this->store->set($key, $value, $ttl, $lease));
    }

    public function add(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        return $this->outcome(fn(): Outcome => $this->store->add($key, $value, $ttl));
    }

    public function replace(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        throw new LogicException('Gates do not ask this.');
    }

    public function cas(string $key, mixed $value, int $version, ?float $ttl = null): Outcome
    {
        return $this->outcome(fn(): Outcome => $this->store->cas($key, $value, $version, $ttl));
    }

    public function setMultiple(array $values, ?float $ttl = null): array
    {
        throw new LogicException('Gates do not ask this.');
    }

    public function delete(string $key): Outcome
    {
        return $this->outcome(fn(): Outcome => $this->store->delete($key));
    }

    public function deleteMultiple(array $keys): array
    {
        throw new LogicException('Gates do not ask this.');
    }

    public function touch(string $key, ?float $ttl = null): Outcome
    {
        throw new LogicException('Gates do not ask this.');
    }

    public function increment(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome
    {
        $sum = ($this->step)(fn(): int|Outcome => $this->store->increment($key, $by, $initial, $ttl));

        return \is_int($sum) || $sum instanceof Outcome ? $sum : throw new LogicException();
    }

    public function decrement(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome
    {
        throw new LogicException('Gates do not ask this.');
    }

    public function getOrLease(string $key, float $seconds = 10.0): Answer
    {
        throw new LogicException('Gates do not ask this.');
    }

    public function lease(string $key, float $seconds = 10.0): ?int
    {
        throw new LogicException('Gates do not ask this.');
    }

    public function release(string $key, int $lease): bool
    {
        throw new LogicException('Gates do not ask this.');
    }

    public function clear(): Outcome
    {
        throw new LogicException('Gates do not ask this.');
    }

    /** @param Closure(): Outcome $call */
    private function outcome(Closure $call): Outcome
    {
        $outcome = ($this->step)($call);

        return $outcome instanceof Outcome ? $outcome : throw new LogicException();
    }
}
