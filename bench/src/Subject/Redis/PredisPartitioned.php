<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Redis;

use Larder\Bench\Subject\Appending;
use Larder\Bench\Subject\CountingMany;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Context;
use Larder\Testbed\Server\Endpoint;
use Predis\Client;
use Predis\ClientContextInterface;

/** Predis on several instances, each with its share of the keys by Predis' own ring. It refuses MGET and the like there: pipelines. */
final class PredisPartitioned implements Appending, CountingMany, ManyKeys
{
    private Client $redis;

    public function connect(Context $context): void
    {
        $this->redis = new Client(
            array_map(static fn(Endpoint $server): array => Connection::parameters($server, $context->timeout), $context->endpoints),
            ['cluster' => 'predis'],
        );
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
        $values = Connection::pipelined($this->redis, static function (ClientContextInterface $pipeline) use ($keys): void {
            foreach ($keys as $key) {
                $pipeline->get($key);
            }
        });

        return array_filter(array_combine($keys, $values), \is_string(...));
    }

    public function setMany(array $values): void
    {
        Connection::pipelined($this->redis, static function (ClientContextInterface $pipeline) use ($values): void {
            foreach ($values as $key => $value) {
                $pipeline->set((string) $key, $value);
            }
        });
    }

    public function deleteMany(array $keys): void
    {
        Connection::pipelined($this->redis, static function (ClientContextInterface $pipeline) use ($keys): void {
            foreach ($keys as $key) {
                $pipeline->del($key);
            }
        });
    }

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
}
