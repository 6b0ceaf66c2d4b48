<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Larder\Proof\Client\Lateness;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(Lateness::class)]
final class LatenessTest extends TestCase
{
    private const MS = 1_000_000;

    public function testOnlyWhatStoodStillMeanwhileExcuses(): void
    {
        $scratch = new TemporaryDirectory('larder-lateness', sys_get_temp_dir());
        try {
            $lateness = new Lateness($scratch->path);
            self::assertSame([], $lateness->tooLong());
            $lateness->stood(0, 90 * self::MS);
            $lateness->stood(450 * self::MS, 500 * self::MS);
            $lateness->called('get', 100 * self::MS, 180 * self::MS, 30 * self::MS);
            $lateness->called('set', 420 * self::MS, 520 * self::MS, 55 * self::MS);
            $lateness->called('still under way', 420 * self::MS, 520 * self::MS, 61 * self::MS);
            $lateness->called('has', 600 * self::MS, 660 * self::MS, 10 * self::MS);
            self::assertSame(
                ['get: 30.0 ms after its deadline + 10 %', 'still under way: 11.0 ms after its deadline + 10 %'],
                $lateness->tooLong(),
            );
        } finally {
            $scratch->remove();
        }
    }
}
