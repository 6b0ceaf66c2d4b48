<?php

declare(strict_types=1);

namespace Larder\Tests\Psr;

use RuntimeException;

/** Can be stored, and does not come back. */
final class Brittle
{
    /** @return array<string, mixed> */
    public function __serialize(): array
    {
        return ['whole' => true];
    }

    /** @param array<string, mixed> $data */
    public function __unserialize(array $data): void
    {
        throw new RuntimeException('it broke');
    }
}
