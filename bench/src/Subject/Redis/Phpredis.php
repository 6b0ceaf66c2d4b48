<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Redis;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Appending;
use Larder\Bench\Subject\Collections;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\CountingMany;
use Larder\Bench\Subject\ManyKeys;
use Larder\Testbed\Server\Endpoint;
use Redis;

/**
 * phpredis. A lost connection is an exception of the extension; a refusal is false, and so is a miss: the last error
 * tells the two apart.
 *
 * Partitioned, each server has its share of the keys, by CRC32 of the key. The extension's own RedisArray is not used:
 * when a server is gone, it answers false for that server's keys, as if they had not been set.
 */
final class Phpredis implements Appending, Collections, CountingMany, ManyKeys
{
    /** The connection of a subject that is not partitioned, and the first one of a partitioned subject. */
    private Redis $redis;

    /** @var list<Redis> */
    private array $servers = [];

    /** @param bool $pipelined many keys are many commands in one pipeline, in place of MGET and MSET */
    public function __construct(
        private readonly bool $unix = false,
        private readonly bool $pipelined = false,
        private readonly bool $partitioned = false,
    ) {}

    public static function open(Endpoint $server, float $timeout, bool $unix = false): Redis
    {
        $redis = new Redis();
        $path = $unix ? $server->socket ?? throw Failed::connecting('Redis', 'the server has no unix socket') : '';
        // A failure is both an exception and a warning: the warning is silenced.
        $connected = $unix
            ? @$redis->connect($path, 0, $timeout, null, 0, $timeout)
            : @$redis->connect($server->host, $server->port, $timeout, null, 0, $timeout);

        return $connected ? $redis : throw Failed::connecting('Redis', $redis->getLastError() ?? 'refused');
    }

    public function connect(Context $context): void
    {
        $this->servers = [];
        foreach ($this->partitioned ? $context->endpoints : [$context->serverOfWorker()] as $server) {
            $this->servers[] = self::open($server, $context->timeout, $this->unix);
        }
        $this->redis = $this->servers[0] ?? throw Failed::connecting('Redis', 'no server is there');
    }

    public function close(): void
    {
        foreach ($this->servers as $server) {
            $server->close();
        }
    }

    public function get(string $key): ?string
    {
        $redis = $this->partitioned ? $this->server($key) : $this->redis;
        $value = $redis->get($key);

        return \is_string($value) ? $value : $this->miss($redis, 'get', $key);
    }

    public function set(string $key, string $value): void
    {
        $redis = $this->partitioned ? $this->server($key) : $this->redis;
        if ($redis->set($key, $value) !== true) {
            $this->fail($redis, 'set', $key);
        }
    }

    public function delete(string $key): void
    {
        $redis = $this->server($key);
        if (!\is_int($redis->del($key))) {
            $this->fail($redis, 'del', $key);
        }
    }

    public function getMany(array $keys): array
    {
        $found = [];
        foreach ($this->shares($keys) as $server => $share) {
            $redis = $this->servers[$server];
            $values = $this->pipelined ? $this->pipeline($redis, 'get', $share) : $redis->mget($share);
            if (!\is_array($values) || \count($values) !== \count($share)) {
                $this->fail($redis, 'mGet', $share[0]);
            }
            $part = array_combine($share, $values);
            if (\in_array(false, $values, true)) {
                $this->miss($redis, 'mGet', $share[0]);
                $part = array_filter($part, \is_string(...));
            }
            $found = $found === [] ? $part : $found + $part;
        }

        /** @var array<string, string> */
        return $found;
    }

    public function setMany(array $values): void
    {
        foreach ($this->partitioned ? $this->sharesOf($values) : [$values] as $server => $share) {
            $redis = $this->servers[$server];
            if (!$this->pipelined) {
                /** @var array<string, string> $share */
                if ($redis->mset($share) !== true) {
                    $this->fail($redis, 'mSet', (string) array_key_first($share));
                }
                continue;
            }
            $redis->multi(Redis::PIPELINE);
            foreach ($share as $key => $value) {
                $redis->set((string) $key, $value);
            }
            $this->results($redis, \count($share), 'set', (string) array_key_first($share));
        }
    }

    public function deleteMany(array $keys): void
    {
        foreach ($this->shares($keys) as $server => $share) {
            $redis = $this->servers[$server];
            if ($this->pipelined) {
                $this->pipeline($redis, 'del', $share);
            } elseif (!\is_int($redis->del($share))) {
                $this->fail($redis, 'del', $share[0]);
            }
        }
    }

    public function append(string $key, string $suffix): void
    {
        $redis = $this->server($key);
        if (!\is_int($redis->append($key, $suffix))) {
            $this->fail($redis, 'append', $key);
        }
    }

    public function setCounter(string $key, int $value): void
    {
        $this->set($key, (string) $value);
    }

    public function increment(string $key, int $by = 1): int
    {
        $redis = $this->server($key);
        $sum = $redis->incrBy($key, $by);

        return \is_int($sum) ? $sum : $this->fail($redis, 'incrBy', $key);
    }

