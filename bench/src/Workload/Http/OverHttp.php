<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Check\Coverage;
use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Workload;
use Larder\Testbed\Load\Target;
use Larder\Testbed\Server\ServerFailed;

/**
 * A workload that requests a subject's target over HTTP. PageTargets or ClientTargets find what is requested and what
 * the replies must be.
 */
abstract readonly class OverHttp implements Workload
{
    public function __construct(protected PageTargets|ClientTargets $targets = new PageTargets()) {}

    /** True if a script in php-fpm uses the subject. The last of Job::$endpoints must then be a server of Kind::Fpm. */
    final public function needsFpm(): bool
    {
        return $this->targets instanceof ClientTargets;
    }

    final public function refuses(Definition $subject): ?string
    {
        return $this->targets->refuses($subject);
    }

    final public function prepare(Job $job, Definition $subject): void
    {
        try {
            $this->targets->prepare($job, $subject);
        } catch (ServerFailed $failed) {
            throw new Failed($failed->getMessage(), 0, $failed);
        }
    }

    final public function measure(Job $job, Definition $subject): Measured
    {
        try {
            return $this->load($job, $this->targets->target($job, $subject));
        } catch (ServerFailed $failed) {
            throw new Failed($failed->getMessage(), 0, $failed);
        }
    }

    /**
     * All replies over HTTP are compared with the body of the target. For a client under test that says something only
     * if the step checks the replies that the client got.
     */
    public static function coverage(Job $job, Target $target, int $replies): Coverage
    {
        return $job->checked || $target->clients === [] ? Coverage::every($replies) : Coverage::none($replies);
    }

    abstract protected function load(Job $job, Target $target): Measured;
}
