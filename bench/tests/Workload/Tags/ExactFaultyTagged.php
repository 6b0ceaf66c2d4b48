<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Tags;

use Larder\Bench\Subject\Exact;

/** A FaultyTagged that makes a promise which its fault breaks. */
final class ExactFaultyTagged extends FaultyTagged implements Exact {}
