<?php

declare(strict_types=1);

namespace Larder\Testbed\Tests\Process;

use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\WorkerPool;
use OutOfRangeException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use RuntimeException;

#[CoversClass(Board::class)]
final class BoardTest extends TestCase
{
    public function testSeriesAreApart(): void
    {
        $board = Board::create(['one' => 1, 'three' => 3, BoardSeries::class => 2]);
        $board->set('one', PHP_INT_MIN);
        $board->set('three', PHP_INT_MAX, 2);
        self::assertSame(5, $board->add(BoardSeries::Reads, 5, 1));
        $board->raise(BoardSeries::Longest, 7);
        $board->raise(BoardSeries::Longest, 6);

        self::assertSame([
            'one' => [PHP_INT_MIN],
            'three' => [0, 0, PHP_INT_MAX],
            BoardSeries::class . '::Reads' => [0, 5],
            BoardSeries::class . '::Longest' => [7, 0],
        ], $board->snapshot());
        self::assertSame(5, $board->sum(BoardSeries::Reads));
        self::assertSame(7, $board->max(BoardSeries::Longest));
    }

    public function testNeighboursAreReadAndWrittenAtOnce(): void
    {
        $board = Board::create(['before' => 1, 'numbers' => 4, 'behind' => 1]);
        $board->setRange('numbers', 1, [8, 9]);

        self::assertSame([0, 8, 9, 0], $board->all('numbers'));
        self::assertSame([8, 9], $board->range('numbers', 1, 2));
        self::assertSame([], $board->range('numbers', 0, 0));
        self::assertSame([0, 0], [$board->get('before'), $board->get('behind')]);
    }

    public function testNoNumberLiesOutsideItsSeries(): void
    {
        $board = Board::create(['one' => 1, 'other' => 3]);
        $refused = 0;
        foreach ([
            static fn() => $board->get('one', 1),
            static fn() => $board->set('one', 1, -1),
            static fn() => $board->range('one', 0, 2),
            static fn() => $board->setRange('other', 2, [1, 2]),
            static fn() => $board->get('missing'),
        ] as $access) {
            try {
                $access();
            } catch (OutOfRangeException) {
                ++$refused;
            }
        }

        self::assertSame(5, $refused);
        self::assertSame([0, 0, 0], $board->all('other'));
    }

    public function testWorkersSeeEachOthersNumbers(): void
    {
        $board = Board::create(['count' => 3, 'told' => 1]);
        $pool = new WorkerPool(static function (int $number) use ($board): void {
            for ($i = 0; $i < 100; ++$i) {
                $board->add('count', index: $number);
            }
        });
        $pool->fill(3);
        $pool->end(20.0);

        self::assertSame([100, 100, 100], $board->all('count'));
        self::assertSame(300, $board->sum('count'));
    }

    public function testASharedBoardIsOpenedByItsIdUntilItIsRemoved(): void
    {
        $sizes = ['first' => 1, 'second' => 2];
        $board = Board::share($sizes);
        $other = Board::open($board->id, $sizes);
        $other->set('second', 4, 1);
        self::assertSame([0, 4], $board->all('second'));

        $board->remove();
        $board->remove();
        self::assertSame(4, $other->get('second', 1));
        $this->expectException(RuntimeException::class);
        Board::open($board->id, $sizes);
    }
}
