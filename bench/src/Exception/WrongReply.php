<?php

declare(strict_types=1);

namespace Larder\Bench\Exception;

use RuntimeException;

/** A reply that is not the reply to its request. It voids the cell: a fast wrong answer has no rate. */
final class WrongReply extends RuntimeException {}
