<?php

declare(strict_types=1);

namespace Larder\Bench\Exception;

use InvalidArgumentException;

/** What was asked for cannot be done; the message says what can. */
final class UsageError extends InvalidArgumentException {}
