<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Redis;

use Larder\Bench\Subject\Objects;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\SubjectFailed;
use Larder\Testbed\Server\Endpoint;
use Redis;

/** phpredis with a serializer of its own, which it does not have unless asked: without one an array is stored as "Array". */
final class PhpredisObjects implements Objects
{
    /** @var Redis|Everywhere<Redis> */
    private Redis|Everywhere $redis;

    /** @param string $serializer php, igbinary, msgpack or json */
    public function __construct(private readonly string $serializer) {}

    public function connect(Context $context): void
    {
        $this->redis = Connection::place($context, function (Endpoint $server) use ($context): Redis {
            $redis = Connection::phpredis($server, $context->timeout);
            $serializer = match ($this->serializer) {
                'php' => Redis::SERIALIZER_PHP,
                'igbinary' => Redis::SERIALIZER_IGBINARY,
                'msgpack' => Redis::SERIALIZER_MSGPACK,
                'json' => Redis::SERIALIZER_JSON,
                default => throw SubjectFailed::connecting('Redis', 'no serializer ' . $this->serializer),
            };

            return $redis->setOption(Redis::OPT_SERIALIZER, $serializer) ? $redis : throw SubjectFailed::connecting('Redis', 'phpredis was built without ' . $this->serializer);
        });
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

    private function fail(string $call, string $key): never
    {
        $words = $this->redis->getLastError();
        $this->redis->clearLastError();

        throw SubjectFailed::during($call, $key, \is_string($words) ? $words : 'an unexpected reply');
    }
}
