<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Client;

use Larder\Bench\Subject\Collections;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;
use Larder\Bench\Workload\Verifier;

/** Deletes a list; four times pushes at its end, pushes at its beginning and pops that again. */
final readonly class ListOps implements Operations
{
    public function needs(): array
    {
        return [Collections::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        // Every round begins with a delete.
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof Collections);
        $key = OwnKeys::of($job, $worker, 'list')[0];
        $verifier = Verifier::for($subject);
        $turn = OwnKeys::firstGeneration($job);

        return new Step(static function () use ($subject, $key, $verifier, &$turn): int {
            ++$turn;
            $subject->delete($key);
            for ($number = 1; $number <= OwnKeys::COUNT; ++$number) {
                $verifier->counter($key, $subject->pushRight($key, "value:{$number}:{$turn}"), $number);
                $verifier->counter($key, $subject->pushLeft($key, "string:{$number}:{$turn}"), $number + 1);
                $verifier->text($key, $subject->popLeft($key), "string:{$number}:{$turn}");
            }

            return 0;
        }, 1 + 3 * OwnKeys::COUNT);
    }
}
