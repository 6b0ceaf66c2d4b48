<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

/**
 * A workload whose subject is used by a script in php-fpm, once a request. Whoever makes its jobs appends the endpoint
 * of a server of Kind::Fpm to the subject's own: it is the last of Job::$endpoints.
 */
interface ThroughFpm extends Workload {}
