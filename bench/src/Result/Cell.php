<?php

declare(strict_types=1);

namespace Larder\Bench\Result;

use Larder\Bench\Check\Coverage;
use Larder\Bench\Statistics\Histogram;
use Larder\Testbed\Quantile;

/** One subject in one chart. */
final readonly class Cell
{
    /**
     * @param string|null $error the first error's text; set unless the state is Measured (and may be set then: see
     *     Window::$errors)
     * @param list<string>         $flags   things a reader must know: "unsteady in 3 of 10 windows", "bandwidth-bound"
     * @param list<Window>         $windows in the order of the blocks
     * @param array<string, float> $extra further figures by name, the unit in it: "syscalls per operation", "connect
     *     us"
     * @param Coverage|null        $coverage of the replies; null: the run did not say
     * @param float                $latencyOf operations that each latency is of: those of a step
     */
    public function __construct(
        public string $subject,
        public CellState $state,
        public ?string $error,
        public array $flags,
        public array $windows,
        public Histogram $latency,
        public array $extra = [],
        public ?Coverage $coverage = null,
        public float $latencyOf = 1.0,
    ) {}

    public function isMeasured(): bool
    {
        return $this->state === CellState::Measured && $this->windows !== [];
    }

    /** Operations per second of all workers together. */
    public function rate(): ?Interval
    {
        return $this->over(static fn(Window $window): float => $window->rate());
    }

    /** Operations per second that one worker saw, the mean over the workers. */
    public function ratePerWorker(): ?Interval
    {
        return $this->over(static fn(Window $window): float => $window->rate() / max(1, \count($window->workers)));
    }

    /** Microseconds of CPU per operation, of the workers. */
    public function clientCpu(): ?Interval
    {
        return $this->over(
            static fn(Window $window): ?float => $window->operations === 0
                ? null
                : $window->clientCpu / $window->operations,
        );
    }

    /** Microseconds of CPU per operation, of the servers. */
    public function serverCpu(): ?Interval
    {
        return $this->over(
            static fn(Window $window): ?float => $window->operations === 0
                ? null
                : $window->serverCpu / $window->operations,
        );
    }

    /** Millions of payload bytes per second. */
    public function megabytes(): ?Interval
    {
        return $this->over(static fn(Window $window): float => $window->bytes / $window->seconds / 1e6);
    }

    /** Share of the operations that ended in an error, 0 to 1. */
    public function errorShare(): float
    {
        $errors = array_sum(array_map(static fn(Window $window): int => $window->errors, $this->windows));
        $all = $errors + array_sum(array_map(static fn(Window $window): int => $window->operations, $this->windows));

        return $all === 0 ? 0.0 : $errors / $all;
    }

    /**
     * Microseconds of one operation that the given share stayed below; null with fewer than ten samples beyond it.
     * Where a step has several operations it is the mean over the step: see $latencyOf.
     */
    public function percentile(float $share): ?float
    {
        $nanoseconds = $this->latency->percentile($share);

        return $this->state !== CellState::Measured || $nanoseconds === null
            ? null
            : $nanoseconds / 1e3 / max(1.0, $this->latencyOf);
    }

    /** Spread of the rate between the blocks' processes: the median distance from the median, as a share of it. */
    public function spreadBetween(): ?float
    {
        return Quantile::relativeMad(array_map(static fn(Window $window): float => $window->rate(), $this->windows));
    }

    /** The same within one process, between the slices of a window: the median over the windows. */
    public function spreadWithin(): ?float
    {
        $spreads = array_map(
            static fn(Window $window): ?float => Quantile::relativeMad(array_map(floatval(...), $window->slices)),
            $this->windows,
        );
        $known = array_values(array_filter($spreads, is_float(...)));

        return $known === [] ? null : Quantile::median($known);
    }

    /** @param callable(Window): ?float $figure */
    private function over(callable $figure): ?Interval
    {
        return $this->isMeasured()
            ? Interval::of(array_values(array_filter(array_map($figure, $this->windows), is_float(...))))
            : null;
    }
}
