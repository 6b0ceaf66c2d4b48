<?php

declare(strict_types=1);

namespace Larder\Exception;

use Throwable;

/** Carried by every exception that Larder throws. */
interface LarderException extends Throwable {}
