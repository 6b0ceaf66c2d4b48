<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Result\Window;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Workload\Job;
use Larder\Testbed\Server\Cpu;

/** One open loop through some stages, and what came of each of them. */
final class OpenRun
{
    /** Parts of the watched stage. */
    private const SLICES = 8;

    /** @var non-empty-list<StageCount> */
    public readonly array $stages;

    /** @var array<int, int> right replies in equal parts of the watched stage, by when they came */
    private array $slices;

    /** Of the watched stage, by when they came. */
    private int $right = 0;
    private int $errors = 0;

    /** Microseconds in it. */
    private float $clientCpu = 0.0;
    private float $serverCpu = 0.0;
    private float $otherCpu = 0.0;

    private readonly float $first;
    private readonly float $last;
    private ?Histogram $lag = null;

    /**
     * @param int $watched stage whose CPU is counted, without its first and last tenth
     */
    public function __construct(
        private readonly Target $target,
        private readonly Arrivals $arrivals,
        int $watched,
    ) {
        $this->stages = array_map(static fn(array $stage): StageCount => new StageCount(), $arrivals->stages);
        $this->slices = array_fill(0, self::SLICES, 0);
        $before = array_sum(\array_slice(array_column($arrivals->stages, 0), 0, $watched)) * 1e9;
        $length = $arrivals->stages[$watched][0] * 1e9;
        $this->first = $before + $length / 10;
        $this->last = $before + $length * 0.9;
    }

    /**
     * @param \Closure(int, int, string|null): void|null $sink also told of each request: due, ended, error
     *
     * @return $this
     */
    public function run(int $connections, float $timeout, ?\Closure $sink = null): self
    {
        $marks = [];
        $loop = new OpenLoop($this->target, $connections, $timeout);
        $loop->run(
            $this->arrivals,
            function (int $due, int $end, ?string $error) use ($sink): void {
                $this->stages[$this->arrivals->stage($due)]->count($due, $end, $error);
                $this->watch($end, $error);
                if ($sink !== null) {
                    $sink($due, $end, $error);
                }
            },
            function (int $now) use (&$marks): void {
                if ($now >= (\count($marks) === 0 ? $this->first : $this->last) && \count($marks) < 2) {
                    $marks[] = [$now, self::own(), Cpu::of($this->target->servers), Cpu::of($this->target->clients)];
                }
            },
        );
        $this->lag = $loop->lag();
        if (\count($marks) === 2) {
            $part = ($this->last - $this->first) / ($marks[1][0] - $marks[0][0]);
            $this->clientCpu = ($marks[1][1] - $marks[0][1]) * $part;
            $this->serverCpu = ($marks[1][2] - $marks[0][2]) * $part;
            $this->otherCpu = ($marks[1][3] - $marks[0][3]) * $part;
        }

        return $this;
    }

    /** @return float microseconds that the generator itself was late for one request in a hundred */
    public function lag(): float
    {
        return ($this->lag?->percentile(0.99) ?? 0.0) / 1e3;
    }

    public function window(Job $job, float $offered): Window
    {
        return new Window(
            $job->block,
            0,
            ($this->last - $this->first) / 1e9,
            $this->right,
            $this->errors,
            $this->right * \strlen($this->target->body),
            $this->target->clients === [] ? $this->clientCpu : $this->otherCpu,
            $this->serverCpu,
            [$this->right],
            array_values($this->slices),
            true,
            $offered,
        );
    }

    private function watch(int $end, ?string $error): void
    {
        if ($end < $this->first || $end >= $this->last) {
            return;
        }
        if ($error !== null) {
            ++$this->errors;

            return;
        }
        ++$this->right;
        ++$this->slices[min(
            self::SLICES - 1,
            (int) (($end - $this->first) / ($this->last - $this->first) * self::SLICES),
        )];
    }

    private static function own(): float
    {
        /** @var array<string, int>|false $usage */
        $usage = getrusage();

        return $usage === false
            ? 0.0
            : ($usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec']) * 1e6 + $usage['ru_utime.tv_usec']
                + $usage['ru_stime.tv_usec'];
    }
}
