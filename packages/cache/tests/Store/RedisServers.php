<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Metrics\Counters;
use Larder\Metrics\NullCounters;
use Larder\Store\RedisStore;
use Larder\Store\Seal;
use Larder\Testbed\Server\Redis as Server;
use Larder\Testbed\TemporaryDirectory;
use LogicException;
use Psr\Log\LoggerInterface;
use Redis;

/** Redis servers of one test's own. */
final class RedisServers
{
    public const CLIENTS = ['phpredis', 'predis'];

    private readonly TemporaryDirectory $directory;

    /** @var non-empty-array<int, Server> */
    private array $servers;

    public function __construct(int $number = 1)
    {
        $this->directory = new TemporaryDirectory();
        $this->servers = array_map(
            fn(int $server): Server => new Server($this->directory->path . '/' . $server),
            range(0, $number - 1),
        );
    }

    /** @return non-empty-list<string> */
    public function addresses(): array
    {
        return array_values(
            array_map(static fn(Server $server): string => '127.0.0.1:' . $server->endpoint()->port, $this->servers),
        );
    }

    /** The Unix socket, which is there beside the port. */
    public function socket(int $number = 0): string
    {
        return $this->servers[$number]->endpoint()->socket ?? throw new LogicException('It has no socket');
    }

    /** @param bool|list<string> $objects */
    public function store(
        string $client,
        string $namespace = 'site',
        ?LoggerInterface $log = null,
        int $timeout = 5000,
        int $retry = 50,
        Counters $counters = new NullCounters(),
        string $serializer = 'php',
        bool $failover = false,
        bool $survives = false,
        bool|array $objects = [],
        ?Seal $seal = null,
    ): RedisStore {
        \assert($client === 'phpredis' || $client === 'predis');
        \assert($serializer === 'php' || $serializer === 'igbinary');
        $store = RedisStore::on(
            $this->addresses(),
            $namespace,
            $log,
            $timeout,
            $retry,
            $counters,
            $client,
            $serializer,
            $failover,
            $survives,
            $objects,
            $seal,
        );
        \assert($store instanceof RedisStore);

        return $store;
    }

    /** Past the store. */
    public function direct(int $number = 0): Redis
    {
        $redis = new Redis();
        $redis->connect($this->socket($number));

        return $redis;
    }

    public function kill(int $number = 0): void
    {
        $this->servers[$number]->kill();
    }

    /** Writes the snapshot that restart() begins with. */
    public function save(int $number = 0): void
    {
        $this->direct($number)->rawcommand('SAVE');
    }

    public function port(int $number = 0): int
    {
        return $this->servers[$number]->endpoint()->port;
    }

    /** On the port that it had, with what it has saved. */
    public function restart(int $number = 0): void
    {
        $this->servers[$number]->restart();
    }

    /** Empty, and without a replica's place in its log. */
    public function renew(int $number = 0): void
    {
        $this->servers[$number]->kill();
        @unlink($this->directory->path . '/' . $number . '/dump.rdb');
        $this->servers[$number]->start();
    }

    /** It takes connections and requests, and answers none. */
    public function pause(int $number = 0): void
    {
        $this->servers[$number]->pause();
    }

    public function resume(): void
    {
        foreach ($this->servers as $server) {
            $server->resume();
        }
    }

    public function stop(): void
    {
        foreach ($this->servers as $server) {
            $server->stop();
        }
        $this->directory->remove();
    }

    public function pid(int $number = 0): int
    {
        return $this->servers[$number]->pid();
    }
}
