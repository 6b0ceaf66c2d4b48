<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Redis\Phpredis;
use Redis;

/** phpredis with the serializer of PHP. */
final class RedisTtlStore implements TtlStore
{
    private Redis $redis;

    public function connect(Context $context): void
    {
        $this->redis = Phpredis::open(
            $context->endpoints[0] ?? throw Failed::connecting('Redis', 'no server is there'),
            $context->timeout,
        );
        $this->redis->setOption(Redis::OPT_SERIALIZER, Redis::SERIALIZER_PHP);
    }

    public function get(string $key): mixed
    {
        $value = $this->redis->get($key);

        return $value === false ? null : $value;
    }

    public function set(string $key, mixed $value, float $ttl): void
    {
        if ($this->redis->set($key, $value, ['px' => (int) ceil($ttl * 1000)]) !== true) {
            throw Failed::during('set', $key, 'refused');
        }
    }

    public function add(string $key, mixed $value, float $ttl): bool
    {
        return $this->redis->set($key, $value, ['nx', 'px' => (int) ceil($ttl * 1000)]) === true;
    }

    public function delete(string $key): void
    {
        $this->redis->del($key);
    }
}
