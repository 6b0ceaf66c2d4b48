<?php

declare(strict_types=1);

namespace Larder\Tests\Metrics;

use Larder\Metrics\MemoryCounters;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(MemoryCounters::class)]
final class MemoryCountersTest extends TestCase
{
    public function testAddsUp(): void
    {
        $counters = new MemoryCounters();
        self::assertSame([], $counters->all());
        $counters->add('b_total');
        $counters->add('a_total', 5);
        $counters->add('b_total', 2);

        self::assertSame(['a_total' => 5, 'b_total' => 3], $counters->all());
    }
}
