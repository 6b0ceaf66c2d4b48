<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Run;

use Larder\Bench\Run\WindowProcess;
use PHPUnit\Framework\TestCase;

final class SystemCallsTest extends TestCase
{
    public function testCountsTheCallsOfOneProcessBetweenItsMarks(): void
    {
        $calls = WindowProcess::systemCalls(<<<'END'
            10 read(3, ""..., 100) = 100
            11 getppid( <unfinished ...>
            10 poll([{fd=5, events=POLLIN}], 1, 1000) = 0 (Timeout)
            11 <... getppid resumed>)           = 10
            11 sendto(5, ""..., 60, 0, NULL, 0) = 60
            10 read(3,  <unfinished ...>
            11 recvfrom(5,  <unfinished ...>
            10 <... read resumed>""..., 8192) = 33
            11 <... recvfrom resumed>""..., 8192, 0, NULL, NULL) = 41
            11 poll([{fd=5, events=POLLIN}], 1, 1000) = 1 ([{fd=5, revents=POLLIN}])
            11 getppid()                        = 10
            11 write(4, ""..., 12) = 12
            END, 2);

        self::assertSame(
            [
                'system calls per operation' => 1.5,
                'bytes written per operation' => 30.0,
                'bytes read per operation' => 20.5,
            ],
            $calls,
        );
    }

    public function testSaysNothingWithoutBothMarks(): void
    {
        self::assertNull(WindowProcess::systemCalls("11 getppid() = 10\n11 write(4, \"\"..., 12) = 12\n", 2));
        self::assertNull(WindowProcess::systemCalls('', 2));
    }
}
