<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

/**
 * One memcached: TCP, and UDP on the same port, or a unix socket and no port, as memcached does not offer both.
 *
 * Two threads on a machine of any size: one would make it the peer of a Redis, which users of memcached do not run, and the
 * default of four is more than the cores that clients leave it here. 256 MB: no test's data comes near it, so nothing is evicted.
 */
final readonly class Memcached implements Server
{
    private int $owner;
    private Launch $launch;
    private string $version;

    /**
     * @param string $directory its own; made if need be
     * @param bool   $socket    a unix socket instead of ports
     * @param int    $port      to be tried first; 0: any that is free
     */
    public function __construct(private string $directory, private bool $socket = false, int $port = 0)
    {
        $this->owner = (int) getmypid();
        $program = Program::find('memcached') ?? throw ServerFailed::missing('memcached', 'memcached');
        if (!is_dir($directory)) {
            mkdir($directory, recursive: true);
        }
        $account = RunAs::packaged('memcache', $directory);
        $common = [$program, '-m', '256', '-t', '2', '-c', '1024', ...($account->isRoot() ? ['-u', 'root'] : [])];
        $this->launch = Launch::of(
            'memcached',
            $directory . '/memcached.out',
            $socket ? [] : [$port],
            $account,
            fn(array $ports): array => $ports === []
                ? [...$common, '-s', $this->path(), '-a', '0777']
                : [...$common, '-l', '127.0.0.1', '-p', (string) $ports[0], '-U', (string) $ports[0]],
            fn(array $ports, int $pid): bool => str_contains($this->stats($ports), "STAT pid {$pid}\r\n"),
        );
        preg_match('/^STAT version (\S+)/m', $this->stats($this->launch->ports), $found);
        $this->version = 'memcached ' . ($found[1] ?? 'of an unknown version');
    }

    public function __destruct()
    {
        $this->stop();
    }

    public function endpoint(): Endpoint
    {
        $port = $this->launch->ports[0] ?? 0;

        return new Endpoint('127.0.0.1', $port, $port, $this->socket ? $this->path() : null, $this->isRunning() ? ProcessTree::of($this->launch->daemon->pid) : []);
    }

    public function version(): string
    {
        return $this->version;
    }

    public function command(): string
    {
        return implode(' ', $this->launch->command);
    }

    public function isRunning(): bool
    {
        return $this->launch->daemon->isRunning();
    }

    public function stop(): void
    {
        // It would take a second to say goodbye, and has nothing to put away.
        if ($this->owner === getmypid() && $this->isRunning()) {
            posix_kill($this->launch->daemon->pid, SIGKILL);
        }
        $this->launch->daemon->stop();
    }

    private function path(): string
    {
        return $this->directory . '/memcached.sock';
    }

    /** @param array<int, int> $ports */
    private function stats(array $ports): string
    {
        return (string) Wire::ask($ports === [] ? 'unix://' . $this->path() : 'tcp://127.0.0.1:' . $ports[0], "stats\r\n", "END\r\n", 0.3);
    }
}
