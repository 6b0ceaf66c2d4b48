<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Eav;

final readonly class Address
{
    /** @param string|null $zipCode null: the attribute was never stored */
    public function __construct(
        public int $id,
        public string $city,
        public ?string $zipCode,
    ) {}
}
