<?php

declare(strict_types=1);

namespace Larder\Sql\Reading;

use RuntimeException;

/** @internal Ends the reading of a text that the grammar does not have. It never leaves the parser. */
final class NotUnderstood extends RuntimeException {}
