<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\ManyKeys;

use InvalidArgumentException;
use Larder\Testbed\Value\SealedBytes;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/** How long the values are. Every key of a cell keeps its length, in all processes. */
final readonly class ValueSizes
{
    /** Values of the source: 50, of 0 to 49 thousand bytes. */
    public const SOURCE_KEYS = 50;
    private const SOURCE_STEP = 1000;

    /**
     * What template variables, rows and small fragments are: half of them below 300 bytes, one in twenty above 1,500.
     */
    private const WEB_MEDIAN = 300.0;
    private const WEB_SPREAD = 1.0;
    private const WEB_MOST = 100_000;

    private const SMALL = 32;

    /** What the client's goals are stated for. */
    private const EVEN_LEAST = 100;
    private const EVEN_MOST = 400;

    /**
     * @param string $set source, small, even (100 to 400 bytes) or web
     *
     * @return non-empty-list<int>
     */
    public static function of(string $set, int $count): array
    {
        $length = match ($set) {
            // The source's first value, 16 bytes, could not prove anything: it is as long as a sealed one has to be.
            'source' => static fn(int $i): int => max(
                SealedBytes::SHORTEST,
                ($i % self::SOURCE_KEYS) * self::SOURCE_STEP,
            ),
            'small' => static fn(): int => self::SMALL,
            'even' => static fn(int $i): int => self::EVEN_LEAST + $i * 37 % (self::EVEN_MOST - self::EVEN_LEAST + 1),
            'web' => self::logNormal(),
            default => throw new InvalidArgumentException(
                \sprintf('values must be source, small, even or web, not %s', $set),
            ),
        };

        return array_map($length, range(0, max(1, $count) - 1));
    }

    /** @return callable(): int */
    private static function logNormal(): callable
    {
        // Not the window's seed: what the first process stores the others must know.
        $random = new Randomizer(new Xoshiro256StarStar(300));

        return static function () use ($random): int {
            $uniform = static fn(): float => $random->getInt(1, 1 << 52) / (1 << 52);
            $normal = sqrt(-2.0 * log($uniform())) * cos(2.0 * M_PI * $uniform());

            return (int) min(
                self::WEB_MOST,
                max(SealedBytes::SHORTEST, self::WEB_MEDIAN * exp(self::WEB_SPREAD * $normal)),
            );
        };
    }
}
