<?php

declare(strict_types=1);

namespace Larder\Bench\Statistics;

use DomainException;

/**
 * Counts latencies by their size, from 100 ns to 60 s, and is wrong by less than 1 % about any of them.
 *
 * Log-linear buckets as in G. Tene's HdrHistogram: each doubling has 64 buckets of one width, so a bucket is at most
 * 1/64 of its values wide and its middle at most 1/128 away. What is below or above the range counts in the first or
 * last bucket. The greatest value is exact.
 */
final class Histogram
{
    /** Nanoseconds. Below 128 every one has its own bucket. */
    private const LOWEST = 100;
    private const HIGHEST = 60_000_000_000;

    private const BUCKETS = 1868;

    /** A percentile with fewer samples beyond it is chance. */
    private const BEYOND = 10;

    /** @var array<int, int> one for each bucket */
    private array $counts;
    private int $max = 0;

    public function __construct()
    {
        // All of them, for an increment of what is not there costs a test.
        $this->counts = array_fill(0, self::BUCKETS, 0);
    }

    /**
     * Runs within the time that is measured, so it calls nothing and takes no loop.
     *
     * @param positive-int $count
     */
    public function record(int $nanoseconds, int $count = 1): void
    {
        if ($nanoseconds > $this->max) {
            $this->max = $nanoseconds;
        }
        // Halves it until it is below 128, by halving the number of halvings; each passes over 64 buckets.
        $bucket = -self::LOWEST;
        if ($nanoseconds >= 1 << 22) {
            if ($nanoseconds > self::HIGHEST) {
                $nanoseconds = self::HIGHEST;
            }
            $nanoseconds >>= 16;
            $bucket += 16 * 64;
        }
        if ($nanoseconds >= 1 << 14) {
            $nanoseconds >>= 8;
            $bucket += 8 * 64;
        }
        if ($nanoseconds >= 1 << 10) {
            $nanoseconds >>= 4;
            $bucket += 4 * 64;
        }
        if ($nanoseconds >= 1 << 8) {
            $nanoseconds >>= 2;
            $bucket += 2 * 64;
        }
        if ($nanoseconds >= 1 << 7) {
            $nanoseconds >>= 1;
            $bucket += 64;
        }
        $bucket += $nanoseconds;
        $this->counts[$bucket < 0 ? 0 : $bucket] += $count;
    }

    public function merge(self $other): void
    {
        foreach ($other->counts as $bucket => $count) {
            $this->counts[$bucket] += $count;
        }
        $this->max = max($this->max, $other->max);
    }

    public function count(): int
    {
        return array_sum($this->counts);
    }

    /** Nanoseconds; 0 without a sample. */
    public function max(): int
    {
        return $this->max;
    }

    /**
     * The sample that the given share of all are not above.
     *
     * @return float|null nanoseconds; null with fewer than ten samples beyond it
     *
     * @throws DomainException
     */
    public function percentile(float $share): ?float
    {
        if (!($share >= 0.0 && $share <= 1.0)) {
            throw new DomainException(\sprintf('A share must lie between 0 and 1, not %s.', $share));
        }
        $count = $this->count();
        // Rounded first: 0.07 * 100 is a little more than 7.
        $rank = max(1, (int) ceil(round($share * $count, 6)));
        if ($count - $rank < self::BEYOND) {
            return null;
        }
        foreach ($this->counts as $bucket => $here) {
            $rank -= $here;
            if ($rank <= 0) {
                return $this->middle($bucket);
            }
        }

        return null;
    }

    /** Nanoseconds, from the buckets' middles; null without a sample. */
    public function mean(): ?float
    {
        $sum = 0.0;
        foreach ($this->counts as $bucket => $count) {
            $sum += $count === 0 ? 0.0 : $count * $this->middle($bucket);
        }
        $count = $this->count();

        return $count === 0 ? null : $sum / $count;
    }

    /**
     * @return array{max: int, buckets: list<array{int, int}>} nanoseconds; a bucket's number and its count, ascending,
     *     without the empty ones
     */
    public function toArray(): array
    {
        $buckets = [];
        foreach ($this->counts as $bucket => $count) {
            if ($count !== 0) {
                $buckets[] = [$bucket, $count];
            }
        }

        return ['max' => $this->max, 'buckets' => $buckets];
    }

    /**
     * @param array<mixed> $json as toArray() gives it, from anywhere
     *
     * @throws DomainException
     */
    public static function fromArray(array $json): self
    {
        $max = $json['max'] ?? null;
        $buckets = $json['buckets'] ?? null;
        if (!\is_int($max) || $max < 0) {
            throw new DomainException('A histogram\'s "max" must be an integer from 0 on.');
        }
        if (!\is_array($buckets) || !array_is_list($buckets)) {
            throw new DomainException('A histogram\'s "buckets" must be a list.');
        }
        $histogram = new self();
        $histogram->max = $max;
        $last = -1;
        $all = 0;
        foreach ($buckets as $place => $pair) {
            if (
                !\is_array($pair)
                || !array_is_list($pair)
                || \count($pair) !== 2
                || !\is_int($pair[0])
                || !\is_int($pair[1])
            ) {
                throw new DomainException(
                    \sprintf('Item %d of a histogram\'s "buckets" must be a list of two integers.', $place),
                );
            }
            [$bucket, $count] = $pair;
            if ($bucket <= $last || $bucket >= self::BUCKETS) {
                throw new DomainException(
                    \sprintf(
                        'Bucket %d of a histogram must lie above the one before it and below %d.',
                        $bucket,
                        self::BUCKETS,
                    ),
                );
            }
            if ($count < 1 || $count > PHP_INT_MAX - $all) {
                throw new DomainException(
                    \sprintf('Bucket %d of a histogram has an impossible count, %d.', $bucket, $count),
                );
            }
            $histogram->counts[$bucket] = $count;
            $last = $bucket;
            $all += $count;
        }
        if ($last >= 0 ? !self::holds($last, $max) : $max !== 0) {
            throw new DomainException(\sprintf('A histogram\'s "max", %d, is not in its last bucket.', $max));
        }

        return $histogram;
    }

    /**
     * The least number of nanoseconds that counts in a bucket by its size.
     *
     * @param int $bucket 0 to the number of buckets, for which it gives the last one's end
     *
     * @throws \OutOfRangeException
     */
    public static function lowest(int $bucket): int
    {
        if ($bucket < 0 || $bucket > self::BUCKETS) {
            throw new \OutOfRangeException(\sprintf('There is no bucket %d.', $bucket));
        }
        $place = $bucket + self::LOWEST;
        $halvings = max(0, ($place >> 6) - 1);

        return ($place - 64 * $halvings) << $halvings;
    }

    private function middle(int $bucket): float
    {
        return min((float) $this->max, (self::lowest($bucket) + self::lowest($bucket + 1) - 1) / 2);
    }

    private static function holds(int $bucket, int $nanoseconds): bool
    {
        return ($bucket === 0 || $nanoseconds >= self::lowest($bucket))
            && ($bucket === self::BUCKETS - 1 || $nanoseconds < self::lowest($bucket + 1));
    }
}
