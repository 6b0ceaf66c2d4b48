<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Report;

use Larder\Bench\Report\Html\Bars;
use Larder\Bench\Report\Html\Markup;
use Larder\Bench\Report\Ladder;
use Larder\Bench\Report\Ranking;
use Larder\Bench\Result\Cell;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(Ladder::class)]
#[CoversClass(Ranking::class)]
#[CoversClass(Bars::class)]
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

    public function testTheScaleIsLinearUnlessTheSubjectsLieTooFarApart(): void
    {
        $near = self::bars(['memcached' => 20_000.0, 'predis' => 5_000.0]);
        self::assertFalse($near->logarithmic);
        self::assertEqualsWithDelta(0.943, $near->place(20_000.0), 0.001);
        self::assertSame([0.0, 5000.0, 10_000.0, 15_000.0, 20_000.0], array_column($near->ticks(), 1));

        $far = self::bars(['memcached' => 200_000.0, 'predis' => 5_000.0]);
        self::assertTrue($far->logarithmic);
        self::assertSame([1000.0, 10_000.0, 100_000.0], array_column($far->ticks(), 1));
        self::assertGreaterThan(0.0, $far->place(5_000.0));
        self::assertLessThan(1.0, $far->place(200_000.0));
    }

    public function testDifferentRatesHaveDifferentPlacesHoweverFarAheadOneIs(): void
    {
        $scale = self::bars(
            ['noop' => 9e6, 'apcu' => 1.6e6, 'file' => 60_000.0, 'memcached' => 24_000.0],
        );
        $places = array_map($scale->place(...), [24_000.0, 60_000.0, 1.6e6, 9e6]);

        self::assertTrue($scale->logarithmic);
        self::assertLessThan($places[1] - 0.05, $places[0]);
        self::assertLessThan($places[2] - 0.05, $places[1]);
        self::assertLessThan($places[3] - 0.05, $places[2]);
        self::assertLessThanOrEqual(1.0, $places[3]);
    }

    public function testNothingAtAllHasAScaleToo(): void
    {
        self::assertSame(0.0, self::bars([])->place(0.0));
        self::assertSame(0.0, self::bars(['memcached' => 0.0])->place(0.0));
    }

    /** @param array<string, float> $rates */
    private static function bars(array $rates): Bars
    {
        $cells = array_map(
            static fn(string $subject, float $rate): Cell => Fixture::cell($subject, [$rate]),
            array_keys($rates),
            $rates,
        );
        $chart = Fixture::chart('keys', $cells);

        $document = Fixture::of([$chart]);

        return Bars::of(Ranking::of($document, $chart), Markup::for($document));
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
