<?php

declare(strict_types=1);

namespace Larder\Proof\Sessions;

/** Who keeps the sessions. */
enum Keeper: string
{
    /** Larder\Session\Handler, over the store that is named. */
    case Memcached = 'larder-memcached';
    case Redis = 'larder-redis';
    case Memory = 'larder-memory';
    /** Save handlers of other modules, for comparison. */
    case PhpMemcached = 'php-memcached';
    case LarderModule = 'memcached.so';
    case PhpMemcache = 'php-memcache';
    case PhpRedis = 'php-redis';

    public function isLarder(): bool
    {
        return \in_array($this, [self::Memcached, self::Redis, self::Memory], true);
    }

    public function isOnRedis(): bool
    {
        return $this === self::Redis || $this === self::PhpRedis;
    }

    /**
     * How the save handler of a module is set, with locks as long as the lease is on memcached. Nothing else is
     * changed, but that of phpredis, which locks nothing by itself.
     *
     * @param int $lease seconds
     *
     * @return array<string, string>
     */
    public function settings(string $host, int $port, int $lease): array
    {
        return match ($this) {
            self::PhpMemcached, self::LarderModule => [
                'session.save_handler' => 'memcached',
                'session.save_path' => "$host:$port",
                'memcached.sess_lock_expire' => (string) $lease,
            ],
            self::PhpMemcache => [
                'session.save_handler' => 'memcache',
                'session.save_path' => "tcp://$host:$port",
                'memcache.lock_timeout' => (string) $lease,
            ],
            self::PhpRedis => [
                'session.save_handler' => 'redis',
                'session.save_path' => "tcp://$host:$port",
                'redis.session.locking_enabled' => '1',
                'redis.session.lock_expire' => (string) $lease,
            ],
            default => [],
        };
    }

    /** @return string|null null: Larder's, which its store names */
    public function lock(string $id): ?string
    {
        return match ($this) {
            self::PhpMemcached, self::LarderModule => 'memc.sess.key.lock.' . $id,
            self::PhpMemcache => $id . '.lock',
            self::PhpRedis => 'PHPREDIS_SESSION:' . $id . '_LOCK',
            default => null,
        };
    }
}
