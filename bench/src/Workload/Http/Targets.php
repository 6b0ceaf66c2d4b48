<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Job;
use Larder\Testbed\Load\Target;

/** Finds what is requested over HTTP for a subject, and what the replies must be. */
interface Targets
{
    /** Null: the subject has a target; otherwise the reason why it has none. */
    public function refuses(Definition $subject): ?string;

    /** See Workload::prepare(). */
    public function prepare(Job $job, Definition $subject): void;

    /**
     * Requests the page with which all replies will be compared.
     *
     * @throws \Larder\Bench\Exception\WrongReply if two requests get different pages
     * @throws \Larder\Bench\Exception\Failed    if it is no page
     */
    public function target(Job $job, Definition $subject): Target;
}
