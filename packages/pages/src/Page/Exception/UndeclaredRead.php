<?php

declare(strict_types=1);

namespace Larder\Page\Exception;

use Larder\Exception\LarderException;
use LogicException;

/** Thrown in strict mode only, so that a build fails where production would send the page and not store it. */
final class UndeclaredRead extends LogicException implements LarderException
{
    public static function by(string $controller, string $reason): self
    {
        return new self(\sprintf('%s made a page that cannot be stored: %s.', $controller, $reason));
    }
}
