<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Workload;

/** Another workload whose targets are ClientTargets: its jobs need php-fpm beside the server of the subject. */
final readonly class OverFpm implements Workload
{
    public function __construct(private Workload $inner) {}

    /** A request connects a client and does one step. It comes on a new connection, as the requests of ab do. */
    public static function requests(Operations $operations): self
    {
        return new self(new Pages(new ClientTargets($operations), false));
    }

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
