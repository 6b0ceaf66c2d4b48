<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Closure;
use Larder\Bench\Result\Window;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Workload\Job;
use Larder\Testbed\Load\Target;
use Larder\Testbed\Server\Cpu;

/** One run of an open loop. It counts per stage, and makes a window of one stage without its first and last tenth. */
final class OpenRun
{
    /** The watched stage is counted in this many equal parts. */
    private const SLICES = 8;

    /** @var array<int, int> right replies in each part, by when they came */
    private array $slices;

    private int $right = 0;
    private int $errors = 0;

    /** Microseconds of CPU: of this process, of the servers, and of the client under test. */
    private float $ownCpu = 0.0;
    private float $serverCpu = 0.0;
    private float $clientCpu = 0.0;

    /** Nanoseconds from the beginning: the ends of the window. */
    private readonly float $first;
    private readonly float $last;
    private ?Histogram $lag = null;

    /** @param int $watched number of the stage, from 0 */
    public function __construct(
        private readonly Target $target,
        public readonly Arrivals $arrivals,
        int $watched,
    ) {
        $this->slices = array_fill(0, self::SLICES, 0);
        $lengths = array_map(static fn(Stage $stage): float => $stage->seconds * 1e9, $arrivals->stages);
        $before = array_sum(\array_slice($lengths, 0, $watched));
        $this->first = $before + $lengths[$watched] / 10;
        $this->last = $before + $lengths[$watched] * 0.9;
    }

    /**
     * @param Closure(int, int, string|null): void|null $sink gets of each request when it was due, when it ended and
     *                                                        its error
     *
     * @return $this
     */
    public function run(int $connections, float $timeout, ?Closure $sink = null): self
    {
        $marks = [];
        $loop = new OpenLoop($this->target, $connections, $timeout);
        $loop->run(
            $this->arrivals->times(),
            function (int $due, int $end, ?string $error) use ($sink): void {
                $this->arrivals->stage($due)->count($due, $end, $error);
                $this->watch($end, $error);
                if ($sink !== null) {
                    $sink($due, $end, $error);
                }
            },
            function (int $now) use (&$marks): void {
                if (\count($marks) < 2 && $now >= ($marks === [] ? $this->first : $this->last)) {
                    $target = $this->target;
                    $marks[] = [$now, Cpu::own(), Cpu::of($target->servers), Cpu::of($target->clients)];
                }
            },
        );
        $this->lag = $loop->lag();
        if (\count($marks) === 2) {
            // The marks are set a little late. The share of the window is what counts.
            $part = ($this->last - $this->first) / ($marks[1][0] - $marks[0][0]);
            $this->ownCpu = ($marks[1][1] - $marks[0][1]) * $part;
            $this->serverCpu = ($marks[1][2] - $marks[0][2]) * $part;
            $this->clientCpu = ($marks[1][3] - $marks[0][3]) * $part;
        }

        return $this;
    }

    /** @return float microseconds by which the generator itself was late for one request in a hundred */
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
            $this->target->clients === [] ? $this->ownCpu : $this->clientCpu,
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
        $slice = (int) (($end - $this->first) / ($this->last - $this->first) * self::SLICES);
        ++$this->slices[min(self::SLICES - 1, $slice)];
    }
}
