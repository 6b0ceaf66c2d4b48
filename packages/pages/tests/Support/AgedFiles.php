<?php

declare(strict_types=1);

namespace Larder\Tests\Support;

use Larder\Page\Files;

/** Files of which those that say so count as old. */
final readonly class AgedFiles extends Files
{
    public const OLD = 'of a dead render';

    public function age(string $path): ?int
    {
        return @file_get_contents($path) === self::OLD ? 301 : parent::age($path);
    }
}
