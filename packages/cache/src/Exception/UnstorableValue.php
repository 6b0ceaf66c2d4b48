<?php

declare(strict_types=1);

namespace Larder\Exception;

use InvalidArgumentException;

/**
 * A value that cannot be stored. The message names the place inside it, such as $value['a'][3], and what is allowed.
 */
final class UnstorableValue extends InvalidArgumentException implements LarderException {}
