<?php

declare(strict_types=1);

namespace Larder\Exception;

use LogicException;

final class NoTransaction extends LogicException implements LarderException
{
    public static function forChange(): self
    {
        return new self('A change can only be told inside the transaction that makes it: call transaction(), or beginTransaction() on the same connection first.');
    }
}