    public function decrement(string $key, int $by = 1): int
    {
        $redis = $this->server($key);
        $sum = $redis->decrBy($key, $by);

        return \is_int($sum) ? $sum : $this->fail($redis, 'decrBy', $key);
    }

    /** Redis has no command for it: a pipeline. */
    public function incrementMany(array $keys, int $by = 1): array
    {
        $sums = [];
        foreach ($this->shares($keys) as $server => $share) {
            $redis = $this->servers[$server];
            $redis->multi(Redis::PIPELINE);
            foreach ($share as $key) {
                $redis->incrBy($key, $by);
            }
            $sums += array_combine($share, $this->results($redis, \count($share), 'incrBy', $share[0]));
        }

        /** @var array<string, int> */
        return $sums;
    }

    public function pushRight(string $key, string $value): int
    {
        $length = $this->redis->rPush($key, $value);

        return \is_int($length) ? $length : $this->fail($this->redis, 'rPush', $key);
    }

    public function pushLeft(string $key, string $value): int
    {
        $length = $this->redis->lPush($key, $value);

        return \is_int($length) ? $length : $this->fail($this->redis, 'lPush', $key);
    }

    public function popLeft(string $key): ?string
    {
        $value = $this->redis->lPop($key);

        return \is_string($value) ? $value : $this->miss($this->redis, 'lPop', $key);
    }

    public function setFields(string $key, array $fields): void
    {
        if ($this->redis->hMset($key, $fields) !== true) {
            $this->fail($this->redis, 'hMSet', $key);
        }
    }

    public function hasField(string $key, string $field): bool
    {
        return $this->redis->hExists($key, $field) === true || $this->no('hExists', $key);
    }

    public function field(string $key, string $field): ?string
    {
        $value = $this->redis->hGet($key, $field);

        return \is_string($value) ? $value : $this->miss($this->redis, 'hGet', $key);
    }

    public function fields(string $key): array
    {
        $fields = $this->redis->hGetAll($key);

        /** @var array<string, string> */
        return \is_array($fields) ? $fields : $this->fail($this->redis, 'hGetAll', $key);
    }

    public function add(string $key, string $member): bool
    {
        $added = $this->redis->sAdd($key, $member);

        return \is_int($added) ? $added === 1 : $this->fail($this->redis, 'sAdd', $key);
    }

    public function holds(string $key, string $member): bool
    {
        return $this->redis->sismember($key, $member) === true || $this->no('sIsMember', $key);
    }

    public function move(string $from, string $to, string $member): bool
    {
        return $this->redis->sMove($from, $to, $member) === true || $this->no('sMove', $from);
    }

    public function random(string $key): ?string
    {
        $member = $this->redis->sRandMember($key);

        return \is_string($member) ? $member : $this->miss($this->redis, 'sRandMember', $key);
    }

    private function server(string $key): Redis
    {
        return $this->partitioned ? $this->servers[crc32($key) % \count($this->servers)] : $this->redis;
    }

    /**
     * @param non-empty-list<string> $keys
     *
     * @return array<int, non-empty-list<string>> by the number of the server
     */
    private function shares(array $keys): array
    {
        if (!$this->partitioned) {
            return [$keys];
        }
        $shares = [];
        foreach ($keys as $key) {
            $shares[crc32($key) % \count($this->servers)][] = $key;
        }

        return $shares;
    }

    /**
     * @param non-empty-array<int|string, string> $values by key
     *
     * @return array<int, non-empty-array<int|string, string>> by the number of the server
     */
    private function sharesOf(array $values): array
    {
        $shares = [];
        foreach ($values as $key => $value) {
            $shares[crc32((string) $key) % \count($this->servers)][$key] = $value;
        }

        return $shares;
    }

    /**
     * @param 'get'|'del'            $command
     * @param non-empty-list<string> $keys
     *
     * @return list<mixed>
     */
    private function pipeline(Redis $redis, string $command, array $keys): array
    {
        $redis->multi(Redis::PIPELINE);
        foreach ($keys as $key) {
            $command === 'get' ? $redis->get($key) : $redis->del($key);
        }

        return $this->results($redis, \count($keys), $command, $keys[0]);
    }

    /** @return list<mixed> */
    private function results(Redis $redis, int $count, string $command, string $key): array
    {
        $replies = $redis->exec();
        if (!\is_array($replies) || \count($replies) !== $count || $redis->getLastError() !== null) {
            $this->fail($redis, 'pipelined ' . $command, $key);
        }

        return array_values($replies);
    }

    private function miss(Redis $redis, string $call, string $key): null
    {
        return $redis->getLastError() === null ? null : $this->fail($redis, $call, $key);
    }

    private function no(string $call, string $key): bool
    {
        $this->miss($this->redis, $call, $key);

        return false;
    }

    private function fail(Redis $redis, string $call, string $key): never
    {
        $words = $redis->getLastError();
        // The error stands until the next one, and would turn misses into failures.
        $redis->clearLastError();

        throw Failed::during($call, $key, \is_string($words) ? $words : 'an unexpected reply');
    }
}
