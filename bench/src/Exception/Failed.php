<?php

declare(strict_types=1);

namespace Larder\Bench\Exception;

use RuntimeException;

/** Something that a figure needs did not work, in the bench or in the subject. It fails the cell; the message says what. */
final class Failed extends RuntimeException {}
