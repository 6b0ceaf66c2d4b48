<?php

declare(strict_types=1);

namespace Larder\Exception;

use LogicException;

/** A change was to be made known in shared memory that the readers do not see. Nothing was written. */
final class PrivateMemory extends LogicException implements LarderException
{
    public static function ofVersions(string $reason): self
    {
        return new self(\sprintf(
            'The change cannot be made known: the versions are kept in shared memory that %s. Give all programs of the '
                . 'site one segment in php.ini: larder.name and larder.directory, and larder.owner or larder.group '
                . 'where they run as several users.',
            $reason,
        ));
    }
}
