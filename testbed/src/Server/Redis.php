<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

use Larder\Testbed\Net\Exchange;

/**
 * One Redis, on TCP and a unix socket at once. It keeps nothing on the disk, as memcached does not, and refuses to
 * store beyond its size rather than evict: a value that is gone would be a wrong answer.
 */
final class Redis extends ServerProcess
{
    private readonly string $version;

    /**
     * @param string $directory of its own; made if need be
     * @param int    $port      to be tried first; 0: any that is free
     */
    public function __construct(
        string $directory,
        int $port = 0,
        private readonly int $megabytes = 256,
        private readonly int $connections = 1024,
    ) {
        parent::__construct(
            'redis-server',
            $directory,
            Account::packaged('redis', $directory),
            [$port],
            ['LC_ALL' => 'C'],
        );
        $this->start();
        $version = self::fact('unix://' . $this->path(), 'redis_version');
        $this->version = 'redis ' . ($version ?? 'of an unknown version');
    }

    public function endpoint(): Endpoint
    {
        return new Endpoint('127.0.0.1', $this->port(), 0, $this->path(), $this->pids());
    }

    public function version(): string
    {
        return $this->version;
    }

    protected function words(array $ports): array
    {
        // Options and no file: no configuration of the system is read.
        return $this->account->command([
            self::program('redis-server', 'redis-server'),
            '--bind', '127.0.0.1', '--port', (string) ($ports[0] ?? 0),
            '--unixsocket', $this->path(), '--unixsocketperm', '777',
            '--save', '', '--appendonly', 'no',
            '--maxmemory', $this->megabytes . 'mb', '--maxmemory-policy', 'noeviction',
            '--maxclients', (string) $this->connections,
            '--dir', $this->directory, '--daemonize', 'no',
        ]);
    }

    protected function answers(array $ports, int $pid): bool
    {
        $addresses = ['tcp://127.0.0.1:' . ($ports[0] ?? 0), 'unix://' . $this->path()];

        return array_map(self::process(...), $addresses) === [$pid, $pid];
    }

    private function path(): string
    {
        return $this->directory . '/redis.sock';
    }

    private static function process(string $address): int
    {
        return (int) self::fact($address, 'process_id', 0.3);
    }

    private static function fact(string $address, string $name, float $seconds = 60.0): ?string
    {
        // PING after INFO gives an answer whose end is known without parsing it.
        $answer = Exchange::with($address, "INFO server\r\nPING\r\n", "+PONG\r\n", $seconds);

        return preg_match('/^' . $name . ':(\S+)/m', (string) $answer, $found) === 1 ? $found[1] : null;
    }
}
