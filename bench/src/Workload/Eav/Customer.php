<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Eav;

/** One customer of the shop. */
final readonly class Customer
{
    /**
     * @param bool          $registered of the entity type "customer"; else a row of another type in the same table
     * @param Address|null  $billing    null: no default
     * @param Address|null  $shipping
     */
    public function __construct(
        public int $id,
        public string $email,
        public bool $registered,
        public bool $active,
        public ?Address $billing,
        public ?Address $shipping,
    ) {}

    public function counts(): bool
    {
        return $this->registered && $this->active;
    }

    /** @return array<int, Address> by number */
    public function addresses(): array
    {
        $addresses = [];
        foreach ([$this->billing, $this->shipping] as $address) {
            if ($address !== null) {
                $addresses[$address->id] = $address;
            }
        }

        return $addresses;
    }
}
