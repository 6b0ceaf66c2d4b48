<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Eav;

/** One customer of the shop. */
final readonly class Customer
{
    /**
     * @param bool     $registered true: of the entity type "customer"; false: a row of another type in the same table
     * @param int|null $billing    number of the default address; null: there is none
     * @param int|null $shipping   the same; it may be the same address
     * @param array<int, array{city: string, zip: string|null}> $addresses by number; null: no zip was stored
     */
    public function __construct(
        public int $id,
        public string $email,
        public bool $registered,
        public bool $active,
        public ?int $billing,
        public ?int $shipping,
        public array $addresses,
    ) {}

    /** True if the queries must return this customer. */
    public function isListed(): bool
    {
        return $this->registered && $this->active;
    }

    public function zip(?int $address): ?string
    {
        return $address === null ? null : $this->addresses[$address]['zip'];
    }
}
