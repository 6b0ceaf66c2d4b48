<?php

declare(strict_types=1);

namespace Larder\Tests\Row;

use Closure;
use Larder\Answer;
use Larder\Outcome;
use Larder\Store;
use Larder\Store\BatchStore;
use Larder\Store\Operation;

/** A store whose trips are counted, and at one of which something happens. */
final class ObservedStore implements BatchStore
{
    public int $trips = 0;

    /** @var list<string> */
    public array $calls = [];

    /** Whether its servers are gone. */
    public bool $isGone = false;

    /** @var (Closure(string, list<string>): void)|null gets the method and the keys, before each trip */
    public ?Closure $before = null;

    public function __construct(public readonly Store $inner) {}

    public function get(string $key, mixed $default = null): mixed
    {
        $this->trip('get', [$key]);

        return $this->isGone ? $default : $this->inner->get($key, $default);
    }

    public function read(string $key): Answer
    {
        $this->trip('read', [$key]);

        return $this->isGone ? new Answer(answered: false) : $this->inner->read($key);
    }

    public function getMultiple(array $keys): array
    {
        $this->trip('getMultiple', $keys);

        return $this->isGone ? [] : $this->inner->getMultiple($keys);
    }

    public function has(string $key): bool
    {
        $this->trip('has', [$key]);

        return !$this->isGone && $this->inner->has($key);
    }

    public function set(string $key, mixed $value, ?float $ttl = null, ?int $lease = null): Outcome
    {
        $this->trip('set', [$key]);

        return $this->isGone ? Outcome::Unknown : $this->inner->set($key, $value, $ttl, $lease);
    }

    public function add(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        $this->trip('add', [$key]);

        return $this->isGone ? Outcome::Unknown : $this->inner->add($key, $value, $ttl);
    }

    public function replace(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        $this->trip('replace', [$key]);

        return $this->isGone ? Outcome::Unknown : $this->inner->replace($key, $value, $ttl);
    }

    public function cas(string $key, mixed $value, int $version, ?float $ttl = null): Outcome
    {
        $this->trip('cas', [$key]);

        return $this->isGone ? Outcome::Unknown : $this->inner->cas($key, $value, $version, $ttl);
    }

    public function setMultiple(array $values, ?float $ttl = null): array
    {
        $this->trip('setMultiple', array_map(strval(...), array_keys($values)));

        return $this->inner->setMultiple($values, $ttl);
    }

    public function delete(string $key): Outcome
    {
        $this->trip('delete', [$key]);

        return $this->isGone ? Outcome::Unknown : $this->inner->delete($key);
    }

    public function deleteMultiple(array $keys): array
    {
        $this->trip('deleteMultiple', $keys);

        return $this->inner->deleteMultiple($keys);
    }

    public function touch(string $key, ?float $ttl = null): Outcome
    {
        $this->trip('touch', [$key]);

        return $this->inner->touch($key, $ttl);
    }

    public function increment(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome
    {
        $this->trip('increment', [$key]);

        return $this->inner->increment($key, $by, $initial, $ttl);
    }

    public function decrement(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome
    {
        $this->trip('decrement', [$key]);

        return $this->inner->decrement($key, $by, $initial, $ttl);
    }

    public function getOrLease(string $key, float $seconds = 10.0): Answer
    {
        $this->trip('getOrLease', [$key]);

        return $this->isGone ? new Answer(answered: false) : $this->inner->getOrLease($key, $seconds);
    }

    public function lease(string $key, float $seconds = 10.0): ?int
    {
        $this->trip('lease', [$key]);

        return $this->isGone ? null : $this->inner->lease($key, $seconds);
    }

    public function release(string $key, int $lease): bool
    {
        $this->trip('release', [$key]);

        return !$this->isGone && $this->inner->release($key, $lease);
    }

    public function clear(): Outcome
    {
        $this->trip('clear', []);

        return $this->isGone ? Outcome::Unknown : $this->inner->clear();
    }

    public function batch(array $operations): array
    {
        $kinds = array_unique(array_map(
            static fn(Operation $operation): string => $operation->kind->name,
            array_values($operations),
        ));
        $this->trip('batch ' . implode(' ', $kinds), array_column(array_values($operations), 'key'));

        return Operation::run($this->isGone ? new self(new Store\NullStore()) : $this->inner, $operations);
    }

    /** @param list<string> $keys */
    private function trip(string $call, array $keys): void
    {
        ++$this->trips;
        $this->calls[] = $call;
        ($this->before)?->__invoke($call, $keys);
    }
}
