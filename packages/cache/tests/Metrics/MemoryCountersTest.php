<?php

declare(strict_types=1);

namespace Larder\Tests\Metrics;

use Larder\Metrics\FileCounters;
use Larder\Metrics\MemoryCounters;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(FileCounters::class)]
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

    public function testAFileHasTheSameNumbers(): void
    {
        $memory = new MemoryCounters();
        $directory = new TemporaryDirectory();
        $path = $directory->path . '/counters';
        foreach ([$memory, new FileCounters($path)] as $counters) {
            $counters->add('a_total', 5, ['path' => "C:\\\"x\"\n", 'b' => 'ü']);
            $counters->add('a_total', 2, ['path' => "C:\\\"x\"\n", 'b' => 'ü']);
            $counters->observe('a_seconds', 0.02, ['of' => 'b']);
            $counters->observe('a_seconds', 11.5, ['of' => 'b']);
        }
        $found = (new FileCounters($path))->all();
        file_put_contents($path, 'damaged');
        $damaged = (new FileCounters($path))->all();
        $directory->remove();

        self::assertSame($memory->all(), $found);
        self::assertContains(7, $found);
        self::assertSame([1, 1, 2, 2, 11.52], array_map(static fn(string $end): int|float => $found["a_seconds_$end"], [
            'bucket{of="b",le="0.025"}', 'bucket{of="b",le="10"}', 'bucket{of="b",le="+Inf"}', 'count{of="b"}',
            'sum{of="b"}',
        ]));
        self::assertSame([], $damaged);
    }
}
