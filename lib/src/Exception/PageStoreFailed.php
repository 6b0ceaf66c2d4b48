<?php

declare(strict_types=1);

namespace Larder\Exception;

use RuntimeException;

/** A file of the page store could not be written, moved or removed. */
final class PageStoreFailed extends RuntimeException implements LarderException
{
    public static function elsewhere(): self
    {
        return new self(
            'This database has the ledger of a site with pages, and SqlLedger::forValues() does not know where they '
                . 'lie: use Pages::of($site)->versions().',
        );
    }

    public static function during(string $step, string $path, string $reason): self
    {
        return new self(\sprintf('The page store failed to %s %s: %s', $step, $path, $reason));
    }
}
