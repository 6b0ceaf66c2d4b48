<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Memcached;

/**
 * The calls of pecl-memcache's MemcachePool as the extension has them, for static analysis alone: nothing implements
 * this, and what tools know of that class are the parameters of another one.
 *
 * @internal
 */
interface Pool
{
    public function connect(
        string $host,
        int $tcpPort,
        int $udpPort,
        bool $persistent,
        int $weight,
        int $timeout,
    ): bool;

    public function close(): bool;

    public function setCompressThreshold(int $threshold): bool;

    public function getServerStatus(string $host, int $port): int;

    /** @param string|list<string> $key */
    public function get(string|array $key): mixed;

    /** @param string|array<int|string, string> $key */
    public function set(string|array $key, mixed $value = null): bool;

    public function append(string $key, string $value): bool;

    /** @param string|list<string> $key */
    public function delete(string|array $key): bool;

    /**
     * @param string|list<string> $key
     *
     * @return int|false|array<string, int|false>
     */
    public function increment(string|array $key, int $by): int|false|array;

    public function decrement(string $key, int $by): int|false;
}
