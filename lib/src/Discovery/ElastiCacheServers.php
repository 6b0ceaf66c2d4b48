<?php

declare(strict_types=1);

namespace Larder\Discovery;

use Larder\Exception\InvalidServer;
use Larder\Exception\NoServersFound;
use Larder\Store\Net\ConnectionFailed;
use Larder\Store\Net\Fault;
use Larder\Store\Net\MetaConnection;

/**
 * The nodes of an ElastiCache cluster, as its configuration endpoint names them.
 *
 * Each call asks it, on new connections, so put a CachedDiscovery before this one.
 */
final class ElastiCacheServers implements Discovery
{
    /** Bytes, more than the list of any cluster has. */
    private const LONGEST = 65_536;

    private const END = "\r\nEND\r\n";

    private int $version = -1;

    /** @var non-empty-array<string, int<1, 1000>>|null */
    private ?array $servers = null;

    /**
     * @param string $endpoint "host:port", or "tls://host:port"; then the nodes are used by TLS too, by their names
     * @param float  $timeout  seconds for a whole question, connecting included
     *
     * @throws InvalidServer
     */
    public function __construct(
        private readonly string $endpoint,
        private readonly float $timeout = 1.0,
    ) {
        $list = new ServerList();
        $list->add($endpoint);
        if (preg_match('/:[0-9]+$/D', $endpoint) !== 1 || str_starts_with($endpoint, 'unix:')) {
            throw InvalidServer::because(
                \sprintf(
                    '%s is not a configuration endpoint. Written is "host:port", as the console of ElastiCache shows '
                        . 'it.',
                    $endpoint,
                ),
            );
        }
    }

    public function servers(): array
    {
        $deadline = (int) hrtime(true) + (int) ($this->timeout * 1e9);
        $text = $this->ask('config get cluster', $deadline)
            // Before memcached 1.4.14 the list was an ordinary item.
            ?? $this->ask('get AmazonElastiCache:cluster', $deadline)
            ?? throw $this->failure(
                'knows of no cluster; name the configuration endpoint, not a node of a cluster without auto discovery',
            );
        [$version, $servers] = $this->parse($text);
        if ($this->servers === null || $version >= $this->version) {
            // Nodes learn of a change one after the other, so an older list comes from a node that has not learned of
            // it yet.
            $this->version = $version;
            $this->servers = $servers;
        }

        return $this->servers;
    }

    /** @return string|null the bytes of the item; null: there is none, or the server does not know the command */
    private function ask(string $command, int $deadline): ?string
    {
        $isWhole = function (string $reply): bool {
            if (!str_contains($reply, "\n") && \strlen($reply) < 256) {
                return false;
            }
            $head = $this->head($reply);

            return $head === null || \strlen($reply) >= array_sum($head) + \strlen(self::END);
        };
        try {
            $reply = MetaConnection::text($this->endpoint, $command, $isWhole, $deadline);
        } catch (ConnectionFailed $failure) {
            throw $this->failure(match ($failure->fault) {
                Fault::Unreachable => 'cannot be reached: '
                    . ($failure->reason === '' ? 'no reason was given' : $failure->reason),
                Fault::TimedOut => \sprintf('gave no whole answer within %.1f s', $this->timeout),
                default => 'closed the connection before its answer was whole',
            });
        }
        $head = $this->head($reply);
        if ($head === null) {
            return null;
        }
        [$start, $length] = $head;
        if (substr($reply, $start + $length) !== self::END) {
            throw $this->failure('gave a list whose length is not the one announced');
        }

        return substr($reply, $start, $length);
    }

    /** @return array{int, int}|null bytes of the first line, and of the item behind it; null: there is none */
    private function head(string $reply): ?array
    {
        if (preg_match('/^CLIENT_ERROR (?:unauthenticated|authentication )/', $reply) === 1) {
            throw $this->failure('wants a user and a password, and is asked without: no endpoint of ElastiCache does');
        }
        if (preg_match('/^(?:SERVER_ERROR|BUSY)[^\r\n]*/', $reply, $said) === 1) {
            throw $this->failure('cannot answer now: ' . self::shown($said[0]));
        }
        if (preg_match('/^(?:ERROR|CLIENT_ERROR[^\r\n]*|END)\r\n/', $reply) === 1) {
            return null;
        }
        $item = '/^(?:CONFIG cluster|VALUE AmazonElastiCache:cluster) [0-9]+ ([0-9]{1,6})\r\n/';
        if (preg_match($item, $reply, $found) !== 1) {
            throw $this->failure('gave a reply that is none: ' . self::shown($reply));
        }
        if ((int) $found[1] > self::LONGEST) {
            throw $this->failure(\sprintf('announced a list of %d bytes', $found[1]));
        }

        return [\strlen($found[0]), (int) $found[1]];
    }

    private static function shown(string $bytes): string
    {
        return json_encode(substr($bytes, 0, 60), JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR);
    }

    /** @return array{int, non-empty-array<string, int<1, 1000>>} version and servers */
    private function parse(string $text): array
    {
        $lines = explode("\n", str_replace("\r", '', rtrim($text)));
        if (\count($lines) !== 2 || preg_match('/^[0-9]{1,18}$/D', $lines[0]) !== 1) {
            throw $this->failure('gave a list that is no version and a line of nodes');
        }
        $tls = str_starts_with($this->endpoint, 'tls://');
        $list = new ServerList();
        try {
            foreach (explode(' ', $lines[1]) as $node) {
                $parts = explode('|', $node);
                if (\count($parts) !== 3 || preg_match('/^[0-9]{1,5}$/D', $parts[2]) !== 1) {
                    throw $this->failure(\sprintf('named the node "%s", which is no host|address|port', $node));
                }
                // The address saves a DNS query; with TLS the certificate needs the name. A new node has no address
                // yet.
                $list->add(
                    ServerList::written($tls || $parts[1] === '' ? $parts[0] : $parts[1], (int) $parts[2], $tls),
                );
            }

            return [(int) $lines[0], $list->all()];
        } catch (InvalidServer $reason) {
            throw $this->failure('named a node that cannot be one', $reason);
        }
    }

    private function failure(string $what, ?InvalidServer $reason = null): NoServersFound
    {
        return NoServersFound::because(
            \sprintf(
                'The ElastiCache endpoint %s %s.%s',
                $this->endpoint,
                $what,
                $reason === null ? '' : ' ' . $reason->getMessage(),
            ),
            $reason,
        );
    }
}
