<?php

declare(strict_types=1);

namespace Larder\Page\Exception;

use Larder\Exception\LarderException;
use LogicException;

/** A page includes a part, or a request asks for one, whose name the site does not have. */
final class UnknownPart extends LogicException implements LarderException
{
    public static function named(string $name): self
    {
        return new self(\sprintf(
            'No part of the site is named "%s": add a Part with its prefix to Urls::$parts, and print the nginx '
                . 'configuration anew.',
            $name,
        ));
    }
}
