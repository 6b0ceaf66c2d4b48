<?php

declare(strict_types=1);

namespace Larder\Bench\Exception;

use RuntimeException;

/** The subject cannot do this under these conditions; the message says why, and the cell is absent. */
final class NotApplicable extends RuntimeException {}
