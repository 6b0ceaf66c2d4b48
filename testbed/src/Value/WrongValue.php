<?php

declare(strict_types=1);

namespace Larder\Testbed\Value;

use UnexpectedValueException;

/** A value that is damaged, belongs to another key, or is older or newer than it may be. The message says which. */
final class WrongValue extends UnexpectedValueException {}
