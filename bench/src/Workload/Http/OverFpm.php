<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\ThroughFpm;
use Larder\Bench\Workload\Workload;

/**
 * Any workload of this namespace whose source is a ClientSource: its jobs need php-fpm beside the subject's own server.
 */
final readonly class OverFpm implements ThroughFpm
{
    public function __construct(private Workload $inner) {}

    public function refuses(Definition $subject): ?string
    {
        return $this->inner->refuses($subject);
    }

    public function prepare(Job $job, Definition $subject): void
    {
        $this->inner->prepare($job, $subject);
    }

    public function measure(Job $job, Definition $subject): Measured
    {
        return $this->inner->measure($job, $subject);
    }
}
