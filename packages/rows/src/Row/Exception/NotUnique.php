<?php

declare(strict_types=1);

namespace Larder\Row\Exception;

use InvalidArgumentException;
use Larder\Exception\LarderException;

/** More than one row was found where one was asked for. */
final class NotUnique extends InvalidArgumentException implements LarderException
{
    /** @param list<string> $columns */
    public static function of(string $table, array $columns): self
    {
        return new self(\sprintf(
            '%s has more than one row with the same %s: use findAll(), or the columns of a unique key',
            $table,
            implode(' and ', $columns),
        ));
    }
}
