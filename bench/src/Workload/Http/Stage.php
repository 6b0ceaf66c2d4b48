<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use InvalidArgumentException;
use Larder\Bench\Statistics\Histogram;

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
