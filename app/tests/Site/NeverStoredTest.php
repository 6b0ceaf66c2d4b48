<?php

declare(strict_types=1);

namespace App\Tests\Site;

use Larder\Page\EchoedOutput;
use Larder\Page\FilePageStore;
use Larder\Page\Middleware;
use Larder\Page\NginxConfig;
use Larder\Page\PageCache;
use Larder\Page\StoreRules;
use Larder\Page\UnkeyedGlobals;
use PHPUnit\Framework\Attributes\CoversClass;

/** With pages in files. */
#[CoversClass(EchoedOutput::class)]
#[CoversClass(FilePageStore::class)]
#[CoversClass(Middleware::class)]
#[CoversClass(NginxConfig::class)]
#[CoversClass(PageCache::class)]
#[CoversClass(StoreRules::class)]
#[CoversClass(UnkeyedGlobals::class)]
final class NeverStoredTest extends NeverStoredCase
{
    public static function setUpBeforeClass(): void
    {
        self::$site = LiveSite::withTraps();
    }

    public static function requests(): iterable
    {
        return UnstorableRequests::all();
    }

    /** The page and its compressed twin. */
    protected static function ofOnePage(): int
    {
        return 2;
    }
}
