<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Redis;

use Closure;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Appending;
use Larder\Bench\Subject\Collections;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\CountingMany;
use Larder\Bench\Subject\ManyKeys;
use Larder\Testbed\Server\Endpoint;
use Predis\Client;
use Predis\ClientContextInterface;

/**
 * Predis, which throws its own exception for every failure.
 *
 * Partitioned, each server has its share of the keys by Predis' own ring, which refuses MGET, MSET and DEL of many
 * keys: many keys are then a pipeline.
 */
final class Predis implements Appending, Collections, CountingMany, ManyKeys
{
    private Client $redis;

    public function __construct(
        private readonly bool $unix = false,
        private readonly bool $partitioned = false,
    ) {}

    public function connect(Context $context): void
    {
        $timeout = $context->timeout;
        $this->redis = $this->partitioned
            ? new Client(
                array_map(
                    static fn(Endpoint $server): array => self::parameters($server, $timeout, false),
                    $context->endpoints,
                ),
                ['cluster' => 'predis'],
            )
            : new Client(self::parameters($context->serverOfWorker(), $timeout, $this->unix));
        $this->redis->connect();
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
        $values = $this->partitioned
            ? $this->pipeline(static function (ClientContextInterface $pipeline) use ($keys): void {
                foreach ($keys as $key) {
                    $pipeline->get($key);
                }
            })
            : $this->redis->mget($keys);

        return array_filter(array_combine($keys, $values), \is_string(...));
    }

    public function setMany(array $values): void
    {
        if (!$this->partitioned) {
            $this->redis->mset($values);

            return;
        }
        $this->pipeline(static function (ClientContextInterface $pipeline) use ($values): void {
            foreach ($values as $key => $value) {
                $pipeline->set((string) $key, $value);
            }
        });
    }

    public function deleteMany(array $keys): void
    {
        if (!$this->partitioned) {
            $this->redis->del($keys);

            return;
        }
        $this->pipeline(static function (ClientContextInterface $pipeline) use ($keys): void {
            foreach ($keys as $key) {
                $pipeline->del($key);
            }
        });
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

    /** Redis has no command for it: a pipeline. */
    public function incrementMany(array $keys, int $by = 1): array
    {
        $sums = $this->pipeline(static function (ClientContextInterface $pipeline) use ($keys, $by): void {
            foreach ($keys as $key) {
                $pipeline->incrby($key, $by);
            }
        });

        /** @var array<string, int> */
        return array_combine($keys, $sums);
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

    /**
     * @param Closure(ClientContextInterface): void $commands
     *
     * @return list<mixed> their replies
     */
    private function pipeline(Closure $commands): array
    {
        $replies = $this->redis->pipeline($commands);

        return \is_array($replies)
            ? array_values($replies)
            : throw Failed::during('pipeline', '', 'no replies');
    }

    /** @return array<string, float|int|string> */
    private static function parameters(Endpoint $server, float $timeout, bool $unix): array
    {
        $address = $unix
            ? [
                'scheme' => 'unix',
                'path' => $server->socket ?? throw Failed::connecting('Redis', 'the server has no unix socket'),
            ]
            : ['scheme' => 'tcp', 'host' => $server->host, 'port' => $server->port];

        return [...$address, 'timeout' => $timeout, 'read_write_timeout' => $timeout];
    }
}
