<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

use Larder\Bench\Check\Coverage;
use Larder\Bench\Result\Cell;
use Larder\Bench\Result\CellState;
use Larder\Bench\Result\Window;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Workload\Measured;
use Larder\Testbed\Quantile;

/** What is known so far of one subject in one chart. */
final class CellRecord
{
    private CellState $state = CellState::Measured;
    private ?string $error = null;
    private ?Coverage $coverage = null;
    private int $samples = 0;

    /** That the samples are of. */
    private float $operations = 0.0;

    /** @var list<Window> */
    private array $windows = [];
    private readonly Histogram $latency;

    /** @var array<string, int> how often each flag was raised */
    private array $flags = [];

    /** @var array<string, list<float>> */
    private array $extra = [];

    public function __construct(private readonly string $subject)
    {
        $this->latency = new Histogram();
    }

    public function goesOn(): bool
    {
        return $this->state === CellState::Measured;
    }

    public function add(Measured $measured, int $block, int $position): void
    {
        $window = $measured->window;
        $this->windows[] = new Window(
            $block,
            $position,
            $window->seconds,
            $window->operations,
            $window->errors,
            $window->bytes,
            $window->clientCpu,
            $window->serverCpu,
            $window->workers,
            $window->slices,
            $window->steady,
            $window->offered,
        );
        $this->latency->merge($measured->latency);
        foreach ([...$measured->flags, ...($window->steady ? [] : ['unsteady'])] as $flag) {
            $this->flags[$flag] = ($this->flags[$flag] ?? 0) + 1;
        }
        foreach ($measured->extra as $name => $figure) {
            $this->extra[$name][] = $figure;
        }
        $this->error ??= $measured->firstError;
        $this->samples += $measured->latency->count();
        $this->operations += $measured->latencyOf * $measured->latency->count();
        $this->coverage = $measured->coverage?->plus($this->coverage ?? new Coverage(0, 0));
    }

    /** @param array<string, float> $extra */
    public function note(array $extra): void
    {
        foreach ($extra as $name => $figure) {
            $this->extra[$name] = [$figure];
        }
    }

    public function absent(string $why): void
    {
        $this->end(CellState::Absent, $why);
        $this->windows = [];
    }

    public function fail(string $error): void
    {
        $this->end(CellState::Failed, $error);
    }

    /** A number beside a wrong answer would be read as a result: there is none. */
    public function void(string $error): void
    {
        $this->end(CellState::Wrong, $error);
        $this->windows = [];
        $this->extra = [];
    }

    public function cell(): Cell
    {
        if ($this->state === CellState::Measured && $this->windows === []) {
            $this->fail('not measured: the run ended before');
        }
        $flags = [];
        foreach ($this->flags as $flag => $times) {
            $flags[] = $times === \count($this->windows)
                ? $flag
                : \sprintf('%s in %d of %d windows', $flag, $times, \count($this->windows));
        }

        return new Cell(
            $this->subject,
            $this->state,
            $this->error,
            $flags,
            $this->windows,
            $this->state === CellState::Wrong ? new Histogram() : $this->latency,
            array_map(Quantile::median(...), $this->extra),
            $this->state === CellState::Wrong ? null : $this->coverage,
            $this->samples === 0 ? 1.0 : $this->operations / $this->samples,
        );
    }

    private function end(CellState $state, string $error): void
    {
        $this->state = $state;
        $this->error = $error;
    }
}
