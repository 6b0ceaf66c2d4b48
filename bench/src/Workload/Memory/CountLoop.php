<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Counting;
use Larder\Bench\Subject\RepeatedWrites;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;

/** Increments in a loop inside the subject, each worker its own counter. The sum is checked after each step. */
final readonly class CountLoop implements Operations
{
    private const TIMES = 1024;

    public function needs(): array
    {
        return [Counting::class, RepeatedWrites::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        // Each worker sets its counter first.
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof Counting && $subject instanceof RepeatedWrites);
        $key = $job->ownKeys($worker, 'count', 1)[0];
        $isChecked = $job->checked;
        $sum = $steps = 0;
        $subject->setCounter($key, $sum);
        $run = static function () use ($subject, $key, $isChecked, &$sum, &$steps): int {
            $sum += self::TIMES;
            ++$steps;
            $answer = $subject->incrementRepeatedly($key, self::TIMES);
            if ($answer !== $sum && $isChecked) {
                throw new WrongReply(\sprintf('%s: %d after it came to %d', $key, $answer, $sum));
            }

            return 0;
        };

        return new Step($run, self::TIMES, static function () use (&$steps): int {
            return $steps;
        }, 'the last sum of each step');
    }
}
