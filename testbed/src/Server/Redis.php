<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

/**
 * One Redis, on TCP and a unix socket at once. It keeps nothing on the disk, as memcached does not, and refuses to store beyond
 * 256 MB rather than evict: a value that is gone would be a wrong answer.
 */
final readonly class Redis implements Server
{
    private Launch $launch;
    private string $version;

    /**
     * @param string $directory its own; made if need be
     * @param int    $port      to be tried first; 0: any that is free
     */
    public function __construct(private string $directory, int $port = 0)
    {
        $program = Program::find('redis-server') ?? throw ServerFailed::missing('redis-server', 'redis-server');
        if (!is_dir($directory)) {
            mkdir($directory, recursive: true);
        }
        $this->launch = Launch::of(
            'redis-server',
            $directory . '/redis.out',
            [$port],
            RunAs::packaged('redis', $directory),
            // Options and no file: no configuration of the system is read.
            fn(array $ports): array => [
                $program,
                '--bind', '127.0.0.1', '--port', (string) $ports[0],
                '--unixsocket', $this->path(), '--unixsocketperm', '777',
                '--save', '', '--appendonly', 'no',
                '--maxmemory', '256mb', '--maxmemory-policy', 'noeviction', '--maxclients', '1024',
                '--dir', $directory, '--daemonize', 'no',
            ],
            fn(array $ports, int $pid): bool => self::pid('tcp://127.0.0.1:' . $ports[0]) === $pid && self::pid('unix://' . $this->path()) === $pid,
        );
        $this->version = 'redis ' . (self::fact('unix://' . $this->path(), 'redis_version') ?? 'of an unknown version');
    }

    public function __destruct()
    {
        $this->stop();
    }

    public function endpoint(): Endpoint
    {
        return new Endpoint('127.0.0.1', $this->launch->ports[0] ?? 0, 0, $this->path(), $this->isRunning() ? ProcessTree::of($this->launch->daemon->pid) : []);
    }

    public function version(): string
    {
        return $this->version;
    }

    public function command(): string
    {
        return implode(' ', array_map(static fn(string $word): string => $word === '' ? '""' : $word, $this->launch->command));
    }

    public function isRunning(): bool
    {
        return $this->launch->daemon->isRunning();
    }

    public function stop(): void
    {
        $this->launch->daemon->stop();
    }

    private function path(): string
    {
        return $this->directory . '/redis.sock';
    }

    private static function pid(string $address): int
    {
        return (int) self::fact($address, 'process_id');
    }

    private static function fact(string $address, string $name): ?string
    {
        // PING after INFO: an answer whose end is known without parsing it.
        $answer = Wire::ask($address, "INFO server\r\nPING\r\n", "+PONG\r\n", 0.3);

        return preg_match('/^' . $name . ':(\S+)/m', (string) $answer, $found) === 1 ? $found[1] : null;
    }
}
