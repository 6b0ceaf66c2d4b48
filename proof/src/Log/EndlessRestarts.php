<?php

declare(strict_types=1);

namespace Larder\Proof\Log;

use RuntimeException;

/** The parser wants the program to begin again and again where it began before. */
final class EndlessRestarts extends RuntimeException
{
    public static function at(string $position): self
    {
        return new self("it always begins again, at last at $position");
    }
}
