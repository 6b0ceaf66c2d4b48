<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Statistics;

use DomainException;
use Larder\Bench\Statistics\Histogram;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

#[CoversClass(Histogram::class)]
final class HistogramTest extends TestCase
{
    private const LAST = 1867;

    public function testPercentilesAndMeanAreThoseOfNumpyWithinOnePercent(): void
    {
        $latency = Fixtures::read()['latency'];
        $histogram = self::of($latency['values']);

        foreach ($latency['percentiles'] as [$share, $nanoseconds]) {
            $found = $histogram->percentile($share);
            self::assertNotNull($found);
            self::assertEqualsWithDelta($nanoseconds, $found, 0.01 * $nanoseconds, (string) $share);
        }
        self::assertEqualsWithDelta($latency['mean'], (float) $histogram->mean(), 0.01 * $latency['mean']);
        self::assertNotEmpty($latency['values']);
        self::assertSame(max($latency['values']), $histogram->max());
        self::assertSame(\count($latency['values']), $histogram->count());
    }

    /** The ends of every bucket, and a value between them. */
    public function testNoValueOfTheRangeIsWrongByMoreThanOnePercent(): void
    {
        $random = new Randomizer(new Xoshiro256StarStar(20240607));
        for ($bucket = 0; $bucket <= self::LAST; ++$bucket) {
            $low = Histogram::lowest($bucket);
            $high = min(60_000_000_000, Histogram::lowest($bucket + 1) - 1);
            self::assertGreaterThanOrEqual($low, $high);
            foreach ([$low, $high, $random->getInt($low, $high)] as $nanoseconds) {
                $histogram = new Histogram();
                $histogram->record($nanoseconds, 11);
                // So that the maximum does not come to its help.
                $histogram->record(60_000_000_000, 10);

                self::assertSame($bucket, $histogram->toArray()['buckets'][0][0], (string) $nanoseconds);
                self::assertEqualsWithDelta($nanoseconds, $histogram->percentile(0.5), 0.01 * $nanoseconds);
            }
        }
        self::assertSame(100, Histogram::lowest(0));
        self::assertGreaterThan(60_000_000_000, Histogram::lowest(self::LAST + 1));
    }

    public function testWhatIsOutsideCountsInTheFirstOrLastBucket(): void
    {
        $histogram = new Histogram();
        foreach ([-5, 0, 99, 100, 60_000_000_000, 60_000_000_001, 3_600_000_000_000, PHP_INT_MAX] as $nanoseconds) {
            $histogram->record($nanoseconds);
        }
        self::assertSame(['max' => PHP_INT_MAX, 'buckets' => [[0, 4], [self::LAST, 4]]], $histogram->toArray());
    }

    public function testNothingHasNoFigures(): void
    {
        $histogram = new Histogram();

        self::assertSame(0, $histogram->count());
        self::assertSame(0, $histogram->max());
        self::assertNull($histogram->mean());
        self::assertNull($histogram->percentile(0.0));
        self::assertSame(['max' => 0, 'buckets' => []], $histogram->toArray());
    }

    #[TestWith([0.5, 20])]
    #[TestWith([0.9, 100])]
    #[TestWith([0.95, 200])]
    #[TestWith([0.99, 1000])]
    #[TestWith([0.999, 10_000])]
    #[TestWith([0.9999, 100_000])]
    #[TestWith([0.0, 11])]
    public function testAPercentileNeedsTenSamplesBeyondIt(float $share, int $fewest): void
    {
        $histogram = new Histogram();
        $histogram->record(5000, max(1, $fewest - 1));
        self::assertNull($histogram->percentile($share));
        $histogram->record(5000);
        self::assertSame(5000.0, $histogram->percentile($share));
    }

    public function testAPercentileIsTheSampleOfItsRank(): void
    {
        $histogram = new Histogram();
        for ($nanoseconds = 100; $nanoseconds < 128; ++$nanoseconds) {
            $histogram->record($nanoseconds);
        }
        self::assertSame(100.0, $histogram->percentile(0.0));
        self::assertSame(106.0, $histogram->percentile(0.25));
        self::assertSame(107.0, $histogram->percentile(0.26));
        self::assertSame(113.0, $histogram->percentile(0.5));
        self::assertNull($histogram->percentile(1.0));
    }

    public function testRoundingDoesNotMoveAPercentileToTheNextSample(): void
    {
        $histogram = new Histogram();
        $histogram->record(110, 7);
        $histogram->record(120, 93);

        self::assertGreaterThan(7.0, 0.07 * 100);
        self::assertSame(110.0, $histogram->percentile(0.07));
    }

    public function testNoPercentileIsAboveTheMaximum(): void
    {
        $lowest = Histogram::lowest(1000);
        $histogram = new Histogram();
        $histogram->record($lowest, 50);

        self::assertGreaterThan($lowest + 1, Histogram::lowest(1001));
        self::assertSame((float) $lowest, $histogram->percentile(0.5));
        self::assertSame((float) $lowest, $histogram->mean());
    }

