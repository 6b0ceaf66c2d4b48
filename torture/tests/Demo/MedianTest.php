<?php

declare(strict_types=1);

namespace Larder\Torture\Tests\Demo;

use InvalidArgumentException;
use Larder\Torture\Demo\Median;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(Median::class)]
final class MedianTest extends TestCase
{
    /**
     * Coverage as in tables of the sign test: 1 - 2 P(B < k), B binomial (n, 1/2).
     *
     * @return iterable<string, array{list<float>, float, float, float, float}>
     */
    public static function samples(): iterable
    {
        yield 'one' => [[7.0], 7.0, 7.0, 7.0, 0.0];
        yield 'two' => [[9.0, 5.0], 7.0, 5.0, 9.0, 0.5];
        yield 'five: no pair reaches 95 %' => [[5.0, 1.0, 4.0, 2.0, 3.0], 3.0, 1.0, 5.0, 0.9375];
        yield 'six: least to greatest' => [[6.0, 5.0, 4.0, 3.0, 2.0, 1.0], 3.5, 1.0, 6.0, 0.96875];
        yield 'ten: the second to the ninth' => [[10.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0], 5.5, 2.0, 9.0, 0.978515625];
        yield 'twelve: the third to the tenth' => [array_map(floatval(...), range(12, 1)), 6.5, 3.0, 10.0, 0.961425781];
        yield 'twenty: the sixth to the fifteenth' => [array_map(floatval(...), range(1, 20)), 10.5, 6.0, 15.0, 0.958610535];
        yield 'an outlier moves nothing' => [[1.0, 2.0, 3.0, 4.0, 1e9], 3.0, 1.0, 1e9, 0.9375];
    }

    /** @param list<float> $values */
    #[DataProvider('samples')]
    public function testOfKnownValues(array $values, float $median, float $low, float $high, float $confidence): void
    {
        $found = Median::of($values);

        self::assertSame([$median, $low, $high], [$found->value, $found->low, $found->high]);
        self::assertEqualsWithDelta($confidence, $found->confidence, 1e-8);
    }

    public function testThereIsNoneOfNothing(): void
    {
        $this->expectException(InvalidArgumentException::class);
        Median::of([]);
    }
}
