<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

use Larder\Bench\Check\Coverage;
use Larder\Bench\Result\Window;
use Larder\Bench\Statistics\Histogram;

/** What came of one window. Block and position in the Window are the runner's to fill in. */
final readonly class Measured
{
    /**
     * @param list<string>         $flags
     * @param array<string, float> $extra
     * @param string|null          $firstError of those that Window::$errors counts
     * @param float                $latencyOf  operations that each latency is of
     * @param Coverage|null        $coverage   null: the workload does not say what it checks, and the report says so
     */
    public function __construct(
        public Window $window,
        public Histogram $latency,
        public array $flags = [],
        public array $extra = [],
        public ?string $firstError = null,
        public ?Coverage $coverage = null,
        public float $latencyOf = 1.0,
    ) {}

    /** @param array<string, float> $extra beside what it has */
    public function with(array $extra): self
    {
        return new self(
            $this->window,
            $this->latency,
            $this->flags,
            [...$this->extra, ...$extra],
            $this->firstError,
            $this->coverage,
            $this->latencyOf,
        );
    }
}
