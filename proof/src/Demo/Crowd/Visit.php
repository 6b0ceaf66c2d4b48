<?php

declare(strict_types=1);

namespace Larder\Proof\Demo\Crowd;

use Larder\Cache;
use Larder\Cache\Refresh;
use Larder\Cache\Settings;
use Larder\Store;
use Larder\Store\MemcachedStore;
use Larder\Store\RedisStore;
use Larder\Store\SharedMemoryStore;
use RuntimeException;
use UnexpectedValueException;

/**
 * One request of the crowd: everything is ready, then it waits for the gate, then it makes its page.
 *
 * The gate is a lock on a file: opening it lets all of them in at the same moment.
 */
final readonly class Visit
{
    /**
     * Seconds for which the lists are fresh that the crowd finds expired, and those that it makes; seconds of grace.
     */
    public const EXPIRES = 1.0;
    private const TTL = 300.0;
    private const GRACE = 300.0;

    /** Milliseconds. Long, so that no server is given up because the machine is busy. */
    private const TIMEOUT = 10_000;

    public function __construct(
        private string $directory,
        private string $database,
    ) {}

    /** @return string that stands for the page: all visitors must get the same */
    public function answer(Way $way, string $setting, bool $waits): string
    {
        $store = self::store('crowd.' . $way->name, $setting);
        $notes = $this->directory . '/' . Gate::NOTES;
        $queries = Queries::on($this->database, $notes, $waits ? Queries::MILLISECONDS : 0);
        $store->has('connected');
        $waits ? (new Gate($this->directory))->pass() : $store->clear();
        $ttl = $waits ? self::TTL : self::EXPIRES;
        $page = self::page(match ($way) {
            Way::Plain => $queries->unprotected($store, $ttl),
            // Inline, so that each burst has its own queries behind it when it is counted.
            default => $queries->remembered(
                new Cache($store, settings: new Settings(refresh: Refresh::Inline)),
                $ttl,
                self::GRACE,
            ),
        });
        if ($way === Way::Cold && !$waits) {
            $store->clear();
        }

        return $page;
    }

    /** @param string $setting `memory`, or `memcached:ADDRESS` or `redis:ADDRESS` */
    private static function store(string $namespace, string $setting): Store
    {
        [$kind, $address] = explode(':', $setting, 2) + [1 => ''];

        return match ($kind) {
            'memory' => SharedMemoryStore::on($namespace),
            'memcached' => MemcachedStore::on([$address], $namespace, timeout: self::TIMEOUT),
            'redis' => RedisStore::on([$address], $namespace, timeout: self::TIMEOUT),
            default => throw new UnexpectedValueException("There is no store $kind."),
        };
    }

    /** @param list<mixed> $lists */
    private static function page(array $lists): string
    {
        return \count($lists) === Queries::COUNT
            ? \sprintf('%d lists, %s', \count($lists), hash('xxh64', serialize($lists)))
            : throw new RuntimeException('The items have too few categories.');
    }
}
