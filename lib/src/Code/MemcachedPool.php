<?php

declare(strict_types=1);

namespace Larder\Code;

use Larder\Discovery\StaticServers;
use Larder\Exception\CodePoolFailed;
use Larder\Exception\InvalidServer;
use Larder\Store\Net\ConnectionFailed;
use Larder\Store\Net\Fault;
use Larder\Store\Net\MetaConnection;
use Larder\Store\Net\MetaReply;
use Larder\Store\Ring;

/**
 * The pool on memcached servers (1.6.18 or later), by the meta protocol, without any PHP extension.
 *
 * A call asks all servers at once, and ends at its deadline. A server that does not answer is an error: a release is
 * whole or is not there.
 */
final class MemcachedPool implements Pool
{
    private const PORT = '11211';

    /** @var list<string> */
    private readonly array $servers;

    private readonly Ring $ring;

    /** @var array<int, MetaConnection> by the server's number */
    private array $connections = [];

    private int $trips = 0;

    /**
     * @param string|list<string>|array<string, int> $servers "host", "host:port", "[::1]:11211", "unix:/path",
     *     "tls://host:port"; a list of them, or weights (1 to 1000) by them
     * @param float                                  $timeout seconds for a call, connecting included
     *
     * @throws InvalidServer
     */
    public function __construct(string|array $servers, private readonly float $timeout = 10.0)
    {
        $weights = (new StaticServers(\is_string($servers) ? [$servers] : $servers))->servers();
        $this->servers = array_map(strval(...), array_keys($weights));
        $this->ring = new Ring(
            array_map(static fn(string $server): string => str_starts_with($server, 'unix:')
                ? substr($server, 5) . ':0'
                : self::withPort($server), $this->servers),
            array_values($weights),
        );
    }

    /**
     * What a server says of itself.
     *
     * @param string $group "" or "settings"
     *
     * @return array<string, string> by name
     *
     * @throws CodePoolFailed
     */
    public function stats(string $server, string $group = ''): array
    {
        $number = (int) array_search($server, $this->servers, true);
        $found = [];
        foreach ($this->exchange([$number => rtrim("stats $group") . "\r\n"])[$number] as $reply) {
            if ($reply->code === 'STAT') {
                $found[$reply->flags[0] ?? ''] = $reply->flags[1] ?? '';
            }
        }

        return $found;
    }

    /** @return list<string> */
    public function servers(): array
    {
        return $this->servers;
    }

    public function fetch(array $keys): array
    {
        $found = [];
        $replies = $this->ask(array_fill_keys($keys, ''), static fn(string $key): string => "mg $key v\r\n");
        foreach ($replies as $key => $reply) {
            if ($reply->code === 'VA') {
                $found[$key] = $reply->value;
            }
        }

        return $found;
    }

    public function present(array $keys): array
    {
        $replies = $this->ask(array_fill_keys($keys, ''), static fn(string $key): string => "mg $key\r\n");

        return array_keys(array_filter($replies, static fn(MetaReply $reply): bool => $reply->code === 'HD'));
    }

    public function store(array $values): void
    {
        $replies = $this->ask(
            $values,
            static fn(string $key, string $value): string => "ms $key " . \strlen($value) . "\r\n$value\r\n",
        );
        foreach ($replies as $key => $reply) {
            $this->expect($reply, $key, 'HD');
        }
    }

    public function replace(string $key, ?string $read, string $value): bool
    {
        $condition = 'ME';
        if ($read !== null) {
            $now = $this->ask([$key => ''], static fn(string $key): string => "mg $key v c\r\n")[$key] ?? null;
            if ($now === null || $now->code !== 'VA' || $now->value !== $read) {
                return false;
            }
            $condition = 'C' . $now->flag('c');
        }
        $replies = $this->ask([$key => $value], static fn(string $key, string $value): string => \sprintf(
            "ms %s %d %s\r\n%s\r\n",
            $key,
            \strlen($value),
            $condition,
            $value,
        ));

        return $this->expect($replies[$key] ?? null, $key, 'HD', 'EX', 'NF', 'NS')->code === 'HD';
    }

    public function remove(array $keys): int
    {
        $replies = $this->ask(array_fill_keys($keys, ''), static fn(string $key): string => "md $key\r\n");

        return \count(array_filter($replies, static fn(MetaReply $reply): bool => $reply->code === 'HD'));
    }

    public function trips(): int
    {
        return $this->trips;
    }

    /**
     * @param array<string, string>            $values   by key
     * @param callable(string, string): string $question for a key and its value
     *
     * @return array<string, MetaReply> by key
     *
     * @throws CodePoolFailed
     */
    private function ask(array $values, callable $question): array
    {
        $keys = $texts = [];
        foreach ($values as $key => $value) {
            $server = $this->ring->find($key);
            $keys[$server][] = $key;
            $texts[$server] = ($texts[$server] ?? '') . $question($key, $value);
        }
        if ($keys === []) {
            return [];
        }
        ++$this->trips;
        $replies = [];
        foreach ($this->exchange($texts) as $server => $answers) {
            if (\count($answers) !== \count($keys[$server])) {
                $this->connections[$server]->close();
                throw CodePoolFailed::at($this->servers[$server], 'it gave another number of replies than was asked');
            }
            $replies += array_combine($keys[$server], $answers);
        }

        return $replies;
    }

    /**
     * @param array<int, string> $texts by the server's number
     *
     * @return array<int, list<MetaReply>>
     */
    private function exchange(array $texts): array
    {
        $deadline = (int) hrtime(true) + (int) ($this->timeout * 1e9);
        $asked = $replies = [];
        foreach ($texts as $server => $text) {
            $address = self::address($this->servers[$server]);
            $asked[$server] = $this->connections[$server] ??= new MetaConnection($address);
            try {
                $asked[$server]->begin($text, $deadline);
            } catch (ConnectionFailed $failure) {
                throw $this->failure($server, $failure);
            }
        }
        MetaConnection::finish($asked, $deadline);
        foreach ($asked as $server => $connection) {
            try {
                $replies[$server] = $connection->replies();
            } catch (ConnectionFailed $failure) {
                throw $this->failure($server, $failure);
            }
        }

        return $replies;
    }

    private function failure(int $server, ConnectionFailed $failure): CodePoolFailed
    {
        return CodePoolFailed::at($this->servers[$server], match ($failure->fault) {
            Fault::Unreachable => $failure->reason === '' ? 'no connection' : $failure->reason,
            Fault::TimedOut => 'it did not answer in time. Is it reachable from here, and is the deadline long enough?',
            Fault::Closed => 'it closed the connection',
            Fault::Said => $failure->reason,
        });
    }

    private static function address(string $server): string
    {
        return str_starts_with($server, 'unix:') ? $server : self::withPort($server);
    }

    private static function withPort(string $server): string
    {
        return preg_match('/:\d+$/D', $server) === 1 ? $server : $server . ':' . self::PORT;
    }

    private function expect(?MetaReply $reply, string $key, string ...$codes): MetaReply
    {
        if ($reply !== null && \in_array($reply->code, $codes, true)) {
            return $reply;
        }
        $said = $reply?->line() ?? 'nothing';
        $remedy = match (true) {
            str_contains($said, 'too large') => '. Start it with -I 1m or more',
            str_contains($said, 'out of memory') => '. Start it with a larger -m',
            default => '',
        };
        throw CodePoolFailed::at(
            $this->servers[$this->ring->find($key)],
            \sprintf('%s was not stored: %s%s', $key, $said, $remedy),
        );
    }
}
