<?php

declare(strict_types=1);

namespace Larder\Tests\Store\Sealing;

use Larder\Store\Seal;
use Larder\Store\Sealing\SealedValues;
use Larder\Tests\Store\RedisStoreContract;
use PHPUnit\Framework\Attributes\CoversClass;

/** What every store must do, sealed, with counters that stand open. */
#[CoversClass(Seal::class)]
#[CoversClass(SealedValues::class)]
final class SealedRedisStoreTest extends RedisStoreContract
{
    protected static function client(): string
    {
        return 'predis';
    }

    protected static function servers(): int
    {
        return 1;
    }

    protected static function seal(): Seal
    {
        return new Seal(base64_encode(str_repeat('k', 32)), counters: true);
    }
}
