<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use Larder\Bench\Server\Fpm;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Http\ClientSource;
use Larder\Bench\Workload\Http\Pages;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Workload;

/**
 * The same under nginx and a php-fpm of its own with many workers, asked by as many connections as there are visitors, each of which
 * asks again as soon as it was answered. Parameters: `connections` (200), `workers` (of php-fpm), and those of OneRead.
 */
final readonly class StampedeOverFpm implements Workload
{
    private Pages $pages;

    public function __construct()
    {
        $this->pages = new Pages(new ClientSource(new OneRead(), true), false);
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
        $course = Course::of($job);
        $fpm = new Fpm($job->directory . '/f' . getmypid(), \dirname(__DIR__, 2) . '/Server/scripts', $course->workers, ini: $subject->ini);
        try {
            $measured = $this->pages->measure(
                new Job($job->test, $job->subject, ['connections' => 200, ...$job->parameters], $course->seconds, $job->block, $job->seed, [...$job->endpoints, $fpm->endpoint()], $job->directory, $job->prefix, $job->warmUp, checked: $job->checked),
                $subject,
            );
        } finally {
            $fpm->stop();
        }
        // The directory that ClientSource has php-fpm write to.
        $begun = OneRead::log($job->directory . '/client', $job)->begun();

        return new Measured($measured->window, $measured->latency, $measured->flags, [...$measured->extra, ...(new Expiries($begun, $course->apart()))->figures()], $measured->firstError, $measured->coverage);
    }
}
