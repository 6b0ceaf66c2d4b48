<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Larder\Proof\Pages\DiskTorture;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** `script/torture disk --paths=100000` is the same with many more paths and all kinds of answers. */
#[CoversClass(DiskTorture::class)]
final class DiskTortureTest extends TestCase
{
    public function testStrangersFillNoMoreThanTheLimit(): void
    {
        $found = Runs::found('disk', '--paths=500', '--kinds=301:404:deep', '--bytes=1048576');

        foreach (['301', '404', 'deep'] as $kind) {
            self::assertSame(500, $found[$kind . '_stored']);
            self::assertLessThanOrEqual(4 << 20, $found[$kind . '_bytes'], $kind);
            self::assertLessThanOrEqual(1024, $found[$kind . '_inodes'], $kind);
        }
    }
}
