<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Client;

use Larder\Bench\Check\Verifier;
use Larder\Bench\Subject\Counting;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;

/** Sets a counter to 1 (or another start, so that an answer of the round before shows), adds one three times, takes one three times. */
final readonly class Increase implements Operations
{
    public function needs(): array
    {
        return [Counting::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        // Every round sets its counter first.
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof Counting);
        $key = OwnKeys::of($job, $worker, 'counter')[0];
        $verifier = Verifier::of($job->checked);
        $turn = OwnKeys::firstGeneration($job);

        return new Step(static function () use ($subject, $key, $verifier, &$turn): int {
            $start = ++$turn % 1000 * 10 + 1;
            $subject->setCounter($key, $start);
            for ($more = 1; $more <= 3; ++$more) {
                $verifier->counter($key, $subject->increment($key), $start + $more);
            }
            for ($more = 2; $more >= 0; --$more) {
                $verifier->counter($key, $subject->decrement($key), $start + $more);
            }

            return 0;
        }, 7);
    }
}
