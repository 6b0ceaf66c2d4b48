<?php

declare(strict_types=1);

namespace Larder\Tests\Store\Contract;

use DomainException;

/** An object that can be serialized and not made again. */
final class ThrowsWhenRead
{
    /** @return array<string, mixed> */
    public function __serialize(): array
    {
        return [];
    }

    /** @param array<string, mixed> $data */
    public function __unserialize(array $data): void
    {
        throw new DomainException('not again');
    }
}
