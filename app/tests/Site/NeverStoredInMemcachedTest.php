<?php

declare(strict_types=1);

namespace App\Tests\Site;

use Larder\Page\EchoedOutput;
use Larder\Page\MemcachedPageStore;
use Larder\Page\Middleware;
use Larder\Page\NginxTemplates;
use Larder\Page\PageCache;
use Larder\Page\StoreRules;
use Larder\Page\UnkeyedGlobals;
use PHPUnit\Framework\Attributes\CoversClass;

/** With pages in memcached, which nginx reads by srcache. */
#[CoversClass(EchoedOutput::class)]
#[CoversClass(MemcachedPageStore::class)]
#[CoversClass(Middleware::class)]
#[CoversClass(NginxTemplates::class)]
#[CoversClass(PageCache::class)]
#[CoversClass(StoreRules::class)]
#[CoversClass(UnkeyedGlobals::class)]
final class NeverStoredInMemcachedTest extends NeverStoredCase
{
    public static function setUpBeforeClass(): void
    {
        self::$site = LiveSite::withTraps(inMemcached: true);
    }

    public static function requests(): iterable
    {
        return UnstorableRequests::withHeads();
    }

    protected static function ofOnePage(): int
    {
        return 1;
    }
}
