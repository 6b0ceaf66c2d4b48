<?php

declare(strict_types=1);

namespace Larder\Exception;

use LogicException;

final class NoTransaction extends LogicException implements LarderException
{
    public static function ofItsOwn(): self
    {
        return new self(
            'change() runs its own transaction, and one is open already: end that first, or tell the change '
                . 'within it.',
        );
    }

    public static function leftOpen(): self
    {
        return new self(
            'What change() ran has left a transaction open: commit it before you return, or roll it back and throw.',
        );
    }

    public static function toReadRows(): self
    {
        return new self(
            'A row can be read under the write lock through a RecordingPdo only: tell the names, or the table as '
                . 'bulk().',
        );
    }

    public static function forChange(): self
    {
        return new self(
            'A change can only be told inside the transaction that makes it: call transaction(), or '
                . 'beginTransaction() on the same connection first.',
        );
    }
}
