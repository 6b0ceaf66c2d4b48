<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Closure;
use Larder\Answer;
use Larder\Outcome;
use Larder\Store\Confirmation;
use Larder\Store\Confirming;

/** A far store on whose way back something happens. */
final class TieredHookedFar implements Confirming
{
    /** Called once, after the answers were read and before they are given. */
    public ?Closure $afterwards = null;

    /** @var list<array{stamps: array<array-key, string>, wanted: list<string>}> */
    private array $asked = [];

    public function __construct(private readonly Confirming $far) {}

    public function confirm(array $stamps, array $wanted): Confirmation
    {
        $this->asked[] = ['stamps' => $stamps, 'wanted' => $wanted];
        $told = $this->far->confirm($stamps, $wanted);
        [$hook, $this->afterwards] = [$this->afterwards, null];
        if ($hook !== null) {
            $hook();
        }

        return $told;
    }

    /**
     * @return list<array{stamps: array<array-key, string>, wanted: list<string>}> what was asked since the last look
     */
    public function asked(): array
    {
        [$asked, $this->asked] = [$this->asked, []];

        return $asked;
    }

    public function get(string $key, mixed $default = null): mixed
    {
        return $this->far->get($key, $default);
    }

    public function read(string $key): Answer
    {
        return $this->far->read($key);
    }

    public function getMultiple(array $keys): array
    {
        return $this->far->getMultiple($keys);
    }

    public function has(string $key): bool
    {
        return $this->far->has($key);
    }

    public function set(string $key, mixed $value, ?float $ttl = null, ?int $lease = null): Outcome
    {
        return $this->far->set($key, $value, $ttl, $lease);
    }

    public function add(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        return $this->far->add($key, $value, $ttl);
    }

    public function replace(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        return $this->far->replace($key, $value, $ttl);
    }

    public function cas(string $key, mixed $value, int $version, ?float $ttl = null): Outcome
    {
        return $this->far->cas($key, $value, $version, $ttl);
    }

    public function setMultiple(array $values, ?float $ttl = null): array
    {
        return $this->far->setMultiple($values, $ttl);
    }

    public function delete(string $key): Outcome
    {
        return $this->far->delete($key);
    }

    public function deleteMultiple(array $keys): array
    {
        return $this->far->deleteMultiple($keys);
    }

    public function touch(string $key, ?float $ttl = null): Outcome
    {
        return $this->far->touch($key, $ttl);
    }

    public function increment(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome
    {
        return $this->far->increment($key, $by, $initial, $ttl);
    }

    public function decrement(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome
    {
        return $this->far->decrement($key, $by, $initial, $ttl);
    }

    public function getOrLease(string $key, float $seconds = 10.0): Answer
    {
        return $this->far->getOrLease($key, $seconds);
    }

    public function lease(string $key, float $seconds = 10.0): ?int
    {
        return $this->far->lease($key, $seconds);
    }

    public function release(string $key, int $lease): bool
    {
        return $this->far->release($key, $lease);
    }

    public function clear(): Outcome
    {
        return $this->far->clear();
    }
}
