<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Statistics;

/**
 * What SciPy says of the samples: fixtures/make.py writes it.
 *
 * @phpstan-type Document array{
 *     'samples': array<string, list<float>>,
 *     'quantiles': list<array{sample: string, share: float, value: float}>,
 *     'medians': list<array{sample: string, median: float, mad: float|null}>,
 *     'ranks': list<array{n: int, confidence: float, ranks: array{int, int}|null}>,
 *     'median intervals': list<array{sample: string, confidence: float, interval: array{float, float}|null}>,
 *     'rank sums': list<array{a: string, b: string, method: string, p: float}>,
 *     'normals': list<array{z: float, tail: float}>,
 *     'zipfs': list<array{n: int, theta: float, shares: list<float>}>,
 *     'latency': array{values: list<int>, mean: float, percentiles: list<array{float, float}>},
 * }
 */
final class Fixtures
{
    /** @return Document */
    public static function read(): array
    {
        /** @var Document $document */
        $document = json_decode(
            (string) file_get_contents(__DIR__ . '/fixtures/fixtures.json'),
            true,
            16,
            JSON_THROW_ON_ERROR,
        );

        return $document;
    }

    /** @return list<float> */
    public static function sample(string $name): array
    {
        return self::read()['samples'][$name];
    }
}
