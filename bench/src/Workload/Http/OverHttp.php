<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Workload;

/** A workload that requests a subject's target over HTTP. */
abstract readonly class OverHttp implements Workload
{
    public function __construct(protected Targets $targets = new PageTargets()) {}

    public function refuses(Definition $subject): ?string
    {
        return $this->targets->refuses($subject);
    }

    public function prepare(Job $job, Definition $subject): void
    {
        $this->targets->prepare($job, $subject);
    }
}
