<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Memory;

use Larder\Bench\Subject\Repeating;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;

/** Gets that follow one another as closely as they can. Parameter: `value` (rows), which a subject made for one kind overrules. */
final readonly class HotGet implements Operations
{
    public function needs(): array
    {
        return [Repeating::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        \assert($subject instanceof Repeating);
        Loop::fill($subject, $job->prefix, self::value($subject, $job));
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof Repeating);

        return Loop::step($subject, $job->prefix, self::value($subject, $job), $job->seed + $worker, $job->checked);
    }

    private static function value(Subject $subject, Job $job): Value
    {
        return $subject instanceof OneValue ? $subject->value : Value::of($job);
    }
}
