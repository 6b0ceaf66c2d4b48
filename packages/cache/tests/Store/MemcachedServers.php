<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Memcached;
use Larder\Testbed\Net\Exchange;
use Larder\Testbed\Server\Memcached as Server;
use Larder\Testbed\TemporaryDirectory;

/** memcached servers of one test's own. */
final class MemcachedServers
{
    private readonly TemporaryDirectory $directory;

    /** @var array<int, Server> */
    private array $servers = [];

    /** @var list<int> */
    private array $ports = [];

    /** @param list<string> $options of memcached */
    public function __construct(int $number, private readonly array $options = [])
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
        $server = new Server($this->directory->path . '/' . $number, options: $this->options);
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

    /** @param bool|list<string> $objects */
    public function client(
        bool $shared = false,
        string $prefix = '',
        int $timeout = 2000,
        int $retry = 50,
        bool|array $objects = [],
        string $serializer = 'php',
    ): Memcached {
        return new Memcached(
            $this->addresses(),
            prefix: $prefix,
            timeout: $timeout,
            retry: $retry,
            shared: $shared,
            objects: $objects,
            serializer: $serializer,
        );
    }

    public function kill(int|string $server): void
    {
        $this->server($server)->kill();
    }

    /** It keeps its connections and answers none, until resume(). */
    public function pause(int|string $server): void
    {
        $this->server($server)->pause();
    }

    public function resume(int|string $server): void
    {
        $this->server($server)->resume();
    }

    /** Empty, on the port that it had. */
    public function restart(int|string $server): void
    {
        $this->server($server)->restart();
    }

    /** All run, are empty, and are asked again by this process's clients, who leave one alone that went away. */
    public function renew(): void
    {
        foreach ($this->servers as $number => $server) {
            $server->start();
            Exchange::with('tcp://' . $this->address($number), "flush_all\r\n", "OK\r\n");
        }
        $client = $this->client();
        $waiting = array_fill_keys($this->addresses(), true);
        for ($try = 0; $waiting !== [] && $try < 60_000; ++$try) {
            if ($client->read("renewed$try")->answered) {
                unset($waiting[$client->serverOf("renewed$try")]);
            } else {
                usleep(1000);
            }
        }
    }

    /** Until all have run for so long that a client can tell them from any other. */
    public function settle(int $timeout = 2000): void
    {
        $client = $this->client(timeout: $timeout);
        $waiting = array_fill_keys($this->addresses(), true);
        for ($try = 0; $waiting !== [] && $try < 3000; ++$try) {
            $key = 'settle' . $try;
            if ($client->processOf($key) !== null) {
                unset($waiting[$client->serverOf($key)]);
            } elseif ($try % 10 === 0) {
                usleep(50_000);
            }
        }
    }

    public function stop(): void
    {
        foreach ($this->servers as $server) {
            $server->stop();
        }
        $this->directory->remove();
    }

    private function server(int|string $server): Server
    {
        return $this->servers[\is_int($server) ? $server : (int) array_search($server, $this->addresses(), true)];
    }
}
