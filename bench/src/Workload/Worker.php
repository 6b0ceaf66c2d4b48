<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

use Closure;
use Larder\Bench\Check\Coverage;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Statistics\Distribution;
use Larder\Bench\Statistics\Histogram;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/** The loop of one worker: warm-up, start signal, window. */
final readonly class Worker
{
    private const SLICES = 8;

    /** Rates this close are the same, for a warm-up. */
    private const STEADY = 0.05;

    /** Nanoseconds that a sleep may end late: the rest of a wait is spent looking at the clock. */
    private const LATE = 80_000;

    public function __construct(
        private Step $step,
        private Job $job,
        private int $worker,
    ) {}

    /** @param Closure(): ?int $turn see Workers */
    public function work(Closure $turn): WorkerResult
    {
        [$steady, $rate] = $this->warmUp();
        $load = $this->job->float('load', 0.0);
        $latency = new Histogram();
        $result = null;
        while (($begin = $turn()) !== null) {
            while (hrtime(true) < $begin);
            if ($this->job->traced > 0) {
                $done = $this->traced();
            } elseif ($load > 0.0) {
                $done = $this->openLoop($begin, $steady, $rate * $load, $latency);
            } else {
                $done = $this->closedLoop($begin, $steady, $latency);
            }
            $result = $done->after($result);
        }

        return $result ?? throw new Failed('no turn was asked for');
    }

    /**
     * Three parts in a row at the same rate, or the time is over.
     *
     * @return array{bool, float} whether it is steady, and operations per second at the end
     */
    private function warmUp(): array
    {
        $run = $this->step->run;
        $part = (int) min(50e6, max(10e6, $this->job->warmUp * 1e9 / 8));
        $rates = [];
        $deadline = hrtime(true) + (int) ($this->job->warmUp * 1e9);
        do {
            $count = 0;
            $begin = hrtime(true);
            do {
                $run();
                ++$count;
                $now = hrtime(true);
            } while ($now - $begin < $part);
            $rates[] = $count / ($now - $begin);
            $last = \array_slice($rates, -3);
            $steady = \count($last) === 3 && max($last) - min($last) <= self::STEADY * min($last);
        } while (!$steady && $now < $deadline);

        return [$steady, array_sum($last) / \count($last) * 1e9 * $this->step->operations];
    }

    /** The call that marks begin and end is one that PHP does not make by itself and does not keep the answer of. */
    private function traced(): WorkerResult
    {
        $run = $this->step->run;
        $parent = posix_getppid();
        for ($step = 0; $step < $this->job->traced; ++$step) {
            $run();
        }
        if (posix_getppid() !== $parent) {
            throw new Failed('the process that waits for this one is gone');
        }

        return new WorkerResult(
            1.0,
            $this->job->traced * $this->step->operations,
            0,
            0.0,
            0.0,
            [],
            true,
            (new Histogram())->toArray(),
        );
    }

    /** The next operation starts when the last one has ended: what the most is, and what it costs. */
    private function closedLoop(int $begin, bool $steady, Histogram $latency): WorkerResult
    {
        $run = $this->step->run;
        $length = $this->turn();
        $kept = intdiv($length * 8, 10);
        $rest = new Histogram();
        $now = hrtime(true);
        for ($lead = $begin + intdiv($length, 10); $now < $lead; $now = $after) {
            $run();
            $after = hrtime(true);
            $rest->record($after - $now);
        }

        $count = $bytes = $slice = 0;
        $slices = array_fill(0, self::SLICES, 0);
        $first = $now;
        $boundary = $first + intdiv($kept, self::SLICES);
        $checked = $this->checked();
        $cpu = self::cpu();
        while ($slice < self::SLICES) {
            $bytes += $run();
            $after = hrtime(true);
            $latency->record($after - $now);
            $now = $after;
            ++$count;
            while ($now >= $boundary && $slice < self::SLICES) {
                $slices[$slice++] = $count;
                $boundary += intdiv($kept, self::SLICES);
            }
        }
        $cpu = self::cpu() - $cpu;
        $coverage = $this->coverage($count, $checked);
        $last = $now;

        // The others still count: they shall have the same company until their windows end.
        for ($end = $begin + $length; $now < $end; $now = hrtime(true)) {
            $run();
        }

        return $this->result($last - $first, $count, $bytes, $cpu, 0.0, $slices, $steady, $latency, $coverage);
    }

    /** Operations start when they are due, and are late from then on, however long the ones before took. */
    private function openLoop(int $begin, bool $steady, float $rate, Histogram $latency): WorkerResult
    {
        $run = $this->step->run;
        $length = $this->turn();
        $kept = intdiv($length * 8, 10);
        $random = new Randomizer(new Xoshiro256StarStar($this->job->seed + $this->worker));
        $constant = $this->job->string('arrivals', 'exponential') === 'constant';
        $gap = $this->step->operations / max($rate, 1e-3) * 1e9;
        $slices = array_fill(0, self::SLICES, 0);
        $count = $bytes = 0;
        $first = $begin + intdiv($length, 10);
        $last = $first + $kept;
        $cpu = null;
        $checked = 0;
        for ($due = (float) $begin; $due < $last; $due += $constant ? $gap : Distribution::exponential($random, $gap)) {
            $this->waitUntil((int) $due);
            if ($cpu === null && $due >= $first) {
                $cpu = self::cpu();
                $checked = $this->checked();
            }
            $moved = $run();
            $now = hrtime(true);
            if ($due >= $first) {
                $latency->record($now - (int) $due);
                ++$count;
                $bytes += $moved;
                ++$slices[min(self::SLICES - 1, intdiv(((int) $due - $first) * self::SLICES, $kept))];
            }
            if ($now > $begin + 3 * $length) {
                break;
            }
        }
        $ended = max($last, (int) hrtime(true));

        return $this->result(
            $ended - $first,
            $count,
            $bytes,
            self::cpu() - ($cpu ?? self::cpu()),
            $rate,
            self::running($slices),
            $steady,
            $latency,
            $this->coverage($count, $checked),
        );
    }

    private function waitUntil(int $due): void
    {
        $left = $due - hrtime(true) - self::LATE;
        if ($left > 0) {
            usleep(intdiv($left, 1000));
        }
        while (hrtime(true) < $due);
    }

    /** @param array<int, int> $slices operations of the window up to the end of each */
    private function result(
        int $nanoseconds,
        int $steps,
        int $bytes,
        float $cpu,
        float $offered,
        array $slices,
        bool $steady,
        Histogram $latency,
        Coverage $coverage,
    ): WorkerResult {
        $each = [];
        $before = 0;
        foreach ($slices as $until) {
            $each[] = ($until - $before) * $this->step->operations;
            $before = $until;
        }
        $each = $this->job->turns > 1 ? [array_sum($each)] : $each;

        return new WorkerResult(
            $nanoseconds / 1e9,
            $steps * $this->step->operations,
            $bytes,
            $cpu,
            $offered,
            $each,
            $steady,
            $latency->toArray(),
            coverage: $coverage,
        );
    }

    /** @return int nanoseconds of a turn */
    private function turn(): int
    {
        return (int) ($this->job->seconds * 1e9 / $this->job->turns);
    }

    private function checked(): int
    {
        return $this->step->checked === null ? 0 : ($this->step->checked)();
    }

    /** @param int $before what checked() gave before the first of the steps */
    private function coverage(int $steps, int $before): Coverage
    {
        $replies = $steps * $this->step->operations;

        return match (true) {
            !$this->job->checked => Coverage::none($replies),
            $this->step->checked === null => Coverage::every($replies, $this->step->how),
            default => new Coverage($replies, $this->checked() - $before, $this->step->how),
        };
    }

    /**
     * @param array<int, int> $slices
     *
     * @return list<int>
     */
    private static function running(array $slices): array
    {
        $sum = 0;

        return array_values(array_map(static function (int $count) use (&$sum): int {
            return $sum += $count;
        }, $slices));
    }

    /** Microseconds of CPU of this process, user and system. */
    private static function cpu(): float
    {
        /** @var array<string, int>|false $usage */
        $usage = getrusage();

        return $usage === false
            ? 0.0
            : ($usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec']) * 1e6 + $usage['ru_utime.tv_usec']
                + $usage['ru_stime.tv_usec'];
    }
}
