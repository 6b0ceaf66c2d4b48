<?php

declare(strict_types=1);

namespace Larder\Testbed\Tests\Process;

use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\WorkerPool;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use RuntimeException;

#[CoversClass(WorkerPool::class)]
final class WorkerPoolTest extends TestCase
{
    public function testAFinishedWorkerHandsItsResultOver(): void
    {
        $pool = new WorkerPool(static fn(int $number, int $life): array => [$number, $life]);
        $pool->fill(3);
        $results = [];
        foreach ($pool->end(20.0) as $end) {
            self::assertTrue($end->finished, $end->reason());
            $results[$end->number] = $end->result;
        }
        ksort($results);

        self::assertSame([[0, 1], [1, 2], [2, 3]], $results);
        self::assertSame([], $pool->numbers());
    }

    public function testAnExceptionComesBackWithItsPlace(): void
    {
        $pool = new WorkerPool(static fn() => throw new RuntimeException('no luck'));
        $pool->start(4);
        [$end] = $pool->end(20.0);

        self::assertSame(4, $end->number);
        self::assertFalse($end->finished);
        self::assertStringContainsString('no luck at WorkerPoolTest.php:', (string) $end->error);
        self::assertNull($end->signal);
    }

    public function testACodeAndASignalAreToldApart(): void
    {
        $pool = new WorkerPool(static function (int $number): void {
            $number === 0 ? exit(7) : posix_kill((int) getmypid(), SIGABRT);
        });
        $pool->fill(2);
        $ends = $pool->end(20.0);
        usort($ends, static fn($one, $other): int => $one->number <=> $other->number);

        self::assertSame([7, null], [$ends[0]->code, $ends[0]->signal]);
        self::assertSame([null, SIGABRT], [$ends[1]->code, $ends[1]->signal]);
    }

    public function testAKilledWorkerIsReplacedByAnotherLife(): void
    {
        $board = Board::create(['life' => 2]);
        $pool = new WorkerPool(static function (int $number, int $life) use ($board): void {
            $board->set('life', $life, $number);
            sleep(600);
        });
        $pool->fill(2);
        self::await(static fn(): bool => $board->get('life', 1) === 2);
        $before = $pool->pid(1);
        $end = $pool->kill(1);
        self::await(static fn(): bool => $board->get('life', 1) === 3);

        self::assertTrue($end?->isKilled());
        self::assertSame(2, $end->life);
        self::assertSame(3, $pool->life(1));
        self::assertNotSame($before, $pool->pid(1));
        self::assertSame([0, 1], $pool->numbers());
        self::assertNull($pool->kill(9));
        self::assertCount(2, $pool->killAll());
        self::assertSame([], $pool->reap());
    }

    public function testWorkersThatDoNotEndAreKilledAtTheDeadline(): void
    {
        $pool = new WorkerPool(static fn() => sleep(600));
        $pool->fill(2);
        $ends = $pool->end(0.1);

        self::assertCount(2, $ends);
        self::assertTrue($ends[0]->isKilled() && $ends[1]->isKilled());
    }

    public function testEachLifeHasItsOwnRandomNumbersAndTheSameSeedRepeatsThem(): void
    {
        $run = static function (): array {
            $pool = new WorkerPool(static fn(): int => mt_rand(), seed: 11);
            $pool->fill(2);
            $numbers = [];
            foreach ($pool->end(20.0) as $end) {
                $numbers[$end->number] = $end->result;
            }
            ksort($numbers);

            return $numbers;
        };
        $numbers = $run();

        self::assertSame($numbers, $run());
        self::assertCount(2, array_unique($numbers, SORT_REGULAR));
    }

    public function testAWorkerRunsNoDestructorAndNoSignalHandlerOfItsParent(): void
    {
        $board = Board::create(['destructed' => 1, 'handled' => 1, 'ready' => 1]);
        $parent = new class ($board) {
            public function __construct(public Board $board) {}

            public function __destruct()
            {
                $this->board->add('destructed');
            }
        };
        pcntl_async_signals(true);
        pcntl_signal(SIGTERM, static fn() => $board->add('handled'));
        $pool = new WorkerPool(static function (int $number) use ($board): void {
            if ($number === 1) {
                $board->set('ready', 1);
                sleep(600);
            }
        });
        $pool->fill(2);
        self::await(static fn(): bool => $board->get('ready') === 1);
        $pool->signal(1, SIGTERM);
        $ends = $pool->end(20.0);
        pcntl_signal(SIGTERM, SIG_DFL);

        self::assertCount(2, $ends);
        self::assertSame([0, 0], [$parent->board->get('destructed'), $board->get('handled')]);
    }

    public function testTheParentPreparesEachLife(): void
    {
        $prepared = [];
        $pool = new WorkerPool(static fn() => null, before: static function (
            int $number,
            int $life,
        ) use (&$prepared): void {
            $prepared[] = [$number, $life];
        });
        $pool->fill(2);
        $pool->kill(0);
        $pool->end(20.0);

        self::assertSame([[0, 1], [1, 2], [0, 3]], $prepared);
    }

    /** @param \Closure(): bool $done */
    private static function await(\Closure $done): void
    {
        for ($deadline = hrtime(true) + 20e9; !$done(); usleep(1_000)) {
            self::assertLessThan($deadline, hrtime(true), 'Nothing happens.');
        }
    }
}
