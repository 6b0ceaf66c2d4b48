<?php

declare(strict_types=1);

namespace Larder\Torture\Lease;

/** One compute. */
final readonly class Making
{
    public function __construct(public int $key, public int $generation) {}
}
