<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\ThroughFpm;

/**
 * A client as a web page uses it: each request to nginx and php-fpm loads PHP's classes, connects, does one step and
 * ends.
 *
 * The client's CPU is nginx's and php-fpm's; the load generator's own is in an extra. Compared with the same step in
 * process, this shows what a request costs before a client gets to its work; the subject `noop` is the floor.
 *
 * Parameters: `connections` (50), `keepalive` (false, as ab does it), and the operations'.
 */
final readonly class ClientTests implements ThroughFpm
{
    private Pages $pages;

    public function __construct(Operations $operations)
    {
        $this->pages = new Pages(new ClientTargets($operations), false);
    }

    public function refuses(Definition $subject): ?string
    {
        return $this->pages->refuses($subject);
    }

    public function prepare(Job $job, Definition $subject): void
    {
        $this->pages->prepare($job, $subject);
    }

    public function measure(Job $job, Definition $subject): Measured
    {
        return $this->pages->measure($job, $subject);
    }
}
