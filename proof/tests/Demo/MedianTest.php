<?php

declare(strict_types=1);

namespace Larder\Proof\Tests\Demo;

use InvalidArgumentException;
use Larder\Proof\Demo\Median;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(Median::class)]
final class MedianTest extends TestCase
{
    /** @return iterable<string, array{list<float>, float, float, float}> */
    public static function samples(): iterable
    {
        yield 'one' => [[7.0], 7.0, 7.0, 7.0];
        yield 'two' => [[9.0, 5.0], 7.0, 5.0, 9.0];
        yield 'five: no pair reaches 95 %' => [[5.0, 1.0, 4.0, 2.0, 3.0], 3.0, 1.0, 5.0];
        yield 'six: least to greatest' => [[6.0, 5.0, 4.0, 3.0, 2.0, 1.0], 3.5, 1.0, 6.0];
        yield 'ten: the second to the ninth' => [[10.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0], 5.5, 2.0, 9.0];
        yield 'twelve: the third to the tenth' => [array_map(floatval(...), range(12, 1)), 6.5, 3.0, 10.0];
        yield 'twenty: the sixth to the fifteenth' => [array_map(floatval(...), range(1, 20)), 10.5, 6.0, 15.0];
        yield 'an outlier moves nothing' => [[1.0, 2.0, 3.0, 4.0, 1e9], 3.0, 1.0, 1e9];
    }

    /** @param list<float> $values */
    #[DataProvider('samples')]
    public function testOfKnownValues(array $values, float $median, float $low, float $high): void
    {
        $found = Median::of($values);

        self::assertSame([$median, $low, $high], [$found->value, $found->low, $found->high]);
    }

    public function testThereIsNoneOfNothing(): void
    {
        $this->expectException(InvalidArgumentException::class);
        Median::of([]);
    }
}
