<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Redis;

use Larder\Bench\Subject\Appending;
use Larder\Bench\Subject\CountingMany;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\SubjectFailed;
use Redis;

/**
 * phpredis on several instances, each with its share of the keys, by CRC32 of the key. The extension's own RedisArray is not used:
 * with an instance gone it answers false for that one's keys, as if they had not been set.
 */
final class PhpredisPartitioned implements Appending, CountingMany, ManyKeys
{
    /** @var list<Redis> */
    private array $redis = [];

    private int $count = 1;

    public function connect(Context $context): void
    {
        $this->redis = [];
        foreach ($context->endpoints as $server) {
            $this->redis[] = Connection::phpredis($server, $context->timeout);
        }
        $this->count = \count($this->redis);
    }

    public function close(): void
    {
        foreach ($this->redis as $redis) {
            $redis->close();
        }
    }

    public function get(string $key): ?string
    {
        $redis = $this->redis[crc32($key) % $this->count];
        $value = $redis->get($key);
        if (\is_string($value)) {
            return $value;
        }

        return $redis->getLastError() === null ? null : self::fail($redis, 'get', $key);
    }

    public function set(string $key, string $value): void
    {
        $redis = $this->redis[crc32($key) % $this->count];
        if ($redis->set($key, $value) !== true) {
            self::fail($redis, 'set', $key);
        }
    }

    public function delete(string $key): void
    {
        $redis = $this->redis[crc32($key) % $this->count];
        if (!\is_int($redis->del($key))) {
            self::fail($redis, 'del', $key);
        }
    }

    public function getMany(array $keys): array
    {
        $found = [];
        foreach ($this->shares($keys) as $index => $share) {
            $values = $this->redis[$index]->mget($share);
            if (!\is_array($values) || \count($values) !== \count($share)) {
                self::fail($this->redis[$index], 'mGet', $share[0]);
            }
            foreach (array_combine($share, $values) as $key => $value) {
                if (\is_string($value)) {
                    $found[$key] = $value;
                }
            }
        }

        /** @var array<string, string> */
        return $found;
    }

    public function setMany(array $values): void
    {
        $shares = [];
        foreach ($values as $key => $value) {
            $shares[crc32((string) $key) % $this->count][$key] = $value;
        }
        foreach ($shares as $index => $share) {
            /** @var array<string, string> $share */
            if ($this->redis[$index]->mset($share) !== true) {
                self::fail($this->redis[$index], 'mSet', (string) array_key_first($share));
            }
        }
    }

    public function deleteMany(array $keys): void
    {
        foreach ($this->shares($keys) as $index => $share) {
            if (!\is_int($this->redis[$index]->del($share))) {
                self::fail($this->redis[$index], 'del', $share[0]);
            }
        }
    }

    public function append(string $key, string $suffix): void
    {
        $redis = $this->redis[crc32($key) % $this->count];
        if (!\is_int($redis->append($key, $suffix))) {
            self::fail($redis, 'append', $key);
        }
    }

    public function setCounter(string $key, int $value): void
    {
        $this->set($key, (string) $value);
    }

    public function increment(string $key, int $by = 1): int
    {
        $redis = $this->redis[crc32($key) % $this->count];
        $after = $redis->incrBy($key, $by);

        return \is_int($after) ? $after : self::fail($redis, 'incrBy', $key);
    }

    public function decrement(string $key, int $by = 1): int
    {
        $redis = $this->redis[crc32($key) % $this->count];
        $after = $redis->decrBy($key, $by);

        return \is_int($after) ? $after : self::fail($redis, 'decrBy', $key);
    }

    public function incrementMany(array $keys, int $by = 1): array
    {
        $after = [];
        foreach ($this->shares($keys) as $index => $share) {
            $redis = $this->redis[$index];
            $redis->multi(Redis::PIPELINE);
            foreach ($share as $key) {
                $redis->incrBy($key, $by);
            }
            $counts = $redis->exec();
            if (!\is_array($counts) || \count($counts) !== \count($share) || $redis->getLastError() !== null) {
                self::fail($redis, 'pipelined incrBy', $share[0]);
            }
            $after += array_combine($share, $counts);
        }

        /** @var array<string, int> */
        return $after;
    }

    /**
     * @param non-empty-list<string> $keys
     *
     * @return array<int, non-empty-list<string>> by instance
     */
    private function shares(array $keys): array
    {
        $shares = [];
        foreach ($keys as $key) {
            $shares[crc32($key) % $this->count][] = $key;
        }

        return $shares;
    }

    private static function fail(Redis $redis, string $call, string $key): never
    {
        $words = $redis->getLastError();
        $redis->clearLastError();

        throw SubjectFailed::during($call, $key, \is_string($words) ? $words : 'an unexpected reply');
    }
}
