<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Report;

use Larder\Bench\Report\Ladder;
use Larder\Bench\Report\Ranking;
use Larder\Bench\Result\Cell;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(Ladder::class)]
#[CoversClass(Ranking::class)]
final class LadderTest extends TestCase
{
    public function testChartsThatDifferInWorkersAloneMakeACurve(): void
    {
        $ladders = Ladder::in(Fixture::of([
            Fixture::chart('keys', [Fixture::cell('memcached', [4.0], 4)], ['workers' => 4, 'size' => 400]),
            Fixture::chart('keys', [Fixture::cell('memcached', [1.0])], ['size' => 400, 'workers' => 1]),
            Fixture::chart('keys', [Fixture::cell('memcached', [2.0])], ['workers' => 2, 'size' => 32]),
            Fixture::chart('append', [Fixture::cell('memcached', [2.0])], ['workers' => 2, 'size' => 400]),
        ]));

        self::assertCount(1, $ladders);
        self::assertSame([1.0, 4.0], $ladders[0]->steps());
        self::assertSame('size 400', $ladders[0]->conditions());
        self::assertSame(['memcached'], $ladders[0]->subjects());
        self::assertTrue($ladders[0]->isSeenByEach());
    }

    public function testOtherNumbersNeedThreeSteps(): void
    {
        $charts = array_map(
            static fn(int $size): \Larder\Bench\Result\Chart => Fixture::chart(
                'keys',
                [Fixture::cell('memcached', [1.0])],
                ['size' => $size],
            ),
            [32, 400, 4096],
        );

        self::assertCount(1, Ladder::in(Fixture::of($charts)));
        self::assertSame([], Ladder::in(Fixture::of(\array_slice($charts, 0, 2))));
    }

    public function testABreakingPointIsTheFirstStepWithErrorsOrAFailure(): void
    {
        foreach (Ladder::in(Fixture::document()) as $ladder) {
            if ($ladder->charts[0]->test === 'keys') {
                self::assertSame(8.0, $ladder->breakingPoint('predis'));
                self::assertSame(8.0, $ladder->breakingPoint('memcache'));
                self::assertNull($ladder->breakingPoint('memcached'));
                self::assertNull($ladder->breakingPoint('handlersocket'), 'absent is not broken');
            }
        }
    }

    public function testRowsAreSortedAndThoseWithoutANumberAreApart(): void
    {
        $document = Fixture::document();
        $ranking = Ranking::of($document, $document->chart('keys_large?workers=2') ?? self::fail('no chart'));

        self::assertSame(['noop', 'file', 'memcached', 'phpredis', 'predis'], self::names($ranking->measured));
        self::assertSame(['memcache', 'sqlite'], self::names($ranking->faulty));
        self::assertSame('WRONG: key:3 answered with the value of key:1', Ranking::fault($ranking->faulty[0]));
        self::assertSame('memcached', $ranking->reference()?->subject, 'no store of one host, no floor');
    }

    /**
     * @param list<Cell> $cells
     *
     * @return list<string>
     */
    private static function names(array $cells): array
    {
        return array_map(static fn(Cell $cell): string => $cell->subject, $cells);
    }
}
