<?php

declare(strict_types=1);

namespace Larder\Testbed\Net;

use RuntimeException;
use Socket;

/**
 * Stands on a port of 127.0.0.1 before one server and passes bytes on, as a ProxyTraffic decides: late, damaged, or not
 * at all.
 *
 *     $proxy = new Proxy('unix:///tmp/memcached.sock', $traffic);
 *     // in a process that does nothing else, such as a worker of a WorkerPool:
 *     $proxy->serve();
 *
 * It never sends a request twice and never lets one pass another.
 */
final class Proxy
{
    /** Nanoseconds that a sleep may end late. The last ones before a release are spent without sleeping. */
    private const LATE = 20_000;

    /** Nanoseconds between two looks at whether the parent process lives. */
    private const REST = 50_000_000;

    /** A call of select() takes 1,024 descriptors, and a connection has two. */
    private const CONNECTIONS = 480;

    public readonly int $port;

    private readonly Socket $listener;

    /** @var array<int, ProxiedConnection> */
    private array $connections = [];

    private int $number = 0;

    /** @param string $target `tcp://127.0.0.1:11211` or `unix:///run/redis.sock` */
    public function __construct(
        private readonly string $target,
        private readonly ProxyTraffic $traffic,
    ) {
        $listener = socket_create(AF_INET, SOCK_STREAM, SOL_TCP);
        if ($listener === false || !socket_bind($listener, '127.0.0.1') || !socket_listen($listener, 511)) {
            throw new RuntimeException('The proxy cannot listen on 127.0.0.1.');
        }
        socket_set_nonblock($listener);
        socket_getsockname($listener, $address, $port);
        $this->listener = $listener;
        $this->port = \is_int($port) ? $port : throw new RuntimeException('The proxy has no port.');
    }

    /** Works until the parent process is gone, or this one is killed. */
    public function serve(): void
    {
        // The kernel lets any sleep of a process last 50 us longer, to wake up less often. This process wants to be on
        // time.
        @file_put_contents('/proc/self/timerslack_ns', '1');
        for ($parent = posix_getppid(); posix_getppid() === $parent;) {
            $this->turn();
        }
    }

    /** Gives up the port in this process: after a fork, the child has it. */
    public function close(): void
    {
        socket_close($this->listener);
    }

    private function turn(): void
    {
        $ready = $this->wait();
        $now = (int) hrtime(true);
        // Clients first: a new connection must not get ahead of the one that it replaces.
        foreach ($this->connections as $connection) {
            if (isset($ready["client $connection->number"])) {
                $connection->receive($this->traffic, $now);
            }
        }
        if (isset($ready['listener'])) {
            $this->accept($now);
        }
        foreach ($this->connections as $connection) {
            if (isset($ready["server $connection->number"])) {
                $connection->answer($this->traffic, $now);
            }
        }
        foreach ($this->connections as $number => $connection) {
            $connection->pass((int) hrtime(true));
            if ($connection->isDead()) {
                unset($this->connections[$number]);
            }
        }
    }

    /** @return array<array-key, Socket> that can be read */
    private function wait(): array
    {
        $readable = \count($this->connections) < self::CONNECTIONS ? ['listener' => $this->listener] : [];
        $writable = [];
        $next = PHP_INT_MAX;
        foreach ($this->connections as $connection) {
            if ($connection->readsServer()) {
                $readable["server $connection->number"] = $connection->server;
            }
            if ($connection->readsClient()) {
                $readable["client $connection->number"] = $connection->client;
            }
            if (!$connection->isEnding() && $connection->requests->isStuck()) {
                $writable[] = $connection->server;
            }
            if (!$connection->isEnding() && $connection->replies->isStuck()) {
                $writable[] = $connection->client;
            }
            $next = min($next, $connection->due());
        }
        $except = null;
        $sleep = (int) max(0, min(self::REST, $next === PHP_INT_MAX ? self::REST : $next - hrtime(true) - self::LATE));
        $count = @socket_select($readable, $writable, $except, 0, intdiv($sleep, 1000));

        return $count === false ? [] : $readable;
    }

    private function accept(int $now): void
    {
        while (($client = @socket_accept($this->listener)) !== false) {
            $server = $this->connect();
            if ($server === null) {
                socket_close($client);
                continue;
            }
            socket_set_option($client, SOL_TCP, TCP_NODELAY, 1);
            foreach ($this->connections as $connection) {
                $connection->receive($this->traffic, $now);
            }
            $connection = new ProxiedConnection(++$this->number, $client, $server, $this->connections);
            $this->connections[$connection->number] = $connection;
            $this->traffic->opened($connection);
        }
    }

    private function connect(): ?Socket
    {
        if (str_starts_with($this->target, 'unix://')) {
            $server = socket_create(AF_UNIX, SOCK_STREAM, 0);
            $isConnected = $server !== false && @socket_connect($server, substr($this->target, 7));
        } else {
            [$host, $port] = explode(':', substr($this->target, 6)) + [1 => '0'];
            $server = socket_create(AF_INET, SOCK_STREAM, SOL_TCP);
            $isConnected = $server !== false && @socket_connect($server, $host, (int) $port);
        }
        if ($server === false || !$isConnected) {
            return null;
        }
        if (!str_starts_with($this->target, 'unix://')) {
            socket_set_option($server, SOL_TCP, TCP_NODELAY, 1);
        }

        return $server;
    }
}
