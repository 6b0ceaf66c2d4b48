<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Measured;
use Larder\Bench\Workload\Operations;
use Larder\Testbed\Load\Target;

/**
 * A closed loop of requests for a page.
 *
 * With ClientTargets a request to php-fpm loads the classes, connects a client, does one step and ends, as a web page
 * does. The client's CPU is then that of nginx and php-fpm, and that of wrk is a further figure. Compared with the same
 * step in process this shows the cost of a request before its client starts to work; the subject `noop` is the floor.
 *
 * Parameters: `connections` (50), `keepalive` (true), and those of the targets.
 */
final readonly class Pages extends OverHttp
{
    /** @param bool $keepAlive unless the parameter says otherwise */
    public function __construct(PageTargets|ClientTargets $targets = new PageTargets(), private bool $keepAlive = true)
    {
        parent::__construct($targets);
    }

    /** A request connects a client and does one step. It comes on a new connection, as the requests of ab do. */
    public static function ofClient(Operations $operations): self
    {
        return new self(new ClientTargets($operations), false);
    }

    protected function load(Job $job, Target $target): Measured
    {
        $keepAlive = ($job->parameters['keepalive'] ?? $this->keepAlive) === true;

        return (new ClosedLoop($job, $target))->window($job->int('connections', 50), $keepAlive);
    }
}
