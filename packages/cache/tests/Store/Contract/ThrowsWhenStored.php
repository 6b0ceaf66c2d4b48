<?php

declare(strict_types=1);

namespace Larder\Tests\Store\Contract;

use DomainException;

/** An object that throws when it is serialized. */
final class ThrowsWhenStored
{
    /** @return array<string, mixed> */
    public function __serialize(): array
    {
        throw new DomainException('not me');
    }
}
