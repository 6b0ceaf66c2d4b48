<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Stampede;

use Larder\Bench\Subject\Exact;

/** A FileCache that makes a promise which its fault breaks. */
final class ExactFileCache extends FileCache implements Exact {}
