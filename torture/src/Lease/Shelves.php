<?php

declare(strict_types=1);

namespace Larder\Torture\Lease;

use Larder\Testbed\Server\Daemon;
use Larder\Testbed\Server\Program;
use Larder\Testbed\Server\ServerFailed;
use Larder\Memcached;
use Larder\SharedMemory;
use Larder\Store;
use Larder\Store\MemcachedStore;
use Larder\Store\RedisStore;

/** The stores of one run, and the servers that it starts for them; none is left after stop(). */
final class Shelves
{
    public const NAMES = ['memory', 'memcached', 'redis'];

    /** Milliseconds: a call that ends before its time, on a machine without time, would be a miss that nobody caused. */
    private const TIMEOUT = 20_000;

    /** @var list<Daemon> */
    private array $servers = [];

    /** @param non-empty-list<string> $names some of NAMES */
    public function __construct(public readonly array $names, private readonly string $directory) {}

    public function start(): void
    {
        foreach ($this->names as $name) {
            $socket = $this->directory . '/' . $name;
            match ($name) {
                'memcached' => $this->run($name, $name, ['-s', $socket, '-a', '600', '-t', '2', '-c', '2048', ...(posix_geteuid() === 0 ? ['-u', 'root'] : [])], $socket),
                'redis' => $this->run($name, 'redis-server', ['--port', '0', '--unixsocket', $socket, '--save', '', '--appendonly', 'no', '--dir', $this->directory], $socket),
                default => null,
            };
        }
    }

    /** For one process: a connection is not shared with a fork. */
    public function open(string $name): Store
    {
        $socket = $this->directory . '/' . $name;

        return match ($name) {
            'memcached' => new MemcachedStore('lease', new Memcached('unix:' . $socket, timeout: self::TIMEOUT, shared: false)),
            'redis' => RedisStore::on('unix:' . $socket, 'lease', timeout: self::TIMEOUT),
            default => new SharedMemory(),
        };
    }

    /** Seconds that a value may be gone before its time: memcached counts in ticks of its clock. */
    public static function earliness(string $name): float
    {
        return $name === 'memcached' ? 1.0 : 0.0;
    }

    public function stop(): void
    {
        foreach ($this->servers as $server) {
            $server->stop();
        }
        $this->servers = [];
    }

    /** @param list<string> $arguments */
    private function run(string $name, string $program, array $arguments, string $socket): void
    {
        $path = Program::find($program) ?? throw ServerFailed::missing($program, $program);
        $this->servers[] = $server = new Daemon($name, [$path, ...$arguments], ['PATH' => (string) getenv('PATH')], $socket . '.log');
        $server->awaitReady(static fn(): bool => file_exists($socket), $socket . '.log');
    }
}
