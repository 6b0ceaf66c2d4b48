<?php

declare(strict_types=1);

namespace Larder\Proof\Tests;

use Larder\Proof\Modules\ModulesTorture;
use Larder\Proof\Result;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(ModulesTorture::class)]
final class ModulesTortureTest extends TestCase
{
    public function testOneMoreConnectionOrALargerWorkerIsAFinding(): void
    {
        $clean = self::resultWith();
        self::assertTrue($clean->clean);
        self::assertTrue($clean->rich);
        self::assertSame(
            'failures: 0 of 1000 requests, growth: 256 KB a worker, connections of each server: 4, 4 for 4 workers',
            $clean->line,
        );
        self::assertFalse(self::resultWith(growth: 257)->clean);
        self::assertFalse(self::resultWith(connections: [4, 5])->clean);
        self::assertFalse(self::resultWith(connections: [3, 3])->clean);
        self::assertFalse(self::resultWith(findings: ['get: false in place of true'])->clean);
        self::assertFalse(self::resultWith(seconds: 200)->rich);
    }

    /**
     * @param list<int>    $connections
     * @param list<string> $findings
     */
    private static function resultWith(
        int $growth = 256,
        array $connections = [4, 4],
        array $findings = [],
        float $seconds = 20,
    ): Result {
        return ModulesTorture::result(
            1000,
            [7 => 9000, 8 => 9000],
            [7 => 9000 + $growth, 8 => 9000],
            $connections,
            $findings,
            $seconds,
        );
    }
}
