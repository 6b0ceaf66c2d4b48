<?php

declare(strict_types=1);

namespace Larder\Code\Exception;

use Larder\Exception\LarderException;
use RuntimeException;

/** The pool that carries releases of code did not answer, or did not take what it was given. */
final class CodePoolFailed extends RuntimeException implements LarderException
{
    public static function at(string $server, string $reason): self
    {
        return new self(\sprintf('The pool\'s server %s: %s', $server, rtrim($reason, '.')));
    }

    public static function because(string $reason): self
    {
        return new self($reason);
    }
}
