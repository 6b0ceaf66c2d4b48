<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Local;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Counting;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\MemoryReporting;
use Larder\Bench\Subject\MemoryUsage;
use Larder\Bench\Subject\Objects;
use Larder\Bench\Subject\RepeatedWrites;

use function apcu_fetch;
use function apcu_inc;
use function apcu_store;

/**
 * APCu: memory that a process shares with those it forks, and with no others. When it is full it may drop everything at
 * once.
 */
final readonly class Apcu implements Counting, ManyKeys, MemoryReporting, Objects, RepeatedWrites
{
    public function connect(Context $context): void
    {
        if (!apcu_enabled()) {
            throw Failed::connecting('APCu', 'apc.enable_cli is off');
        }
    }

    public function close(): void {}

    public function get(string $key): ?string
    {
        $value = apcu_fetch($key);

        return \is_string($value) ? $value : null;
    }

    public function set(string $key, string $value): void
    {
        if (!apcu_store($key, $value)) {
            self::refused('store', $key);
        }
    }

    public function delete(string $key): void
    {
        apcu_delete($key);
    }

    public function getMany(array $keys): array
    {
        $values = apcu_fetch($keys);

        /** @var array<string, string> */
        return \is_array($values) ? $values : self::refused('fetch', $keys[0]);
    }

    public function setMany(array $values): void
    {
        // The answer is those that it did not store.
        if (apcu_store($values) !== []) {
            self::refused('store', (string) array_key_first($values));
        }
    }

    public function deleteMany(array $keys): void
    {
        apcu_delete($keys);
    }

    public function setCounter(string $key, int $value): void
    {
        if (!apcu_store($key, $value)) {
            self::refused('store', $key);
        }
    }

    public function increment(string $key, int $by = 1): int
    {
        $after = apcu_inc($key, $by);

        return \is_int($after) ? $after : self::refused('inc', $key);
    }

    public function decrement(string $key, int $by = 1): int
    {
        $after = apcu_dec($key, $by);

        return \is_int($after) ? $after : self::refused('dec', $key);
    }

    public function setObject(string $key, mixed $value): void
    {
        if (!apcu_store($key, $value)) {
            self::refused('store', $key);
        }
    }

    public function getObject(string $key): mixed
    {
        $value = apcu_fetch($key, $found);

        return $found === true ? $value : null;
    }

    public function getRepeatedly(string $key, int $times): mixed
    {
        $value = null;
        for ($time = 0; $time < $times; ++$time) {
            $value = apcu_fetch($key);
        }

        return $value;
    }

    public function setEach(array $keys, mixed $value): void
    {
        foreach ($keys as $key) {
            if (!apcu_store($key, $value)) {
                self::refused('store', $key);
            }
        }
    }

    public function incrementRepeatedly(string $key, int $times): int
    {
        $after = false;
        for ($time = 0; $time < $times; ++$time) {
            $after = apcu_inc($key);
        }

        return \is_int($after) ? $after : self::refused('inc', $key);
    }

    public function entries(): int
    {
        return self::count(apcu_cache_info(true), 'num_entries');
    }

    public function usage(): MemoryUsage
    {
        $memory = apcu_sma_info(true);
        $entries = apcu_cache_info(true);

        return new MemoryUsage(
            self::count($memory, 'num_seg') * self::count($memory, 'seg_size') - self::count($memory, 'avail_mem'),
            self::count($entries, 'num_entries'),
            self::count($entries, 'mem_size'),
            self::count($entries, 'expunges'),
            'wipes',
        );
    }

    /** @param array<mixed>|false $figures */
    private static function count(array|false $figures, string $name): int
    {
        $count = $figures === false ? null : $figures[$name] ?? null;

        return is_numeric($count) ? (int) $count : throw Failed::during('apcu_cache_info', $name, 'not there');
    }

    private static function refused(string $call, string $key): never
    {
        throw Failed::during('apcu_' . $call, $key, 'refused');
    }
}
