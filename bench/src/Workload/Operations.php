<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

use Larder\Bench\Subject\Subject;

/** A test that runs inside PHP: InProcess forks the workers, times the steps and counts. */
interface Operations
{
    /**
     * What the subject must be able to do.
     *
     * @return list<class-string<Subject>>
     */
    public function needs(): array;

    /** Stores what the steps will read. The subject is connected. */
    public function fill(Subject $subject, Job $job): void;

    /** Called in each worker, its subject connected. Whatever can be made before the clock runs is made here. */
    public function step(Subject $subject, Job $job, int $worker): Step;
}
