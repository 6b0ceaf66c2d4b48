<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Client;

use Larder\Bench\Subject\Collections;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;
use Larder\Bench\Workload\Verifier;

/** Deletes two sets; four times adds a member to one, looks for it, moves it to the other and draws one from there. */
final readonly class SetOps implements Operations
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
        [$one, $other] = OwnKeys::of($job, $worker, 'set');
        $verifier = Verifier::for($subject);
        $old = $one . ': the new member was there already';
        $missing = $one . ': the member just added is not there';
        $gone = $one . ': the member to be moved is not there';
        $strange = $other . ': drew a member that was not moved there';
        $turn = OwnKeys::firstGeneration($job);

        return new Step(static function () use ($subject, $one, $other, $verifier, $old, $missing, $gone, $strange, &$turn): int {
            ++$turn;
            $subject->delete($one);
            $subject->delete($other);
            $moved = [];
            for ($number = 1; $number <= OwnKeys::COUNT; ++$number) {
                $member = "value:{$number}:{$turn}";
                $moved[$member] = true;
                $verifier->that($subject->add($one, $member), $old);
                $verifier->that($subject->holds($one, $member), $missing);
                $verifier->that($subject->move($one, $other, $member), $gone);
                $drawn = $subject->random($other);
                $verifier->that($drawn !== null && isset($moved[$drawn]), $strange);
            }

            return 0;
        }, 2 + 4 * OwnKeys::COUNT);
    }
}
