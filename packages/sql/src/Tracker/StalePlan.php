<?php

declare(strict_types=1);

namespace Larder\Sql\Tracker;

use RuntimeException;

/** @internal The rows that a statement is going to change could not be read as the schema that is known has them. */
final class StalePlan extends RuntimeException {}
