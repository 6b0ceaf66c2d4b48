<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use Larder\Bench\Subject\Remembering;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;

/** One read of the key, as a request does it. Parameters: `life`, `window` and `compute` of Scenario. */
final readonly class OneRead implements Operations
{
    public function needs(): array
    {
        return [Remembering::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        // The first request makes the value.
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof Remembering);
        $scenario = Scenario::of($job);
        $key = \sprintf('%sstampede:%d', $job->prefix, $job->seed);
        $source = new SlowSource($key, $scenario, null, self::log($job->directory, $job), $worker);

        return new Step(static function () use ($subject, $key, $scenario, $source): int {
            $source->check($subject->remember($key, $source->compute(...), $scenario->freshness));

            return 0;
        });
    }

    public static function log(string $directory, Job $job): ComputeLog
    {
        return new ComputeLog(\sprintf('%s/computes-%s%d', $directory, rtrim($job->prefix, ':'), $job->seed));
    }
}
