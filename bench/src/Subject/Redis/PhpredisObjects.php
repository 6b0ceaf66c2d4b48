<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Redis;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Objects;
use Redis;

/** phpredis with its own serializer, which is off by default: without it an array is stored as "Array". */
final class PhpredisObjects implements Objects
{
    private Redis $redis;

    /** @param string $serializer php, igbinary, msgpack or json */
    public function __construct(private readonly string $serializer) {}

    public function connect(Context $context): void
    {
        $this->redis = Phpredis::open($context->serverOfWorker(), $context->timeout);
        $serializer = match ($this->serializer) {
            'php' => Redis::SERIALIZER_PHP,
            'igbinary' => Redis::SERIALIZER_IGBINARY,
            'msgpack' => Redis::SERIALIZER_MSGPACK,
            'json' => Redis::SERIALIZER_JSON,
            default => throw Failed::connecting('Redis', 'no serializer ' . $this->serializer),
        };
        if (!$this->redis->setOption(Redis::OPT_SERIALIZER, $serializer)) {
            throw Failed::connecting('Redis', 'phpredis was built without ' . $this->serializer);
        }
    }

    public function close(): void
    {
        $this->redis->close();
    }

    public function setObject(string $key, mixed $value): void
    {
        if ($this->redis->set($key, $value) !== true) {
            $this->fail('set', $key);
        }
    }

    public function getObject(string $key): mixed
    {
        $value = $this->redis->get($key);
        if ($value === false) {
            return $this->redis->getLastError() === null ? null : $this->fail('get', $key);
        }

        return $value;
    }

    public function getRepeatedly(string $key, int $times): mixed
    {
        $redis = $this->redis;
        $value = false;
        for ($time = 0; $time < $times; ++$time) {
            $value = $redis->get($key);
        }
        if ($value === false) {
            return $redis->getLastError() === null ? null : $this->fail('get', $key);
        }

        return $value;
    }

    private function fail(string $call, string $key): never
    {
        $words = $this->redis->getLastError();
        $this->redis->clearLastError();

        throw Failed::during($call, $key, \is_string($words) ? $words : 'an unexpected reply');
    }
}
