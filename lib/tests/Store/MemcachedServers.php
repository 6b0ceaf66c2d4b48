<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Bench\Server\Memcached as Server;
use Larder\Memcached;
use Larder\Tests\Support\TemporaryDirectory;

/** memcached servers of one test's own. */
final class MemcachedServers
{
    private readonly TemporaryDirectory $directory;

    /** @var array<int, Server> */
    private array $servers = [];

    /** @var list<int> */
    private array $ports = [];

    public function __construct(int $number)
    {
        $this->directory = new TemporaryDirectory();
        for ($server = 0; $server < $number; ++$server) {
            $this->start();
        }
    }

    /** Its number is returned. */
    public function start(): int
    {
        $number = \count($this->servers);
        $server = new Server($this->directory->path . '/' . $number);
        $this->servers[] = $server;
        $this->ports[] = $server->endpoint()->port;

        return $number;
    }

    /** Those that were ever started. */
    public function count(): int
    {
        return \count($this->ports);
    }

    public function address(int $number): string
    {
        return '127.0.0.1:' . $this->ports[$number];
    }

    /** @return non-empty-list<string> */
    public function addresses(): array
    {
        $addresses = array_map(static fn(int $port): string => '127.0.0.1:' . $port, $this->ports);
        \assert($addresses !== []);

        return $addresses;
    }

    public function client(bool $shared = false, string $prefix = '', int $timeout = 2000, int $retry = 50): Memcached
    {
        return new Memcached($this->addresses(), prefix: $prefix, timeout: $timeout, retry: $retry, shared: $shared);
    }

    public function kill(int|string $server): void
    {
        $this->servers[$this->number($server)]->stop();
    }

    /** Empty, on the port that it had. */
    public function restart(int|string $server): void
    {
        $number = $this->number($server);
        $this->kill($number);
        $this->servers[$number] = new Server($this->directory->path . '/' . $number, port: $this->ports[$number]);
    }

    public function stop(): void
    {
        foreach ($this->servers as $server) {
            $server->stop();
        }
        exec('rm -rf ' . escapeshellarg($this->directory->path));
    }

    private function number(int|string $server): int
    {
        return \is_int($server) ? $server : (int) array_search($server, $this->addresses(), true);
    }
}
