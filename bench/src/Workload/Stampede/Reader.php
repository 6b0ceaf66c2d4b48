<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Statistics\Distribution;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Subject\Remembering;
use Larder\Bench\Workload\WorkerResult;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Server\Cpu;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * One worker: it reads the key at random moments until the time is over, and checks each reply.
 *
 * Its result has the latencies of the reads that did not compute, and these figures: `waited`, reads that took longer
 * than half a compute and did not compute; `resurrected`, replies older than a change that was announced before the
 * read; `oldest`, seconds since the oldest value that it got was made.
 */
final readonly class Reader
{
    public function __construct(
        private Remembering $subject,
        private string $key,
        private Scenario $scenario,
        private Board $board,
        private SlowSource $source,
        private int $worker,
        private bool $isExact,
    ) {}

    /** Waits for the start, then reads. */
    public function run(): WorkerResult
    {
        $begin = $this->awaitBegin();
        $random = new Randomizer(new Xoshiro256StarStar($this->scenario->seed * 7919 + $this->worker));
        $gap = 1e9 / $this->scenario->pace;
        $end = $begin + (int) ($this->scenario->seconds * 1e9);
        $latency = new Histogram();
        $reads = $waited = $resurrected = $oldest = 0;
        $long = $this->scenario->compute / 2 * 1e9;
        $cpu = Cpu::own();
        // All read a cold key at the same moment; otherwise each has its own moments.
        $due = $begin + ($this->scenario->fault === Scenario::COLD ? 0.0 : Distribution::exponential($random, $gap));
        for (; $due < $end; $due += Distribution::exponential($random, $gap)) {
            usleep(max(0, intdiv((int) $due - hrtime(true), 1000)));
            $announced = $this->board->get(Stampede::ANNOUNCED);
            $computed = $this->source->computed;
            $before = hrtime(true);
            $value = $this->subject->remember($this->key, $this->source->compute(...), $this->scenario->freshness);
            $after = hrtime(true);
            [$generation, $made] = $this->source->check($value);
            ++$reads;
            $oldest = max($oldest, $after - $made);
            if ($generation < $announced) {
                $this->mustNotPromise($generation, $announced);
                ++$resurrected;
            }
            if ($this->source->computed === $computed) {
                $latency->record($after - $before);
                $waited += $after - $before > $long ? 1 : 0;
            }
        }
        $cpu = Cpu::own() - $cpu;

        return new WorkerResult($this->scenario->seconds, $reads, 0, $cpu, 0.0, [], true, $latency->toArray(), [
            'waited' => (float) $waited,
            'resurrected' => (float) $resurrected,
            'oldest' => $oldest / 1e9,
        ]);
    }

    /** @throws WrongReply if the subject promises that no such reply comes */
    private function mustNotPromise(int $generation, int $announced): void
    {
        if ($this->isExact) {
            $message = '%s: generation %d, though it was changed to %d and deleted before';
            throw new WrongReply(\sprintf($message, $this->key, $generation, $announced));
        }
    }

    private function awaitBegin(): int
    {
        // Hundreds of workers wait here. If they looked more often, they would keep those busy that still start.
        for (; ; usleep(20_000)) {
            $begin = $this->board->get(Stampede::BEGIN);
            if ($begin !== 0) {
                return $begin;
            }
        }
    }
}
