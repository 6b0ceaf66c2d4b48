<?php

declare(strict_types=1);

namespace Larder\Page\Exception;

use Larder\Exception\LarderException;
use LogicException;

/** Parts nest one deep: a page has parts, and a part has none. */
final class PartInPart extends LogicException implements LarderException
{
    public static function named(string $inner, string $outer): self
    {
        return new self(\sprintf(
            'The part %s asked for the part %s, and a part has no parts: let the page ask for both.',
            $outer,
            $inner,
        ));
    }
}
