<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Metrics\Counters;
use Larder\SharedMemory;
use Larder\Store;
use Larder\Store\NearValues;
use Larder\Store\TieredStore;
use Override;
use PHPUnit\Framework\Attributes\CoversClass;
use Psr\Log\LoggerInterface;

/** Its near store is shared memory, which holds the value too. */
#[CoversClass(TieredStore::class)]
#[CoversClass(NearValues::class)]
final class TieredStoreUnreadableTest extends MemcachedStoreUnreadableTest
{
    #[Override]
    protected function open(LoggerInterface $log, Counters $counters): Store
    {
        return new TieredStore(new SharedMemory('unreadable'), self::far($log, $counters), 0.0, $log, $counters);
    }

    /** Of the near and of the far store. */
    #[Override]
    protected function lines(): int
    {
        return 2;
    }
}
