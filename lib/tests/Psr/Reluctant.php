<?php

declare(strict_types=1);

namespace Larder\Tests\Psr;

use DomainException;

/** Does not let itself be stored. */
final class Reluctant
{
    /** @return array<string, mixed> */
    public function __serialize(): array
    {
        throw new DomainException('not me');
    }
}
