<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Eav;

use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * Made-up customers, the same in every process, and the right answers about them, found without any store.
 *
 * One in ten is not active, one in fifty has another type; some have no default address, or one without a zip code.
 *
 * A customer that is not registered has another entity type in the same table. `billing` and `shipping` are the numbers
 * of the default addresses, which may be the same; null: there is none. Addresses are by number; zip null: none was
 * stored.
 *
 * @phpstan-type Address array{city: string, zip: string|null}
 * @phpstan-type Customer array{
 *     id: int, email: string, registered: bool, active: bool, billing: int|null, shipping: int|null,
 *     addresses: array<int, Address>,
 * }
 */
final readonly class Shop
{
    /** @var list<Customer> numbers 1 to n */
    public array $customers;

    public function __construct(int $customers, int $seed = 11)
    {
        $random = new Randomizer(new Xoshiro256StarStar($seed));
        $this->customers = array_map(
            static fn(int $id): array => self::customer($id, $random),
            range(1, max(1, $customers)),
        );
    }

    /** @return list<array<string, int|string|null>> the right answer of Customers::addresses() */
    public function addresses(int $from, int $to): array
    {
        return array_map(static fn(array $customer): array => [
            'email' => $customer['email'],
            'default_billing' => $customer['billing'],
            'default_shipping' => $customer['shipping'],
        ], $this->listed($from, $to));
    }

    /** @return list<array<string, int|string|null>> the right answer of Customers::zipCodes() */
    public function zipCodes(int $from, int $to): array
    {
        return array_map(static fn(array $customer): array => [
            'email' => $customer['email'],
            'default_billing' => $customer['billing'],
            'default_shipping' => $customer['shipping'],
            'default_billing_zipcode' => self::zip($customer, $customer['billing']),
            'default_shipping_zipcode' => self::zip($customer, $customer['shipping']),
        ], $this->listed($from, $to));
    }

    /** @return list<Customer> */
    private function listed(int $from, int $to): array
    {
        return array_values(array_filter(
            \array_slice($this->customers, $from - 1, $to - $from + 1),
            static fn(array $customer): bool => $customer['registered'] && $customer['active'],
        ));
    }

    /** @param Customer $customer */
    private static function zip(array $customer, ?int $address): ?string
    {
        return $address === null ? null : $customer['addresses'][$address]['zip'];
    }

    /** @return Customer */
    private static function customer(int $id, Randomizer $random): array
    {
        $email = \sprintf('customer%d.%s@shop.example', $id, bin2hex($random->getBytes(4)));
        $registered = !self::oneIn(50, $random);
        $active = !self::oneIn(10, $random);
        $addresses = [];
        $billing = self::oneIn(10, $random) ? null : 1000 + 2 * $id;
        if ($billing !== null) {
            $addresses[$billing] = self::address($random);
        }
        $shipping = match (true) {
            self::oneIn(5, $random) => null,
            self::oneIn(2, $random) => $billing,
            default => 1001 + 2 * $id,
        };
        if ($shipping !== null && $shipping !== $billing) {
            $addresses[$shipping] = self::address($random);
        }

        return [
            'id' => $id,
            'email' => $email,
            'registered' => $registered,
            'active' => $active,
            'billing' => $billing,
            'shipping' => $shipping,
            'addresses' => $addresses,
        ];
    }

    /** @return Address */
    private static function address(Randomizer $random): array
    {
        $zip = \sprintf('%05d', $random->getInt(501, 99998));

        return ['city' => 'City ' . $random->getInt(1, 500), 'zip' => self::oneIn(20, $random) ? null : $zip];
    }

    private static function oneIn(int $many, Randomizer $random): bool
    {
        return $random->getInt(1, $many) === 1;
    }
}
