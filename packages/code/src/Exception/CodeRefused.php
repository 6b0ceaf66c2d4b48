<?php

declare(strict_types=1);

namespace Larder\Code\Exception;

use Larder\Exception\LarderException;
use RuntimeException;

/**
 * What the pool has is not a release that this host may run: not signed by the key, not whole, older than one that was
 * accepted before, or with a file that may not be laid down. What runs stays as it is.
 */
final class CodeRefused extends RuntimeException implements LarderException
{
    public static function because(string $reason): self
    {
        return new self($reason);
    }

    /** @param string $files that the pack carries, such as "src/A.php to src/K.php" */
    public static function pack(string $hash, string $files, string $reason): self
    {
        return new self(\sprintf('The pack %s with %s %s', substr($hash, 0, 12), $files, $reason));
    }
}
