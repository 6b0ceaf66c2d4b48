<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Metrics\Counters;
use Larder\Metrics\NullCounters;
use Larder\Store\RedisStore;
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

    /** @var list<int> those that were paused */
    private array $paused = [];

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

    public function store(
        string $client,
        string $namespace = 'site',
        ?LoggerInterface $log = null,
        int $timeout = 5000,
        int $retry = 50,
        Counters $counters = new NullCounters(),
        string $serializer = 'php',
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
        if ($this->servers[$number]->isRunning()) {
            posix_kill($this->pid($number), SIGKILL);
        }
        $this->servers[$number]->stop();
    }

    /** Empty, on the port that it had. */
    public function restart(int $number = 0): void
    {
        $port = $this->servers[$number]->endpoint()->port;
        $this->kill($number);
        $this->servers[$number] = new Server($this->directory->path . '/' . $number, $port);
    }

    /** It takes connections and requests, and answers none. */
    public function pause(int $number = 0): void
    {
        $this->paused[] = $this->pid($number);
        posix_kill($this->pid($number), SIGSTOP);
    }

    public function resume(): void
    {
        foreach ($this->paused as $pid) {
            posix_kill($pid, SIGCONT);
        }
        $this->paused = [];
    }

    public function stop(): void
    {
        $this->resume();
        foreach ($this->servers as $server) {
            $server->stop();
        }
        exec('rm -rf ' . escapeshellarg($this->directory->path));
    }

    public function pid(int $number = 0): int
    {
        return $this->servers[$number]->endpoint()->pids[0] ?? throw new LogicException('It does not run');
    }
}
