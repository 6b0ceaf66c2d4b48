<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Stampede;

use Larder\Bench\Subject\Exact;

/** One that promises what its fault does not keep. */
final class ExactFileCache extends FileCache implements Exact {}
