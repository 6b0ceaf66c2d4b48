<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Statistics\Histogram;

/** What became of the requests that were due in a stretch of time. */
final class StageCount
{
    public int $right = 0;
    public int $errors = 0;
    public ?string $firstError = null;
    public readonly Histogram $latency;

    public function __construct()
    {
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
}
