<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use Larder\Bench\Server\Fpm;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Remembering;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Http\ClientTargets;
use Larder\Bench\Workload\Http\Pages;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;
use Larder\Bench\Workload\Workload;

/**
 * The stampede behind nginx and php-fpm with many workers, which this test starts itself. Each connection plays a
 * visitor who asks again as soon as the last reply is there. A request connects and reads the one key.
 *
 * Parameters: `connections` (200), `workers` (of php-fpm), and `life`, `window` and `compute` of Scenario.
 */
final readonly class StampedeOverFpm implements Workload, Operations
{
    public function refuses(Definition $subject): ?string
    {
        return $this->pages()->refuses($subject);
    }

    public function prepare(Job $job, Definition $subject): void
    {
        // Each window makes its value itself.
    }

    public function measure(Job $job, Definition $subject): Measured
    {
        $scenario = Scenario::of($job);
        $scripts = \dirname(__DIR__, 3) . '/libexec/fpm';
        $fpm = new Fpm($job->directory . '/f' . getmypid(), $scripts, $scenario->workers, ini: $subject->ini);
        try {
            $measured = $this->pages()->measure(
                new Job(
                    $job->test,
                    $job->subject,
                    ['connections' => 200, ...$job->parameters],
                    $scenario->seconds,
                    $job->block,
                    $job->seed,
                    [...$job->endpoints, $fpm->endpoint()],
                    $job->directory,
                    $job->prefix,
                    $job->warmUp,
                    checked: $job->checked,
                ),
                $subject,
            );
        } finally {
            $fpm->stop();
        }
        // ClientTargets lets php-fpm write there.
        $begun = self::log($job->directory . '/client', $job)->begun();

        return new Measured(
            $measured->window,
            $measured->latency,
            $measured->flags,
            [...$measured->extra, ...ComputeLog::figures($begun, $scenario->apart())],
            $measured->firstError,
            $measured->coverage,
        );
    }

    public function needs(): array
    {
        return [Remembering::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        // The first request makes the value.
    }

    /** One read of the key, in a worker of php-fpm. */
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

    private function pages(): Pages
    {
        return new Pages(new ClientTargets($this, true), false);
    }

    private static function log(string $directory, Job $job): ComputeLog
    {
        return new ComputeLog(\sprintf('%s/computes-%s%d', $directory, rtrim($job->prefix, ':'), $job->seed));
    }
}
