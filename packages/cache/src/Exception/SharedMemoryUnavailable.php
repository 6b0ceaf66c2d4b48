<?php

declare(strict_types=1);

namespace Larder\Exception;

use RuntimeException;

/** There is no segment: larder.size is 0, or the system gave no memory. */
final class SharedMemoryUnavailable extends RuntimeException implements LarderException {}
