<?php

declare(strict_types=1);

namespace Larder\Proof\Modules;

/**
 * Calls of php-memcache's class as the module has them, for static analysis alone: nothing implements this, and what
 * tools know of that class are the parameters of another one.
 *
 * @internal
 */
interface MemcacheCalls
{
    /** @param string|array<string, mixed> $key */
    public function set(string|array $key, mixed $value = null, int $flags = 0, int $seconds = 0): bool;

    /** @param string|list<string> $key */
    public function get(string|array $key, ?int &$flags = null, ?int &$cas = null): mixed;

    public function cas(string $key, mixed $value, int $flags, int $seconds, ?int $cas): bool;

    /** @param string|list<string> $key */
    public function delete(string|array $key): bool;

    public function add(string $key, mixed $value): bool;

    public function replace(string $key, mixed $value): bool;

    public function append(string $key, string $value): bool;

    public function prepend(string $key, string $value): bool;

    public function increment(string $key, int $by): int|false;

    public function decrement(string $key, int $by): int|false;
}
