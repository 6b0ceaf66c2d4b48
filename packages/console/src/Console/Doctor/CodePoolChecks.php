<?php

declare(strict_types=1);

namespace Larder\Console\Doctor;

use Larder\Code\Exception\CodePoolFailed;
use Larder\Code\MemcachedPool;

/** @internal Asks the memcached servers that carry releases of code, and measures the way to them. */
final readonly class CodePoolChecks
{
    /** The first with all meta commands that are used. */
    private const OLDEST = '1.6.18';

    private const ASKED = 50;

    /** Milliseconds that a round trip takes at most within one network. */
    private const FAR = 2.0;

    /** Megabytes a second of a link of 100 Mbit/s. */
    private const SLOW = 12.5;

    /** Bytes of each item of the measurement, and how many there are. */
    private const BYTES = 900_000;
    private const ITEMS = 8;

    private const TIMEOUT = 10.0;

    /** @param list<string> $servers */
    public function __construct(private array $servers) {}

    /** @return list<Check> */
    public function checks(): array
    {
        $checks = [];
        foreach ($this->servers as $server) {
            $pool = new MemcachedPool($server, self::TIMEOUT);
            try {
                $stats = $pool->stats($server);
                $settings = $pool->stats($server, 'settings');
                $checks = [
                    ...$checks,
                    Check::ok("$server answers"),
                    self::version($server, $stats['version'] ?? ''),
                    self::item($server, (int) ($settings['item_size_max'] ?? 0)),
                    self::room($server, $stats),
                    self::distance($server, $pool),
                    self::bandwidth($server, $pool),
                ];
            } catch (CodePoolFailed $failure) {
                $checks[] = Check::failed("$server answers", $failure->getMessage());
            }
        }

        return [...$checks, self::sodium()];
    }

    private static function version(string $server, string $version): Check
    {
        $name = "$server is memcached " . self::OLDEST . ' or later';

        return version_compare($version, self::OLDEST, '>=')
            ? Check::ok($name, $version)
            : Check::failed($name, "it is \"$version\": update it");
    }

    private static function item(string $server, int $bytes): Check
    {
        $name = "$server takes items of 1 MB";

        return $bytes >= 1 << 20
            ? Check::ok($name)
            : Check::failed($name, "its limit is $bytes bytes, and a pack has up to 900,000: start it with -I 1m");
    }

    /** @param array<string, string> $stats */
    private static function room(string $server, array $stats): Check
    {
        $name = "$server has displaced nothing";
        $evictions = (int) ($stats['evictions'] ?? 0);

        return $evictions === 0 ? Check::ok($name) : Check::remark($name, \sprintf(
            '%d items were displaced since it was started, so a release may go too: start it with a larger -m, or give '
                . 'code a server of its own',
            $evictions,
        ));
    }

    private static function distance(string $server, MemcachedPool $pool): Check
    {
        $times = [];
        for ($asked = 0; $asked < self::ASKED; ++$asked) {
            $begin = hrtime(true);
            $pool->present(['larder.doctor.none']);
            $times[] = (hrtime(true) - $begin) / 1e6;
        }
        sort($times);
        $median = $times[intdiv(self::ASKED, 2)];
        $name = "$server is near";
        $found = \sprintf('%.2f ms for a round trip, the median of %d', $median, self::ASKED);

        return $median <= self::FAR ? Check::ok($name, $found) : Check::remark(
            $name,
            "$found: a server in the same network takes less than a millisecond. Put one there",
        );
    }

    private static function bandwidth(string $server, MemcachedPool $pool): Check
    {
        $values = [];
        for ($item = 0; $item < self::ITEMS; ++$item) {
            $values['larder.doctor.' . bin2hex(random_bytes(8))] = random_bytes(self::BYTES);
        }
        $name = "$server gives back what it was given, at more than 100 Mbit/s";
        try {
            $pool->store($values);
            $begin = hrtime(true);
            $found = $pool->fetch(array_keys($values));
            $seconds = (hrtime(true) - $begin) / 1e9;
            $pool->remove(array_keys($values));
        } catch (CodePoolFailed $failure) {
            return Check::failed($name, $failure->getMessage());
        }
        $rate = self::BYTES * self::ITEMS / max(1e-9, $seconds) / 1e6;
        $said = \sprintf('%.0f MB/s', $rate);
        ksort($values);
        ksort($found);

        return match (true) {
            $found !== $values => Check::failed($name, 'it has lost some of it already: start it with a larger -m'),
            $rate < self::SLOW => Check::remark($name, "$said: a pull takes seconds. Look at the link between"),
            default => Check::ok($name, $said),
        };
    }

    private static function sodium(): Check
    {
        return Check::that(
            'releases can be verified here',
            \extension_loaded('sodium'),
            'load the PHP extension sodium',
        );
    }
}
