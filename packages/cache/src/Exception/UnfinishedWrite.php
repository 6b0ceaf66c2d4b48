<?php

declare(strict_types=1);

namespace Larder\Exception;

use LogicException;

/** The closure of a transaction returned a Generator, which would run after COMMIT. The transaction was rolled back. */
final class UnfinishedWrite extends LogicException implements LarderException
{
    /** @throws self */
    public static function check(mixed $made): void
    {
        if ($made instanceof \Generator) {
            throw new self(
                'The closure of a transaction returned a Generator, whose code would run after COMMIT: run it to its '
                    . 'end inside the closure, and return what it made.',
            );
        }
    }
}
