<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Redis;

use Closure;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\SubjectFailed;
use Larder\Testbed\Server\Endpoint;
use Predis\Client;
use Predis\ClientContextInterface;
use Redis;

/** Opens what the subjects of Redis work on. */
final readonly class Connection
{
    /**
     * Which instance a worker uses when all of them hold all data: its number modulo theirs. The filler uses all.
     *
     * @template T of object
     *
     * @param Closure(Endpoint): T $open
     *
     * @return T|Everywhere<T>
     */
    public static function place(Context $context, Closure $open): object
    {
        $servers = $context->endpoints;
        if ($servers === []) {
            throw SubjectFailed::connecting('Redis', 'no server is there');
        }
        if ($context->worker >= 0 || \count($servers) === 1) {
            return $open($servers[max(0, $context->worker) % \count($servers)]);
        }

        return new Everywhere(array_map($open, $servers));
    }

    public static function phpredis(Endpoint $server, float $timeout, bool $unix = false): Redis
    {
        $redis = new Redis();
        // Silenced: a failure is said twice, by an exception and by a warning.
        $connected = $unix
            ? @$redis->connect(self::socket($server), 0, $timeout, null, 0, $timeout)
            : @$redis->connect($server->host, $server->port, $timeout, null, 0, $timeout);

        return $connected ? $redis : throw SubjectFailed::connecting('Redis', $redis->getLastError() ?? 'refused');
    }

    public static function predis(Endpoint $server, float $timeout, bool $unix = false): Client
    {
        $client = new Client(self::parameters($server, $timeout, $unix));
        $client->connect();

        return $client;
    }

    /** @return array<string, float|int|string> */
    public static function parameters(Endpoint $server, float $timeout, bool $unix = false): array
    {
        $where = $unix
            ? ['scheme' => 'unix', 'path' => self::socket($server)]
            : ['scheme' => 'tcp', 'host' => $server->host, 'port' => $server->port];

        return [...$where, 'timeout' => $timeout, 'read_write_timeout' => $timeout];
    }

    /**
     * @param Client|Everywhere<Client>               $client
     * @param Closure(ClientContextInterface): void   $commands
     *
     * @return list<mixed> their replies
     */
    public static function pipelined(Client|Everywhere $client, Closure $commands): array
    {
        $replies = $client->pipeline($commands);

        return \is_array($replies) ? array_values($replies) : throw SubjectFailed::during('pipeline', '', 'no replies');
    }

    private static function socket(Endpoint $server): string
    {
        return $server->socket ?? throw SubjectFailed::connecting('Redis', 'the server has no unix socket');
    }
}
