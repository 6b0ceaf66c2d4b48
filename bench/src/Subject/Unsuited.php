<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

use RuntimeException;

/** What is asked is not what the subject is for, so that its refusal is no fault: the message says why, and the cell is absent. */
final class Unsuited extends RuntimeException {}
