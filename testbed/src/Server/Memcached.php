<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

use Larder\Testbed\Net\Exchange;

/**
 * One memcached: TCP, and UDP on the same port, or a unix socket and no port, as memcached does not offer both.
 *
 * It has two threads on a machine of any size: with one it would be the peer of a Redis, which users of memcached do
 * not run, and the default of four is more than the cores that clients leave it here. No test's data comes near 256 MB,
 * so nothing is evicted.
 */
final class Memcached extends ServerProcess
{
    private readonly string $version;

    /**
     * @param string       $directory of its own; made if need be
     * @param bool         $socket    a unix socket instead of ports
     * @param int          $port      to be tried first; 0: any that is free
     * @param list<string> $options   further ones, such as those for TLS; without UDP then
     */
    public function __construct(
        string $directory,
        private readonly bool $socket = false,
        int $port = 0,
        private readonly int $megabytes = 256,
        private readonly int $threads = 2,
        private readonly int $connections = 1024,
        private readonly array $options = [],
    ) {
        parent::__construct(
            'memcached',
            $directory,
            Account::packaged('memcache', $directory),
            $socket ? [] : [$port],
            ['LC_ALL' => 'C'],
        );
        $this->start();
        $found = [];
        $stats = $this->isPlain() ? $this->stats($socket ? [] : [$this->port()]) : '';
        preg_match('/^STAT version (\S+)/m', $stats, $found);
        $this->version = 'memcached ' . ($found[1] ?? 'of an unknown version');
    }

    public function endpoint(): Endpoint
    {
        $udp = $this->options === [] ? $this->port() : 0;

        return new Endpoint('127.0.0.1', $this->port(), $udp, $this->socket ? $this->path() : null, $this->pids());
    }

    public function version(): string
    {
        return $this->version;
    }

    /**
     * Connections without the one that asks; one that was closed stays a moment. A difference of `curr_connections`
     * would lack those that were closed between its two looks.
     */
    public function connections(): int
    {
        $address = $this->socket ? 'unix://' . $this->path() : 'tcp://127.0.0.1:' . $this->port();
        $said = Exchange::with($address, "stats conns\r\n", "END\r\n")
            ?? throw ServerFailed::because('memcached does not say which connections it has');

        return (int) preg_match_all('/^STAT \d+:listen_addr /m', $said) - 1;
    }

    /** With a signal it would take a second to end, and it has nothing to put away. */
    public function stop(): void
    {
        $this->kill();
    }

    protected function words(array $ports): array
    {
        $where = match (true) {
            $ports === [] => ['-s', $this->path(), '-a', '0777'],
            $this->options === [] => ['-l', '127.0.0.1', '-p', (string) $ports[0], '-U', (string) $ports[0]],
            default => ['-l', '127.0.0.1', '-p', (string) $ports[0]],
        };

        return $this->account->command([
            self::program('memcached', 'memcached'),
            '-m', (string) $this->megabytes, '-t', (string) $this->threads, '-c', (string) $this->connections,
            ...($this->account->isRoot() ? ['-u', 'root'] : []), ...$where, ...$this->options,
        ]);
    }

    protected function answers(array $ports, int $pid): bool
    {
        // Options such as TLS keep a plain question from being answered.
        return $this->isPlain()
            ? str_contains($this->stats($ports, 0.3), "STAT pid {$pid}\r\n")
            : @fsockopen('127.0.0.1', $ports[0] ?? 0) !== false;
    }

    /** TLS, or accounts, keep a plain question from being answered. */
    private function isPlain(): bool
    {
        return array_intersect(['-Y', '-Z'], $this->options) === [];
    }

    private function path(): string
    {
        return $this->directory . '/memcached.sock';
    }

    /** @param list<int> $ports */
    private function stats(array $ports, float $seconds = 60.0): string
    {
        $address = $ports === [] ? 'unix://' . $this->path() : 'tcp://127.0.0.1:' . $ports[0];

        return (string) Exchange::with($address, "stats\r\n", "END\r\n", $seconds);
    }
}
