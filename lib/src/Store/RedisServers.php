<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Exception\InvalidServer;
use ValueError;

/**
 * The servers of a RedisStore, and which of them keeps a key.
 *
 * @internal
 */
final readonly class RedisServers
{
    private Ring $ring;

    /**
     * @param non-empty-list<RedisServer>  $servers
     * @param non-empty-list<RedisAddress> $addresses of each
     * @param non-empty-list<int>          $weights   of each
     *
     * @throws InvalidServer
     * @throws ValueError
     */
    public function __construct(public array $servers, array $addresses, array $weights, private int $timeout)
    {
        if ($timeout < 1) {
            throw new ValueError('A timeout is at least 1 millisecond');
        }
        $names = array_map(static fn(RedisAddress $address): string => $address->inRing(), $addresses);
        foreach (array_diff_key($names, array_unique($names)) as $twice) {
            throw InvalidServer::twice($twice);
        }
        foreach ($weights as $number => $weight) {
            if ($weight < 1 || $weight > 1000) {
                throw InvalidServer::weight($addresses[$number]->name, (string) $weight);
            }
        }
        $this->ring = new Ring($names, $weights);
    }

    public function of(string $key): RedisServer
    {
        return $this->servers[$this->ring->find($key)];
    }

    /**
     * @param array<string> $keys
     *
     * @return list<array{RedisServer, non-empty-list<string>}> each with its keys
     */
    public function byServer(array $keys): array
    {
        $groups = [];
        foreach ($keys as $key) {
            $number = $this->ring->find($key);
            $groups[$number] ??= [$this->servers[$number], []];
            $groups[$number][1][] = $key;
        }

        return array_values($groups);
    }

    /** The end of a call that begins now, by hrtime(true). */
    public function deadline(): int
    {
        return hrtime(true) + $this->timeout * 1_000_000;
    }
}