    #[TestWith([-0.1])]
    #[TestWith([1.1])]
    #[TestWith([NAN])]
    public function testAShareOutsideIsRefused(float $share): void
    {
        $this->expectException(DomainException::class);
        (new Histogram())->percentile($share);
    }

    public function testMergedIsAsIfRecordedInOne(): void
    {
        $values = Fixtures::read()['latency']['values'];
        $merged = self::of(\array_slice($values, 0, 700));
        $merged->merge(self::of(\array_slice($values, 700, 1)));
        $merged->merge(self::of(\array_slice($values, 701)));
        $merged->merge(new Histogram());

        self::assertEquals(self::of($values), $merged);
        self::assertSame(self::of($values)->toArray(), $merged->toArray());
    }

    public function testACountIsAsManyRecords(): void
    {
        $one = new Histogram();
        $one->record(4711, 3);

        self::assertEquals(self::of([4711, 4711, 4711]), $one);
    }

    public function testComesBackFromJson(): void
    {
        $histogram = self::of([-3, 99, ...Fixtures::read()['latency']['values'], 90_000_000_000]);
        $json = json_decode(json_encode($histogram->toArray(), JSON_THROW_ON_ERROR), true);
        self::assertIsArray($json);

        self::assertEquals($histogram, Histogram::fromArray($json));
        self::assertEquals(new Histogram(), Histogram::fromArray((new Histogram())->toArray()));
        self::assertEquals(self::of([50]), Histogram::fromArray(['max' => 50, 'buckets' => [[0, 1]]]));
    }

    /** @param array<mixed> $json */
    #[DataProvider('bad')]
    public function testWhatIsNoHistogramIsRefusedWithTheReason(array $json, string $reason): void
    {
        $this->expectException(DomainException::class);
        $this->expectExceptionMessage($reason);
        Histogram::fromArray($json);
    }

    /** @return iterable<string, array{array<mixed>, string}> */
    public static function bad(): iterable
    {
        yield 'empty' => [[], '"max" must be'];
        yield 'max as text' => [['max' => '5', 'buckets' => []], '"max" must be'];
        yield 'max below zero' => [['max' => -1, 'buckets' => []], '"max" must be'];
        yield 'no buckets' => [['max' => 0], '"buckets" must be'];
        yield 'buckets by name' => [['max' => 0, 'buckets' => ['a' => [0, 1]]], '"buckets" must be'];
        yield 'not a pair' => [['max' => 120, 'buckets' => [[20, 1], [21]]], 'Item 1'];
        yield 'three' => [['max' => 120, 'buckets' => [[20, 1, 1]]], 'Item 0'];
        yield 'a number' => [['max' => 120, 'buckets' => [20]], 'Item 0'];
        yield 'fractions' => [['max' => 120, 'buckets' => [[20, 1.5]]], 'Item 0'];
        yield 'named' => [['max' => 120, 'buckets' => [['bucket' => 20, 'count' => 1]]], 'Item 0'];
        yield 'bucket below' => [['max' => 120, 'buckets' => [[-1, 1]]], 'Bucket -1'];
        yield 'bucket above' => [['max' => 120, 'buckets' => [[self::LAST + 1, 1]]], 'Bucket 1868'];
        yield 'twice' => [['max' => 120, 'buckets' => [[20, 1], [20, 1]]], 'Bucket 20'];
        yield 'descending' => [['max' => 120, 'buckets' => [[20, 1], [19, 1]]], 'Bucket 19'];
        yield 'none' => [['max' => 120, 'buckets' => [[20, 0]]], 'impossible count, 0'];
        yield 'less than none' => [['max' => 120, 'buckets' => [[20, -1]]], 'impossible count, -1'];
        yield 'more than there can be' => [
            ['max' => 120, 'buckets' => [[19, PHP_INT_MAX], [20, 1]]],
            'impossible count, 1',
        ];
        yield 'max of nothing' => [['max' => 1, 'buckets' => []], '"max", 1,'];
        yield 'max too small' => [['max' => 119, 'buckets' => [[20, 1]]], '"max", 119,'];
        yield 'max too great' => [['max' => 121, 'buckets' => [[20, 1]]], '"max", 121,'];
    }

    #[TestWith([-1])]
    #[TestWith([self::LAST + 2])]
    public function testThereAreNoOtherBuckets(int $bucket): void
    {
        $this->expectException(\OutOfRangeException::class);
        Histogram::lowest($bucket);
    }

    /** @param list<int> $values */
    private static function of(array $values): Histogram
    {
        $histogram = new Histogram();
        foreach ($values as $value) {
            $histogram->record($value);
        }

        return $histogram;
    }
}
