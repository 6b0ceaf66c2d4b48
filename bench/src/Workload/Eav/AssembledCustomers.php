<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Eav;

use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\SubjectFailed;

/** Each customer and each address is a value in memcached; PHP does the join: a multi-get of the ones, a multi-get of the others. */
final class AssembledCustomers implements Customers
{
    private ?JsonRows $rows = null;

    public function connect(Context $context): void
    {
        $this->rows = new JsonRows($context);
    }

    public function close(): void
    {
        $this->rows?->close();
        $this->rows = null;
    }

    public function install(Shop $shop, AttributeIds $ids, int $page): void
    {
        $rows = [];
        foreach ($shop->customers as $customer) {
            $rows['customer:' . $customer->id] = [
                'email' => $customer->email,
                'type' => $customer->registered ? 'customer' : 'other',
                'active' => $customer->active,
                'default_billing' => $customer->billing?->id,
                'default_shipping' => $customer->shipping?->id,
            ];
            foreach ($customer->addresses() as $address) {
                $rows['address:' . $address->id] = ['city' => $address->city, 'postcode' => $address->zipCode];
            }
        }
        $this->rows()->set($rows);
    }

    public function addresses(int $from, int $to): array
    {
        return array_map(static fn(array $customer): array => [
            'email' => $customer['email'] ?? null,
            'default_billing' => $customer['default_billing'] ?? null,
            'default_shipping' => $customer['default_shipping'] ?? null,
        ], $this->customers($from, $to));
    }

    public function zipCodes(int $from, int $to): array
    {
        $customers = $this->addresses($from, $to);
        $keys = [];
        foreach ($customers as $customer) {
            foreach (['default_billing', 'default_shipping'] as $name) {
                if (\is_int($customer[$name])) {
                    $keys['address:' . $customer[$name]] = true;
                }
            }
        }
        $addresses = $this->rows()->get(array_keys($keys));
        $zipCode = static fn(mixed $id): mixed => \is_int($id) ? $addresses['address:' . $id]['postcode'] ?? null : null;

        return array_map(static fn(array $customer): array => $customer + [
            'default_billing_zipcode' => $zipCode($customer['default_billing']),
            'default_shipping_zipcode' => $zipCode($customer['default_shipping']),
        ], $customers);
    }

    /** @return list<array<mixed>> active ones */
    private function customers(int $from, int $to): array
    {
        $keys = array_map(static fn(int $id): string => 'customer:' . $id, range($from, $to));
        $found = $this->rows()->get($keys);
        $customers = [];
        foreach ($keys as $key) {
            $customer = $found[$key] ?? throw SubjectFailed::during('getMulti', $key, 'not there');
            if (($customer['type'] ?? null) === 'customer' && ($customer['active'] ?? null) === true) {
                $customers[] = $customer;
            }
        }

        return $customers;
    }

    private function rows(): JsonRows
    {
        return $this->rows ?? throw SubjectFailed::connecting('memcached', 'not connected yet');
    }
}
