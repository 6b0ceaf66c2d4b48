<?php

declare(strict_types=1);

namespace Larder\Torture\Demo\Crowd;

use App\ValueStore;
use Larder\Cache;
use Larder\Metrics\NullCounters;
use Psr\Log\NullLogger;
use RuntimeException;

/**
 * One request of the crowd: everything is ready, then it waits for the gate, then it makes its page.
 *
 * The gate is a lock on a file: who opens it lets all in at the same moment.
 */
final readonly class Visit
{
    /** Seconds for which the lists are fresh that the crowd finds expired, and those that it makes; seconds of grace. */
    public const EXPIRES = 1.0;
    private const TTL = 300.0;
    private const GRACE = 300.0;

    /** Milliseconds; no server is to be given up here because the machine is busy. */
    private const TIMEOUT = 10_000;

    public function __construct(
        private string $directory,
        private string $database,
    ) {}

    /** @return string of the page: the same for all, or something went wrong */
    public function answer(Way $way, string $setting, bool $waits): string
    {
        $store = (new ValueStore('crowd.' . $way->name, self::TIMEOUT, new NullLogger(), new NullCounters()))->of($setting);
        $queries = Queries::on($this->database, $this->directory . '/' . Gate::NOTES, $waits ? Queries::MILLISECONDS : 0);
        $store->has('connected');
        $waits ? (new Gate($this->directory))->pass() : $store->clear();
        $ttl = $waits ? self::TTL : self::EXPIRES;
        $page = self::page($way === Way::Plain ? $queries->unprotected($store, $ttl) : $queries->remembered(new Cache($store), $ttl, self::GRACE));
        if ($way === Way::Cold && !$waits) {
            $store->clear();
        }

        return $page;
    }

    /** @param list<mixed> $lists */
    private static function page(array $lists): string
    {
        return \count($lists) === Queries::COUNT
            ? \sprintf('%d lists, %s', \count($lists), hash('xxh64', serialize($lists)))
            : throw new RuntimeException('The items have too few categories.');
    }
}
