<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Generator;
use InvalidArgumentException;
use Larder\Bench\Statistics\Distribution;
use Larder\Bench\Statistics\Histogram;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/** A stretch of time in which requests come at one rate, and what became of those that were due in it. */
final class Stage
{
    public int $right = 0;
    public int $errors = 0;
    public ?string $firstError = null;
    public readonly Histogram $latency;

    /** @param float $rate requests per second */
    public function __construct(public readonly float $seconds, public readonly float $rate)
    {
        if ($seconds <= 0.0 || $rate <= 0.0) {
            throw new InvalidArgumentException('A stage needs some seconds and a rate.');
        }
        $this->latency = new Histogram();
    }

    /**
     * When requests are due in some stages one after the other, no matter how long the earlier requests take.
     *
     * @param non-empty-list<self> $stages
     * @param bool                 $constant true: the same time between any two; false: exponential times, as between
     *                                       visitors who are independent of each other
     *
     * @return Generator<int, int> nanoseconds from the beginning, ascending
     */
    public static function times(array $stages, bool $constant, int $seed): Generator
    {
        $random = new Randomizer(new Xoshiro256StarStar($seed));
        $end = 0.0;
        foreach ($stages as $stage) {
            // Each stage starts afresh: an exponential wait has no memory, so the rest of the last one can be dropped.
            $time = $end;
            $end += $stage->seconds * 1e9;
            $gap = 1e9 / $stage->rate;
            while (($time += $constant ? $gap : Distribution::exponential($random, $gap)) < $end) {
                yield (int) $time;
            }
        }
    }

    /**
     * The stage in which a request is due at that time.
     *
     * @param non-empty-list<self> $stages one after the other
     */
    public static function at(array $stages, int $time): self
    {
        $end = 0.0;
        foreach ($stages as $stage) {
            $end += $stage->seconds * 1e9;
            if ($time < $end) {
                return $stage;
            }
        }

        return $stages[\count($stages) - 1];
    }

    public function count(int $due, int $end, ?string $error): void
    {
        if ($error === null) {
            ++$this->right;
            $this->latency->record($end - $due);
        } else {
            ++$this->errors;
            $this->firstError ??= $error;
        }
    }

    public function errorShare(): float
    {
        return $this->right + $this->errors === 0 ? 0.0 : $this->errors / ($this->right + $this->errors);
    }

    /** Nanoseconds: the percentile, or the longest latency if there are too few for a percentile. */
    public function percentile(float $share): float
    {
        return $this->latency->percentile($share) ?? (float) $this->latency->max();
    }
}
