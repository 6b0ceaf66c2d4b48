<?php

declare(strict_types=1);

namespace Larder\Psr;

use DateInterval;
use Larder\Cache;
use Larder\Exception\UnstorableValue;
use Larder\SystemClock;
use Psr\Clock\ClockInterface;
use Psr\Log\LoggerInterface;
use Psr\SimpleCache\CacheInterface;

/**
 * A cache behind PSR-16.
 *
 * The standard knows no leases and no grace: all callers that meet a miss make the value at the same time. Where that
 * hurts, call Larder\Cache::remember() of the same cache, with the same keys. A value that remember() keeps in grace is
 * a miss here.
 *
 * Two instances are independent of each other if the stores of their caches have different namespaces.
 */
final readonly class SimpleCache implements CacheInterface
{
    private Values $values;

    private Time $time;

    /**
     * @param ClockInterface       $clock for intervals; the same as the cache's
     * @param LoggerInterface|null $log   for failures that are not thrown
     */
    public function __construct(Cache $cache, ClockInterface $clock = new SystemClock(), ?LoggerInterface $log = null)
    {
        $this->values = new Values($cache, $log);
        $this->time = new Time($clock);
    }

    public function get(string $key, mixed $default = null): mixed
    {
        $found = $this->values->find([Key::of($key)]);

        return $found === [] ? $default : reset($found);
    }

    /** @throws InvalidArgument also if the value cannot be stored, or the ttl looks like a Unix time */
    public function set(string $key, mixed $value, int|DateInterval|null $ttl = null): bool
    {
        return $this->store([Key::of($key) => $value], $ttl);
    }

    public function delete(string $key): bool
    {
        return $this->values->delete([Key::of($key)]);
    }

    public function clear(): bool
    {
        return $this->values->clear();
    }

    /**
     * @param iterable<mixed> $keys
     *
     * @return array<string, mixed> in the order asked for; PHP turns keys such as "7" into integers
     *
     * @throws InvalidArgument
     */
    public function getMultiple(iterable $keys, mixed $default = null): array
    {
        $keys = Key::all($keys);

        $found = $this->values->find($keys);
        $values = [];
        foreach ($keys as $key) {
            $values[$key] = \array_key_exists($key, $found) ? $found[$key] : $default;
        }

        return $values;
    }

    /**
     * @param iterable<mixed, mixed> $values by key; an integer is the key of these digits, since PHP makes it one in
     *     every array
     *
     * @throws InvalidArgument for a key or the ttl: nothing was stored; for a value: the others were
     */
    public function setMultiple(iterable $values, int|DateInterval|null $ttl = null): bool
    {
        $all = [];
        foreach ($values as $key => $value) {
            $all[Key::of(\is_int($key) ? (string) $key : $key)] = $value;
        }

        return $this->store($all, $ttl);
    }

    /**
     * @param iterable<mixed> $keys
     *
     * @throws InvalidArgument nothing was deleted
     */
    public function deleteMultiple(iterable $keys): bool
    {
        return $this->values->delete(Key::all($keys));
    }

    public function has(string $key): bool
    {
        return $this->values->find([Key::of($key)]) !== [];
    }

    /**
     * @param array<array-key, mixed> $values
     *
     * @throws InvalidArgument
     */
    private function store(array $values, int|DateInterval|null $ttl): bool
    {
        try {
            return $this->values->store(
                $values,
                array_fill_keys(array_keys($values), $ttl === null ? null : $this->time->seconds($ttl)),
            );
        } catch (UnstorableValue $reason) {
            throw InvalidArgument::unstorable($reason);
        }
    }
}
