<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Page\MemcachedPageStore;
use Larder\Page\NginxTemplates;
use Larder\Page\Parts;
use Larder\Testbed\Net\Exchange;
use Larder\Testbed\Server\Memcached;
use PHPUnit\Framework\Attributes\CoversClass;

#[CoversClass(MemcachedPageStore::class)]
#[CoversClass(NginxTemplates::class)]
#[CoversClass(Parts::class)]
final class NeverStoredPartsInMemcachedTest extends NeverStoredPartsCase
{
    private static Memcached $memcached;

    protected static function startStore(string $directory): array
    {
        self::$memcached = new Memcached($directory . '/mc', socket: true, options: ['-o', 'no_lru_maintainer']);

        return ['unix:' . self::$memcached->endpoint()->socket];
    }

    protected static function stopStore(): void
    {
        self::$memcached->stop();
    }

    /** All entries that are not empty, which the stubs of pages are. */
    protected static function stored(): array
    {
        $server = 'unix://' . self::$memcached->endpoint()->socket;
        $prefix = MemcachedPageStore::prefix(self::$site->name);
        $end = microtime(true) + 60.0;
        // A walk over the lists of ages misses what is just moved from one to another: nobody moves them here. A walk
        // over the hash table is a thousand times longer.
        do {
            self::assertLessThan($end, microtime(true), 'memcached does not list its keys');
            // BUSY, if the last walk is not over.
            $list = (string) Exchange::with($server, "lru_crawler metadump all\r\n", "\r\n");
        } while (!str_ends_with($list, "END\r\n"));
        preg_match_all('/^key=(\S+) /m', $list, $keys);
        $found = [];
        foreach (array_map(rawurldecode(...), $keys[1]) as $key) {
            $value = (string) Exchange::with($server, "mg $key v\r\nmn\r\n", "MN\r\n");
            $isFull = preg_match('/^VA [1-9]\d*[^\n]*\n(.*)\r\nMN\r\n$/Ds', $value, $text) === 1;
            if ($isFull && !str_ends_with($key, '@')) {
                $parts = explode("\r\n\r\n", $text[1], 2);
                $body = @gzdecode($parts[1] ?? '');
                $found[substr($key, \strlen($prefix))] = \is_string($body) ? "$parts[0]\r\n\r\n$body" : $text[1];
            }
        }
        ksort($found);

        return $found;
    }
}
