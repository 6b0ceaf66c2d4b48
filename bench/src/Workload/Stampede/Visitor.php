<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Statistics\Distribution;
use Larder\Bench\Statistics\Histogram;
use Larder\Bench\Subject\Exact;
use Larder\Bench\Subject\Remembering;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/** One worker: reads the key at moments of its own until the time is over, and looks at each reply. */
final readonly class Visitor
{
    public function __construct(
        private Remembering $subject,
        private string $key,
        private Course $course,
        private Board $board,
        private Origin $origin,
        private int $worker,
    ) {}

    /** Waits for the start, and begins. */
    public function visit(): Visits
    {
        $begin = $this->awaitBegin();
        $random = new Randomizer(new Xoshiro256StarStar($this->course->seed * 7919 + $this->worker));
        $gap = 1e9 / $this->course->pace;
        $end = $begin + (int) ($this->course->seconds * 1e9);
        $latency = new Histogram();
        $reads = $waited = $resurrected = $oldest = 0;
        $long = $this->course->compute / 2 * 1e9;
        $cpu = self::cpu();
        // With the cold key all come at once, else each at its own time.
        $due = $begin + ($this->course->fault === Fault::Cold ? 0.0 : Distribution::exponential($random, $gap));
        for (; $due < $end; $due += Distribution::exponential($random, $gap)) {
            usleep(max(0, intdiv((int) $due - hrtime(true), 1000)));
            $done = $this->board->get(Board::DONE);
            $computed = $this->origin->computed;
            $before = hrtime(true);
            $value = $this->subject->remember($this->key, $this->origin->compute(...), $this->course->freshness);
            $after = hrtime(true);
            [$generation, $made] = $this->origin->check($value);
            ++$reads;
            $oldest = max($oldest, $after - $made);
            $resurrected += $generation < $done ? 1 : 0;
            if ($generation < $done && $this->subject instanceof Exact) {
                throw new WrongReply(\sprintf('%s: generation %d, though it was changed to %d and deleted before', $this->key, $generation, $done));
            }
            if ($this->origin->computed === $computed) {
                $latency->record($after - $before);
                $waited += $after - $before > $long ? 1 : 0;
            }
        }

        return new Visits($reads, $this->origin->computed, $waited, $resurrected, $oldest / 1e9, self::cpu() - $cpu, $latency->toArray());
    }

    private function awaitBegin(): int
    {
        for (; ; usleep(1_000)) {
            $begin = $this->board->get(Board::BEGIN);
            if ($begin !== 0) {
                return $begin;
            }
        }
    }

    /** Microseconds of CPU of this process. */
    private static function cpu(): float
    {
        /** @var array<string, int>|false $usage */
        $usage = getrusage();

        return $usage === false ? 0.0 : ($usage['ru_utime.tv_sec'] + $usage['ru_stime.tv_sec']) * 1e6 + $usage['ru_utime.tv_usec'] + $usage['ru_stime.tv_usec'];
    }
}
