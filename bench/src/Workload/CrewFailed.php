<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

use RuntimeException;

/** A worker crashed, gave up or took too long. The message says which, and in its own words why. */
final class CrewFailed extends RuntimeException {}
