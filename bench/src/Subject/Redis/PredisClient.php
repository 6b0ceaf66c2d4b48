<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Redis;

use Larder\Bench\Subject\Appending;
use Larder\Bench\Subject\CountingMany;
use Larder\Bench\Subject\Hashes;
use Larder\Bench\Subject\Lists;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Sets;
use Larder\Testbed\Server\Endpoint;
use Predis\Client;
use Predis\ClientContextInterface;

/** Predis. Whatever goes wrong is an exception of its own. Of several instances a worker uses one; the filler writes to all. */
final class PredisClient implements Appending, CountingMany, Hashes, Lists, ManyKeys, Sets
{
    /** @var Client|Everywhere<Client> */
    private Client|Everywhere $redis;

    public function __construct(private readonly bool $unix = false) {}

    public function connect(Context $context): void
    {
        $this->redis = Connection::place($context, fn(Endpoint $server): Client => Connection::predis($server, $context->timeout, $this->unix));
    }

    public function close(): void
    {
        $this->redis->disconnect();
    }

    public function get(string $key): ?string
    {
        return $this->redis->get($key);
    }

    public function set(string $key, string $value): void
    {
        $this->redis->set($key, $value);
    }

    public function delete(string $key): void
    {
        $this->redis->del($key);
    }

    public function getMany(array $keys): array
    {
        return array_filter(array_combine($keys, $this->redis->mget($keys)), \is_string(...));
    }

    public function setMany(array $values): void
    {
        $this->redis->mset($values);
    }

    public function deleteMany(array $keys): void
    {
        $this->redis->del($keys);
    }

    public function append(string $key, string $suffix): void
    {
        $this->redis->append($key, $suffix);
    }

    public function setCounter(string $key, int $value): void
    {
        $this->redis->set($key, (string) $value);
    }

    public function increment(string $key, int $by = 1): int
    {
        return $this->redis->incrby($key, $by);
    }

    public function decrement(string $key, int $by = 1): int
    {
        return $this->redis->decrby($key, $by);
    }

    /** There is no command for it: a pipeline. */
    public function incrementMany(array $keys, int $by = 1): array
    {
        $after = Connection::pipelined($this->redis, static function (ClientContextInterface $pipeline) use ($keys, $by): void {
            foreach ($keys as $key) {
                $pipeline->incrby($key, $by);
            }
        });

        /** @var array<string, int> */
        return array_combine($keys, $after);
    }

    public function pushRight(string $key, string $value): int
    {
        return $this->redis->rpush($key, [$value]);
    }

    public function pushLeft(string $key, string $value): int
    {
        return $this->redis->lpush($key, [$value]);
    }

    public function popLeft(string $key): ?string
    {
        return $this->redis->lpop($key);
    }

    public function setFields(string $key, array $fields): void
    {
        $this->redis->hmset($key, $fields);
    }

    public function hasField(string $key, string $field): bool
    {
        return $this->redis->hexists($key, $field) === 1;
    }

    public function field(string $key, string $field): ?string
    {
        return $this->redis->hget($key, $field);
    }

    public function fields(string $key): array
    {
        /** @var array<string, string> */
        return $this->redis->hgetall($key);
    }

    public function add(string $key, string $member): bool
    {
        return $this->redis->sadd($key, [$member]) === 1;
    }

    public function holds(string $key, string $member): bool
    {
        return $this->redis->sismember($key, $member) === 1;
    }

    public function move(string $from, string $to, string $member): bool
    {
        return $this->redis->smove($from, $to, $member) === 1;
    }

    public function random(string $key): ?string
    {
        return $this->redis->srandmember($key);
    }
}
