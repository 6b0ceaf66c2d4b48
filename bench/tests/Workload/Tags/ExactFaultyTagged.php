<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Tags;

use Larder\Bench\Subject\Exact;

/** Some that promise what their fault does not keep. */
final class ExactFaultyTagged extends FaultyTagged implements Exact {}
