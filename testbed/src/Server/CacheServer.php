<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

/** A memcached or a Redis of its own, on a Unix socket and nowhere else. It keeps nothing on disk. */
final readonly class CacheServer
{
    private function __construct(
        /** As App\ValueStore takes it. */
        public string $setting,
        private Daemon $daemon,
    ) {}

    /** @param string $directory exists */
    public static function memcached(string $directory, int $megabytes = 64): self
    {
        $socket = $directory . '/memcached.sock';
        $account = posix_geteuid() === 0 ? ['-u', 'root'] : [];

        return self::start('memcached', $socket, $directory, ['memcached', '-s', $socket, '-a', '0777', '-c', '4096', '-m', (string) $megabytes, ...$account]);
    }

    /** @param string $directory exists */
    public static function redis(string $directory): self
    {
        $socket = $directory . '/redis.sock';

        return self::start('redis', $socket, $directory, ['redis-server', '--port', '0', '--unixsocket', $socket, '--unixsocketperm', '777', '--save', '', '--dir', $directory, '--maxclients', '4096']);
    }

    public static function isInstalled(string $program): bool
    {
        return Program::find($program) !== null;
    }

    /** Until resume() it takes connections and requests, and answers none. */
    public function pause(): void
    {
        posix_kill($this->daemon->pid, SIGSTOP);
    }

    public function resume(): void
    {
        posix_kill($this->daemon->pid, SIGCONT);
    }

    public function stop(): void
    {
        $this->resume();
        $this->daemon->stop();
    }

    /** @param non-empty-list<string> $command */
    private static function start(string $kind, string $socket, string $directory, array $command): self
    {
        $command[0] = Program::find($command[0]) ?? throw ServerFailed::missing($command[0], $command[0]);
        $daemon = new Daemon($kind, $command, ['PATH' => (string) getenv('PATH')], $directory . "/$kind.out");
        $daemon->awaitReady(static fn(): bool => self::answers($socket), $directory . "/$kind.out");

        return new self("$kind:unix:$socket", $daemon);
    }

    private static function answers(string $socket): bool
    {
        $stream = @stream_socket_client('unix://' . $socket, timeout: 1);
        if ($stream === false) {
            return false;
        }
        fclose($stream);

        return true;
    }
}
