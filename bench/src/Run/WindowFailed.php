<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

use RuntimeException;

/** The process that measured a window gave up; the message is its own. */
final class WindowFailed extends RuntimeException {}
