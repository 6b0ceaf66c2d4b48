<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Statistics;

use Larder\Bench\Statistics\Distribution;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

#[CoversClass(Distribution::class)]
final class DistributionTest extends TestCase
{
    private const DRAWS = 50_000;

    private Randomizer $random;

    protected function setUp(): void
    {
        $this->random = new Randomizer(new Xoshiro256StarStar(20240607));
    }

    /** By the distance of Kolmogorov and Smirnov, which exceeds 1.95 / sqrt(n) by chance once in a thousand times. */
    public function testTimesBetweenArrivalsAreExponential(): void
    {
        $values = [];
        for ($i = 0; $i < self::DRAWS; ++$i) {
            $values[] = Distribution::exponential($this->random, 250.0);
        }
        sort($values);
        $distance = 0.0;
        foreach ($values as $i => $value) {
            $distance = max($distance, abs(1 - exp(-$value / 250.0) - ($i + 0.5) / self::DRAWS));
        }
        self::assertGreaterThanOrEqual(0.0, $values[0]);
        self::assertLessThan(1.95 / sqrt(self::DRAWS), $distance);
        self::assertEqualsWithDelta(250.0, array_sum($values) / self::DRAWS, 4 * 250.0 / sqrt(self::DRAWS));
    }

    /**
     * By the chi-square sum, whose mean is its number of degrees of freedom, d, and whose variance is 2 d: so that it
     * is five standard errors above it never happens. What lies beyond the shares that the fixture has is one more
     * class.
     */
    public function testFrequenciesAreThoseOfScipy(): void
    {
        foreach (Fixtures::read()['zipfs'] as ['n' => $n, 'theta' => $theta, 'shares' => $shares]) {
            $zipf = Distribution::zipf($n, $theta);
            $least = $most = 0;
            $seen = array_fill(0, \count($shares) + 1, 0);
            for ($i = 0; $i < self::DRAWS; ++$i) {
                $next = $zipf->next($this->random);
                $least = min($least, $next);
                $most = max($most, $next);
                ++$seen[min($next, \count($shares))];
            }
            self::assertSame(0, $least);
            self::assertLessThan($n, $most);
            $shares[] = 1 - array_sum($shares);
            $sum = 0.0;
            foreach ($shares as $class => $share) {
                $expected = $share * self::DRAWS;
                $sum += $expected > 1e-6 ? ($seen[$class] - $expected) ** 2 / $expected : $seen[$class];
            }
            $degrees = max(1, \count($shares) - 1);
            self::assertLessThan($degrees + 5 * sqrt(2 * $degrees), $sum, "n = $n, theta = $theta");
        }
    }

    public function testAllOfALargeNumberAreReached(): void
    {
        $zipf = Distribution::zipf(1_000_000_000, 0.5);
        $most = 0;
        for ($i = 0; $i < 1000; ++$i) {
            $most = max($most, $zipf->next($this->random));
        }
        self::assertGreaterThan(900_000_000, $most);
        self::assertLessThan(1_000_000_000, $most);
    }

    #[TestWith([0, 0.99])]
    #[TestWith([10, -0.1])]
    #[TestWith([10, NAN])]
    #[TestWith([10, INF])]
    public function testWhatIsNoZipfDistributionIsRefused(int $n, float $theta): void
    {
        $this->expectException(\InvalidArgumentException::class);
        Distribution::zipf($n, $theta);
    }
}
