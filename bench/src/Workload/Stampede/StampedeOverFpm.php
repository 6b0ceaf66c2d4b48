<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use Larder\Bench\Server\Fpm;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Http\ClientTargets;
use Larder\Bench\Workload\Http\Pages;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Workload;

/**
 * The stampede behind nginx and php-fpm with many workers, which this test starts itself. Each connection plays a
 * visitor who asks again as soon as the last reply is there.
 *
 * Parameters: `connections` (200), `workers` (of php-fpm), and those of OneRead.
 */
final readonly class StampedeOverFpm implements Workload
{
    private Pages $pages;

    public function __construct()
    {
        $this->pages = new Pages(new ClientTargets(new OneRead(), true), false);
    }

    public function refuses(Definition $subject): ?string
    {
        return $this->pages->refuses($subject);
    }

    public function prepare(Job $job, Definition $subject): void
    {
        // Each window makes its value itself.
    }

    public function measure(Job $job, Definition $subject): Measured
    {
        $scenario = Scenario::of($job);
        $scripts = \dirname(__DIR__, 2) . '/Server/scripts';
        $fpm = new Fpm($job->directory . '/f' . getmypid(), $scripts, $scenario->workers, ini: $subject->ini);
        try {
            $measured = $this->pages->measure(
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
        $begun = OneRead::log($job->directory . '/client', $job)->begun();

        return new Measured(
            $measured->window,
            $measured->latency,
            $measured->flags,
            [...$measured->extra, ...ComputeLog::figures($begun, $scenario->apart())],
            $measured->firstError,
            $measured->coverage,
        );
    }
}
