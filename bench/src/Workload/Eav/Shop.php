<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Eav;

use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * Made-up customers, the same in every process, and what the right answers about them are: by counting, without any store.
 *
 * One in ten is not active, one in fifty of another type; some have no default address, or one without a zip code.
 */
final readonly class Shop
{
    /** @var list<Customer> numbers 1 to n */
    public array $customers;

    public function __construct(int $customers, int $seed = 11)
    {
        $random = new Randomizer(new Xoshiro256StarStar($seed));
        $this->customers = array_map(static fn(int $id): Customer => self::customer($id, $random), range(1, max(1, $customers)));
    }

    /** @return list<array<string, int|string|null>> as Customers::addresses() must answer */
    public function addresses(int $from, int $to): array
    {
        return array_map(static fn(Customer $customer): array => [
            'email' => $customer->email,
            'default_billing' => $customer->billing?->id,
            'default_shipping' => $customer->shipping?->id,
        ], $this->counting($from, $to));
    }

    /** @return list<array<string, int|string|null>> as Customers::zipCodes() must answer */
    public function zipCodes(int $from, int $to): array
    {
        return array_map(static fn(Customer $customer): array => [
            'email' => $customer->email,
            'default_billing' => $customer->billing?->id,
            'default_shipping' => $customer->shipping?->id,
            'default_billing_zipcode' => $customer->billing?->zipCode,
            'default_shipping_zipcode' => $customer->shipping?->zipCode,
        ], $this->counting($from, $to));
    }

    /** @return list<Customer> */
    private function counting(int $from, int $to): array
    {
        return array_values(array_filter(
            \array_slice($this->customers, $from - 1, $to - $from + 1),
            static fn(Customer $customer): bool => $customer->counts(),
        ));
    }

    private static function customer(int $id, Randomizer $random): Customer
    {
        $email = \sprintf('customer%d.%s@shop.example', $id, bin2hex($random->getBytes(4)));
        $registered = !self::oneIn(50, $random);
        $active = !self::oneIn(10, $random);
        $billing = self::oneIn(10, $random) ? null : self::address(1000 + 2 * $id, $random);
        $shipping = match (true) {
            self::oneIn(5, $random) => null,
            self::oneIn(2, $random) => $billing,
            default => self::address(1001 + 2 * $id, $random),
        };

        return new Customer($id, $email, $registered, $active, $billing, $shipping);
    }

    private static function address(int $id, Randomizer $random): Address
    {
        $zipCode = \sprintf('%05d', $random->getInt(501, 99998));

        return new Address($id, 'City ' . $random->getInt(1, 500), self::oneIn(20, $random) ? null : $zipCode);
    }

    private static function oneIn(int $many, Randomizer $random): bool
    {
        return $random->getInt(1, $many) === 1;
    }
}
