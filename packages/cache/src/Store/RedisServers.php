<?php

declare(strict_types=1);

namespace Larder\Store;

use Closure;
use Larder\Exception\InvalidServer;
use ValueError;

/**
 * The servers of a RedisStore, and which of them keeps a key.
 *
 * @internal
 */
final readonly class RedisServers
{
    /** @param non-empty-list<RedisServer> $servers in the order of the ring */
    private function __construct(public array $servers, private Ring $ring, private int $timeout) {}

    /**
     * @param array<array-key, int>                          $weights by server
     * @param int                                            $timeout milliseconds for a call
     * @param int $retry milliseconds until a server that failed is asked again
     * @param Closure(RedisAddress, string): RedisConnection $connect
     *
     * @throws InvalidServer
     * @throws ValueError
     */
    public static function written(
        array $weights,
        int $timeout,
        int $retry,
        ReportedFailures $failures,
        RedisBinding $binding,
        Closure $connect,
    ): self {
        if ($timeout < 1 || $retry < 0) {
            throw new ValueError('A timeout is at least 1 millisecond, and the time to the next try at least 0');
        }
        if ($weights === []) {
            throw InvalidServer::none();
        }
        $servers = $names = $shares = [];
        foreach ($weights as $text => $weight) {
            $address = RedisAddress::written((string) $text);
            if ($weight < 1 || $weight > 1000) {
                throw InvalidServer::weight($address->name, (string) $weight);
            }
            if (\in_array($address->inRing(), $names, true)) {
                throw InvalidServer::twice($address->name);
            }
            $names[] = $address->inRing();
            $shares[] = $weight;
            $servers[] = new RedisServer(
                $address->name,
                $connect($address, (string) $text),
                $address->greeting(),
                $retry,
                $failures,
                $binding,
            );
        }

        return new self($servers, new Ring($names, $shares), $timeout);
    }

    /**
     * @param string|array<array-key, string|int> $servers one, a list, or weights by server
     *
     * @return array<array-key, int>
     */
    public static function weights(string|array $servers): array
    {
        $weights = [];
        foreach ((array) $servers as $server => $weight) {
            if (\is_int($weight)) {
                $weights[$server] = $weight;
            } else {
                $weights[$weight] = 1;
            }
        }

        return $weights;
    }

    public function of(string $key): RedisServer
    {
        return $this->servers[$this->ring->find($key)];
    }

    /**
     * @template K of array-key
     *
     * @param array<K, string> $keys by any name
     *
     * @return list<array{RedisServer, non-empty-array<K, string>}> each with its keys
     */
    public function byServer(array $keys): array
    {
        $groups = [];
        foreach ($keys as $name => $key) {
            $number = $this->ring->find($key);
            $groups[$number] ??= [$this->servers[$number], []];
            $groups[$number][1][$name] = $key;
        }

        return array_values($groups);
    }

    /** The deadline of a call that begins now, by hrtime(true). */
    public function deadline(): int
    {
        return hrtime(true) + $this->timeout * 1_000_000;
    }
}
