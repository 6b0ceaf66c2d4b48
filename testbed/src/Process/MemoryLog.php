<?php

declare(strict_types=1);

namespace Larder\Testbed\Process;

/** The memory of processes over time. */
final class MemoryLog
{
    /** @var array<int, non-empty-list<array{float, int}>> seconds and bytes by pid */
    private array $samples = [];

    /** @var array<int, string> by pid */
    private array $names = [];

    /** @var array<string, int> processes of a name */
    private array $same = [];
    private float $last = -INF;
    private int $fewest = PHP_INT_MAX;

    /**
     * @param float $settle   seconds whose samples are not in the slope
     * @param float $interval seconds between two samples at least
     */
    public function __construct(
        private readonly float $settle,
        private readonly float $interval,
    ) {}

    /** @param array<int, int> $bytes by pid */
    public function add(float $seconds, array $bytes): void
    {
        if ($seconds - $this->last < $this->interval) {
            return;
        }
        $this->last = $seconds;
        $this->fewest = min($this->fewest, \count($bytes));
        foreach ($bytes as $pid => $held) {
            $this->names[$pid] ??= $this->name($pid);
            $this->samples[$pid][] = [$seconds, $held];
        }
    }

    public function someEnded(): bool
    {
        return $this->fewest < \count($this->samples);
    }

    /** @return array<string, float> by name of the process and of the figure */
    public function figures(): array
    {
        $figures = [];
        $growth = 0.0;
        foreach ($this->samples as $pid => $samples) {
            $slope = $this->slope($samples);
            $growth += $slope;
            $figures[$this->names[$pid] . ', first MB'] = $samples[0][1] / 1e6;
            $figures[$this->names[$pid] . ', last MB'] = $samples[\count($samples) - 1][1] / 1e6;
            $figures[$this->names[$pid] . ', MB/h'] = $slope * 3600 / 1e6;
        }

        return [...$figures, 'all processes, MB/h' => $growth * 3600 / 1e6];
    }

    /**
     * The slope of the line through the samples by least squares.
     *
     * @param non-empty-list<array{float, int}> $samples
     *
     * @return float bytes per second
     */
    private function slope(array $samples): float
    {
        $settled = array_values(array_filter($samples, fn(array $sample): bool => $sample[0] >= $this->settle));
        $count = \count($settled);
        if ($count < 2) {
            return 0.0;
        }
        $times = array_column($settled, 0);
        $meanTime = array_sum($times) / $count;
        $meanBytes = array_sum(array_column($settled, 1)) / $count;
        $product = $square = 0.0;
        foreach ($settled as [$time, $bytes]) {
            $product += ($time - $meanTime) * ($bytes - $meanBytes);
            $square += ($time - $meanTime) ** 2;
        }

        return $square > 0.0 ? $product / $square : 0.0;
    }

    /** A name such as "nginx 2", since pids differ from run to run. */
    private function name(int $pid): string
    {
        $program = trim((string) @file_get_contents("/proc/{$pid}/comm"));
        $program = $program === '' ? 'process' : $program;
        $this->same[$program] = ($this->same[$program] ?? 0) + 1;

        return $program . ' ' . $this->same[$program];
    }
}
