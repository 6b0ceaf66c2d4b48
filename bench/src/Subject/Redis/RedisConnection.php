<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Redis;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Context;
use Larder\Testbed\Server\Endpoint;
use Predis\Client;
use Redis;

/** Opens the connections that the subjects for Redis use. */
final readonly class RedisConnection
{
    /** The server of this worker where each server holds all data: its number modulo theirs. */
    public static function server(Context $context): Endpoint
    {
        $servers = $context->endpoints;

        return $servers === []
            ? throw Failed::connecting('Redis', 'no server is there')
            : $servers[max(0, $context->worker) % \count($servers)];
    }

    public static function phpredis(Endpoint $server, float $timeout, bool $unix = false): Redis
    {
        $redis = new Redis();
        // A failure is both an exception and a warning: the warning is silenced.
        $connected = $unix
            ? @$redis->connect(self::socket($server), 0, $timeout, null, 0, $timeout)
            : @$redis->connect($server->host, $server->port, $timeout, null, 0, $timeout);

        return $connected ? $redis : throw Failed::connecting('Redis', $redis->getLastError() ?? 'refused');
    }

    public static function predis(Endpoint $server, float $timeout, bool $unix = false): Client
    {
        $client = new Client(self::parameters($server, $timeout, $unix));
        $client->connect();

        return $client;
    }

    /** @param list<Endpoint> $servers each with its share of the keys, by Predis' own ring */
    public static function predisRing(array $servers, float $timeout): Client
    {
        $client = new Client(
            array_map(static fn(Endpoint $server): array => self::parameters($server, $timeout, false), $servers),
            ['cluster' => 'predis'],
        );
        $client->connect();

        return $client;
    }

    /** @return array<string, float|int|string> */
    private static function parameters(Endpoint $server, float $timeout, bool $unix): array
    {
        $address = $unix
            ? ['scheme' => 'unix', 'path' => self::socket($server)]
            : ['scheme' => 'tcp', 'host' => $server->host, 'port' => $server->port];

        return [...$address, 'timeout' => $timeout, 'read_write_timeout' => $timeout];
    }

    private static function socket(Endpoint $server): string
    {
        return $server->socket ?? throw Failed::connecting('Redis', 'the server has no unix socket');
    }
}
