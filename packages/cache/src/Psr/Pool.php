<?php

declare(strict_types=1);

namespace Larder\Psr;

use Larder\Cache;
use Larder\Store\StoredBytes;
use Larder\SystemClock;
use Psr\Cache\CacheItemInterface;
use Psr\Cache\CacheItemPoolInterface;
use Psr\Clock\ClockInterface;
use Psr\Log\LoggerInterface;
use Throwable;

/**
 * A cache behind PSR-6.
 *
 * The standard knows no leases and no grace: all callers that meet a miss make the value at the same time. Where that
 * hurts, call Larder\Cache::remember() of the same cache, with the same keys. A value that remember() keeps in grace is
 * a miss here.
 *
 * Items of saveDeferred() are written by commit(), or when the pool is destroyed.
 */
final class Pool implements CacheItemPoolInterface
{
    private readonly Values $values;

    private readonly Time $time;

    /** @var array<array-key, Deferred> by key */
    private array $deferred = [];

    /**
     * @param ClockInterface       $clock for times and intervals; the same as the cache's
     * @param LoggerInterface|null $log   for failures that are not thrown
     */
    public function __construct(Cache $cache, ClockInterface $clock = new SystemClock(), ?LoggerInterface $log = null)
    {
        $this->values = new Values($cache, $log);
        $this->time = new Time($clock);
    }

    public function __destruct()
    {
        $this->commit();
    }

    public function getItem(string $key): CacheItemInterface
    {
        $found = $this->find([Key::of($key)]);

        return $this->item($key, $found);
    }

    /**
     * @param array<mixed> $keys
     *
     * @return array<array-key, CacheItemInterface> in the order asked for; PHP turns keys such as "7" into integers
     *
     * @throws InvalidArgument
     */
    public function getItems(array $keys = []): array
    {
        $keys = Key::all($keys);
        $found = $this->find($keys);

        return array_combine($keys, array_map(fn(string $key): Item => $this->item($key, $found), $keys));
    }

    public function hasItem(string $key): bool
    {
        return $this->find([Key::of($key)]) !== [];
    }

    public function clear(): bool
    {
        $this->deferred = [];

        return $this->values->clear();
    }

    public function deleteItem(string $key): bool
    {
        return $this->deleteItems([$key]);
    }

    /**
     * @param array<mixed> $keys
     *
     * @throws InvalidArgument nothing was deleted
     */
    public function deleteItems(array $keys): bool
    {
        $keys = Key::all($keys);
        $this->deferred = array_diff_key($this->deferred, array_flip($keys));

        return $this->values->delete($keys);
    }

    /** @throws InvalidArgument for an item of another library */
    public function save(CacheItemInterface $item): bool
    {
        $item = self::own($item);
        unset($this->deferred[$item->getKey()]);

        return $this->store([$item->getKey() => $item->get()], [$item->getKey() => $item->end()]);
    }

    /** @throws InvalidArgument for an item of another library */
    public function saveDeferred(CacheItemInterface $item): bool
    {
        $item = self::own($item);
        try {
            $this->deferred[$item->getKey()] = new Deferred($item->get(), $item->end());
        } catch (Throwable $exception) {
            $this->values->failed('stored', [$item->getKey()], $exception);

            return false;
        }

        return true;
    }

    /** Items that cannot be stored now are not tried again. */
    public function commit(): bool
    {
        [$deferred, $this->deferred] = [$this->deferred, []];

        return $this->store(
            array_map(static fn(Deferred $item): mixed => $item->value, $deferred),
            array_map(static fn(Deferred $item): ?float => $item->end, $deferred),
        );
    }

    /**
     * @param array<array-key, mixed>      $values by key
     * @param array<array-key, float|null> $ends   Unix times by key
     */
    private function store(array $values, array $ends): bool
    {
        $now = $this->time->now();
        $ttls = array_map(static fn(?float $end): ?float => $end === null ? null : $end - $now, $ends);
        try {
            return $this->values->store($values, $ttls);
        } catch (Throwable $exception) {
            $this->values->failed('stored', array_map(strval(...), array_keys($values)), $exception);

            return false;
        }
    }

    /**
     * @param list<string> $keys
     *
     * @return array<array-key, mixed> those that are there, by key
     */
    private function find(array $keys): array
    {
        $deferred = array_intersect_key($this->deferred, array_flip($keys));
        if ($deferred === []) {
            return $this->values->find($keys);
        }
        $stored = array_values(array_filter($keys, static fn(string $key): bool => !isset($deferred[$key])));
        $now = $this->time->now();
        $present = array_filter($deferred, static fn(Deferred $item): bool => !$item->isOver($now));

        $copies = array_filter(
            array_map(static fn(Deferred $item): StoredBytes => $item->copy(), $present),
            static fn(StoredBytes $copy): bool => $copy->flaw === null,
        );

        return array_map(static fn(StoredBytes $copy): mixed => $copy->value, $copies) + $this->values->find($stored);
    }

    /** @param array<array-key, mixed> $found */
    private function item(string $key, array $found): Item
    {
        return new Item($key, $this->time, \array_key_exists($key, $found), $found[$key] ?? null);
    }

    /** @throws InvalidArgument */
    private static function own(CacheItemInterface $item): Item
    {
        return $item instanceof Item ? $item : throw InvalidArgument::foreign($item);
    }
}
