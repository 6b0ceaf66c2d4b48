<?php

declare(strict_types=1);

namespace Larder\Testbed\Tests\Process;

use Larder\Testbed\Process\MemoryLog;
use PHPUnit\Framework\TestCase;

final class MemoryLogTest extends TestCase
{
    public function testTellsFirstLastAndSlopeOfEachProcess(): void
    {
        $pid = (int) getmypid();
        $log = new MemoryLog(10.0, 1.0);
        for ($second = 0; $second <= 100; ++$second) {
            // One process grows at the start only; the other one grows by 1 kB a second.
            $log->add(
                (float) $second,
                [$pid => $second < 5 ? 1_000_000 : 3_000_000, 999_999_999 => 500_000 + $second * 1000],
            );
            $log->add($second + 0.5, [$pid => 9_000_000]);
        }
        $name = trim((string) file_get_contents('/proc/self/comm')) . ' 1';
        $figures = $log->figures();

        self::assertSame(
            [1.0, 3.0, 0.0],
            [$figures["{$name}, first MB"], $figures["{$name}, last MB"], $figures["{$name}, MB/h"]],
        );
        self::assertSame([0.5, 0.6], [$figures['process 1, first MB'], $figures['process 1, last MB']]);
        self::assertEqualsWithDelta(3.6, $figures['process 1, MB/h'], 1e-9);
        self::assertEqualsWithDelta(3.6, $figures['all processes, MB/h'], 1e-9);
        self::assertFalse($log->someEnded());
    }

    public function testNoticesAProcessThatEnds(): void
    {
        $log = new MemoryLog(0.0, 1.0);
        $log->add(0.0, [1 => 1000, 2 => 1000]);
        $log->add(1.0, [1 => 1000]);

        self::assertTrue($log->someEnded());
    }
}
