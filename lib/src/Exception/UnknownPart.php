<?php

declare(strict_types=1);

namespace Larder\Exception;

use LogicException;

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
