<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

use Larder\Testbed\Server\Daemon;
use Larder\Testbed\Server\Program;
use Larder\Testbed\Server\ServerFailed;
use Larder\Memcached;
use Larder\SharedMemory;
use Larder\Store;
use Larder\Store\MemcachedStore;
use Larder\Store\RedisStore;
use Larder\Store\TieredStore;

/** The store of one setting, and the server that it starts for it. */
final class Shelf
{
    private const NAMESPACE = 'values';

    /** Milliseconds. */
    private const TIMEOUT = 2_000;
    private const RETRY = 50;

    private ?Daemon $server = null;

    private int $starts = 0;

    public function __construct(private readonly Setting $setting, private readonly string $directory) {}

    public function start(): void
    {
        $socket = $this->socket();
        $root = posix_geteuid() === 0 ? ['-u', 'root'] : [];
        match ($this->setting->store) {
            'memory' => null,
            'redis' => $this->run('redis-server', ['--port', '0', '--unixsocket', $socket, '--save', '', '--appendonly', 'no', '--dir', $this->directory]),
            default => $this->run('memcached', ['-s', $socket, '-a', '600', '-t', '2', '-m', '128', ...$root]),
        };
    }

    /**
     * For one process: a connection is not shared with a fork.
     *
     * @param int $seat by it, one of two hosts with a near store each
     */
    public function open(int $seat): Store
    {
        return match ($this->setting->store) {
            'memory' => new SharedMemory(self::NAMESPACE),
            'redis' => RedisStore::on('unix:' . $this->socket(), self::NAMESPACE, timeout: self::TIMEOUT, retry: self::RETRY),
            'memcached' => $this->memcached(),
            default => new TieredStore(new SharedMemory('near' . $seat % 2), $this->memcached(), $this->setting->lag ?? 0.0),
        };
    }

    /** What lies in the store, by its own account. */
    public function bytes(): int
    {
        $bytes = 0;
        if ($this->setting->store === 'redis') {
            $stream = stream_socket_client('unix://' . $this->socket(), timeout: 5.0);
            if ($stream === false || fwrite($stream, "INFO memory\r\nQUIT\r\n") === false) {
                throw ServerFailed::because('Redis does not answer');
            }
            preg_match('/^used_memory:(\d+)/m', (string) stream_get_contents($stream), $found);
            $bytes = $found[1] ?? 0;
        } elseif ($this->setting->store === 'memcached') {
            $client = new Memcached('unix:' . $this->socket(), timeout: self::TIMEOUT);
            $bytes = array_values($client->stats())[0]['bytes'] ?? 0;
        } else {
            $info = (new SharedMemory(self::NAMESPACE))->info();
            $bytes = array_sum(array_filter([$info['bytesUsed'] ?? 0, $info['bytesLimbo'] ?? 0], is_int(...)));
        }

        return (int) $bytes;
    }

    /** @return bool false: there is no server */
    public function restart(): bool
    {
        if ($this->server === null) {
            return false;
        }
        posix_kill($this->server->pid, SIGKILL);
        $this->stop();
        $this->start();

        return true;
    }

    public function stop(): void
    {
        $this->server?->stop();
        $this->server = null;
    }

    private function memcached(): MemcachedStore
    {
        return new MemcachedStore(self::NAMESPACE, new Memcached('unix:' . $this->socket(), timeout: self::TIMEOUT, retry: self::RETRY, shared: false));
    }

    private function socket(): string
    {
        return $this->directory . '/' . $this->setting->name;
    }

    /** @param list<string> $arguments */
    private function run(string $program, array $arguments): void
    {
        $path = Program::find($program) ?? throw ServerFailed::missing($program, $program);
        $socket = $this->socket();
        if (file_exists($socket)) {
            unlink($socket);
        }
        $log = \sprintf('%s.%d.log', $socket, ++$this->starts);
        $server = new Daemon($program, [$path, ...$arguments], ['PATH' => (string) getenv('PATH')], $log);
        $this->server = $server;
        $server->awaitReady(static fn(): bool => file_exists($socket), $log);
    }
}
