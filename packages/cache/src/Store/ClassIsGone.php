<?php

declare(strict_types=1);

namespace Larder\Store;

use RuntimeException;

/**
 * Ends the reading of a value of a class that is not there.
 *
 * @internal
 */
final class ClassIsGone extends RuntimeException {}
