<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Eav;

use InvalidArgumentException;

/** Numbers that an installation gave to its entity types and attributes. They differ from one installation to the next. */
final readonly class AttributeIds
{
    public function __construct(
        public int $customer,
        public int $address,
        public int $billing,
        public int $shipping,
        public int $zipCode,
    ) {}

    /** @param string $name source: the source's numbers; other: those of another installation */
    public static function named(string $name): self
    {
        return match ($name) {
            'source' => new self(customer: 1, address: 2, billing: 14, shipping: 13, zipCode: 29),
            // The source's numbers mean something else here: a query that has them written down answers nonsense.
            'other' => new self(customer: 3, address: 1, billing: 13, shipping: 29, zipCode: 14),
            default => throw new InvalidArgumentException(\sprintf('ids must be source or other, not %s', $name)),
        };
    }

    /** @return list<array{int, int, string}> number, entity type and code of all attributes there are */
    public function attributes(): array
    {
        return [
            [$this->billing, $this->customer, 'default_billing'],
            [$this->shipping, $this->customer, 'default_shipping'],
            [$this->zipCode, $this->address, 'postcode'],
            [$this->gender(), $this->customer, 'gender'],
            [$this->city(), $this->address, 'city'],
            // A code is unique within its entity type only.
            [102, $this->customer, 'postcode'],
            [103, $this->address, 'default_billing'],
        ];
    }

    public function gender(): int
    {
        return 100;
    }

    public function city(): int
    {
        return 101;
    }
}
