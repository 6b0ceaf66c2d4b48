<?php

declare(strict_types=1);

namespace Larder\Testbed\Tests\Server;

use Larder\Testbed\Process\Fork;
use Larder\Testbed\Server\Cpu;
use Larder\Testbed\Server\ProcessTree;
use Larder\Testbed\Server\ResidentMemory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(Cpu::class)]
#[CoversClass(ResidentMemory::class)]
#[CoversClass(ProcessTree::class)]
final class ProcessesTest extends TestCase
{
    public function testCpuGrowsByWhatAProcessUsed(): void
    {
        $pids = [(int) getmypid()];
        $own = self::own();
        $before = Cpu::of($pids);
        while (self::own() - $own < 60_000);
        $grown = Cpu::of($pids) - $before;

        self::assertGreaterThan(49_000.0, $grown);
        self::assertLessThan(self::own() - $own + 11_000, $grown);
    }

    public function testASleepingProcessUsesNextToNothing(): void
    {
        [$process, $pid] = self::start(['sleep', '60']);
        // Starting it costs some milliseconds.
        usleep(100_000);
        $before = Cpu::of([$pid]);
        usleep(50_000);
        self::assertLessThan(5_000.0, Cpu::of([$pid]) - $before);
        proc_terminate($process, SIGKILL);
        proc_close($process);
    }

    public function testAProcessThatIsGoneCountsNothing(): void
    {
        [$process, $pid] = self::start(['true']);
        proc_close($process);

        self::assertSame(0.0, Cpu::of([$pid]));
        self::assertSame(0.0, Cpu::of([]));
        self::assertSame([], ResidentMemory::of([$pid]));
        self::assertSame([], ProcessTree::of($pid));
        self::assertSame('', ProcessTree::command($pid));
    }

    public function testWhatAChildUsedIsNotItsParents(): void
    {
        $before = Cpu::of([(int) getmypid()]);
        $child = Fork::start(static function (): void {
            while (self::own() < 30_000);
        });
        pcntl_waitpid($child, $status);
        self::assertLessThan(20_000.0, Cpu::of([(int) getmypid()]) - $before);
    }

    public function testMemoryOfEachProcess(): void
    {
        $pid = (int) getmypid();
        $text = str_repeat('x', 32 << 20);
        $with = ResidentMemory::of([$pid])[$pid] ?? 0;
        unset($text);
        $without = ResidentMemory::of([$pid])[$pid] ?? 0;

        self::assertGreaterThan(30 << 20, $with - $without);
        self::assertGreaterThan(5 << 20, $without);
    }

    public function testATreeHasChildrenOfChildren(): void
    {
        [$process, $pid] = self::start(['sh', '-c', 'sh -c "sleep 60; true" & wait']);
        $tree = [];
        // A fork bears its parent's name until it has called exec.
        for ($deadline = microtime(
            true,
        ) + 5; (\count($tree) < 3 || ProcessTree::command($tree[2]) !== 'sleep 60') && microtime(true) < $deadline;) {
            usleep(2_000);
            $tree = ProcessTree::of($pid);
        }
        self::assertCount(3, $tree);
        self::assertSame($pid, $tree[0]);
        self::assertSame('sleep 60', ProcessTree::command($tree[2]));
        foreach (array_reverse($tree) as $one) {
            posix_kill($one, SIGKILL);
        }
        proc_close($process);
    }

    /**
     * @param list<string> $command
     *
     * @return array{resource, int}
     */
    private static function start(array $command): array
    {
        $process = proc_open($command, [], $pipes);
        self::assertIsResource($process);

        return [$process, proc_get_status($process)['pid']];
    }

    /** Microseconds of this process. */
    private static function own(): float
    {
        $usage = array_filter((array) getrusage(), is_int(...))
            + array_fill_keys(['ru_utime.tv_sec', 'ru_stime.tv_sec', 'ru_utime.tv_usec', 'ru_stime.tv_usec'], 0);

        return ($usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec']) * 1e6 + $usage['ru_utime.tv_usec']
            + $usage['ru_stime.tv_usec'];
    }
}
