<?php

declare(strict_types=1);

namespace Larder\Bench\Workload;

use InvalidArgumentException;

final class UnknownTest extends InvalidArgumentException
{
    /** @param list<string> $known */
    public static function named(string $name, array $known): self
    {
        return new self(\sprintf('There is no test "%s". There are: %s.', $name, implode(', ', $known)));
    }
}
