<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Job;

/** Where a subject is asked for over HTTP, and how its replies are known to be right. */
interface Targets
{
    /** Null: the subject can be asked for; else why not. */
    public function refuses(Definition $subject): ?string;

    /** See Workload::prepare(). */
    public function prepare(Job $job, Definition $subject): void;

    /**
     * Fetches what the replies are to be compared with.
     *
     * @throws \Larder\Bench\Exception\WrongReply if it is not the same from one request to the next
     * @throws \Larder\Bench\Exception\Failed    if it is no page
     */
    public function target(Job $job, Definition $subject): Target;
}
