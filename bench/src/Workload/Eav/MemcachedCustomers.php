<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Eav;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Context;
use Memcached;

/**
 * The shop in memcached, as JSON, which programs in any language read. Either the answers themselves are stored, or
 * each customer and each address is a value and PHP joins them: one multi-get for the customers, one for the addresses.
 */
final class MemcachedCustomers implements Customers
{
    private const KEYS_PER_CALL = 1000;

    /** Customers in one stored part of an answer: 10,000 rows exceed the 1 MB that an item may have. */
    private const PART = 500;

    private ?Memcached $client = null;
    private string $prefix = '';

    /** @param bool $answers true: answers are stored; false: rows, and PHP joins them */
    public function __construct(private readonly bool $answers) {}

    public function connect(Context $context): void
    {
        $server = $context->endpoints[0] ?? throw Failed::connecting('memcached', 'no server was named');
        $this->prefix = $context->prefix . 'shop:';
        $client = new Memcached();
        $client->setOptions([
            Memcached::OPT_COMPRESSION => false,
            Memcached::OPT_TCP_NODELAY => true,
            Memcached::OPT_CONNECT_TIMEOUT => (int) ($context->timeout * 1e3),
            Memcached::OPT_POLL_TIMEOUT => (int) ($context->timeout * 1e3),
        ]);
        $client->addServer($server->socket ?? $server->host, $server->socket === null ? $server->port : 0);
        $client->getVersion();
        if ($client->getResultCode() !== Memcached::RES_SUCCESS) {
            $address = $server->socket ?? $server->host . ':' . $server->port;
            throw Failed::connecting($address, $client->getResultMessage());
        }
        $this->client = $client;
    }

    public function close(): void
    {
        $this->client?->quit();
        $this->client = null;
    }

    public function install(Shop $shop, string $ids, int $page): void
    {
        foreach (array_chunk($this->values($shop, $page), self::KEYS_PER_CALL, true) as $chunk) {
            $values = [];
            foreach ($chunk as $key => $value) {
                $values[$this->prefix . $key] = json_encode($value, JSON_THROW_ON_ERROR);
            }
            if (!$this->client()->setMulti($values)) {
                $reason = $this->client()->getResultMessage();
                throw Failed::during('setMulti', array_key_first($values), $reason);
            }
        }
    }

    public function addresses(int $from, int $to): array
    {
        if ($this->answers) {
            return $this->answer('addresses', $from, $to);
        }

        return array_map(static fn(array $customer): array => [
            'email' => $customer['email'] ?? null,
            'default_billing' => $customer['default_billing'] ?? null,
            'default_shipping' => $customer['default_shipping'] ?? null,
        ], $this->listed($from, $to));
    }

    public function zipCodes(int $from, int $to): array
    {
        if ($this->answers) {
            return $this->answer('zipCodes', $from, $to);
        }
        $customers = $this->addresses($from, $to);
        $keys = [];
        foreach ($customers as $customer) {
            foreach (['default_billing', 'default_shipping'] as $name) {
                if (\is_int($customer[$name] ?? null)) {
                    $keys['address:' . $customer[$name]] = true;
                }
            }
        }
        $addresses = $this->get(array_keys($keys));
        $zip = static fn(mixed $id): mixed => \is_int($id) ? $addresses['address:' . $id]['postcode'] ?? null : null;

        return array_map(static fn(array $customer): array => $customer + [
            'default_billing_zipcode' => $zip($customer['default_billing'] ?? null),
            'default_shipping_zipcode' => $zip($customer['default_shipping'] ?? null),
        ], $customers);
    }

    /** @return array<string, array<mixed>> what to store, by key */
    private function values(Shop $shop, int $page): array
    {
        return $this->answers ? self::answersOf($shop, $page) : self::rowsOf($shop);
    }

    /** @return array<string, array<mixed>> */
    private static function rowsOf(Shop $shop): array
    {
        $rows = [];
        foreach ($shop->customers as $customer) {
            $rows['customer:' . $customer['id']] = [
                'email' => $customer['email'],
                'type' => $customer['registered'] ? 'customer' : 'other',
                'active' => $customer['active'],
                'default_billing' => $customer['billing'],
                'default_shipping' => $customer['shipping'],
            ];
            foreach ($customer['addresses'] as $id => $address) {
                $rows['address:' . $id] = ['city' => $address['city'], 'postcode' => $address['zip']];
            }
        }

        return $rows;
    }

    /** @return array<string, array<mixed>> */
    private static function answersOf(Shop $shop, int $page): array
    {
        $customers = \count($shop->customers);
        $answers = [];
        for ($from = 1; $from <= $customers; $from += $page) {
            foreach (self::parts('', $from, min($customers, $from + $page - 1)) as $key => [$first, $last]) {
                $answers['addresses' . $key] = $shop->addresses($first, $last);
                $answers['zipCodes' . $key] = $shop->zipCodes($first, $last);
            }
        }

        return $answers;
    }

    /** @return list<array<mixed>> active customers of the type "customer" */
    private function listed(int $from, int $to): array
    {
        $keys = array_map(static fn(int $id): string => 'customer:' . $id, range($from, $to));
        $found = $this->get($keys);
        $customers = [];
        foreach ($keys as $key) {
            $customer = $found[$key] ?? throw Failed::during('getMulti', $key, 'not there');
            if (($customer['type'] ?? null) === 'customer' && ($customer['active'] ?? null) === true) {
                $customers[] = $customer;
            }
        }

        return $customers;
    }

    /** @return list<array<mixed>> */
    private function answer(string $query, int $from, int $to): array
    {
        $keys = array_keys(self::parts($query, $from, $to));
        $parts = $this->get($keys);
        $answer = [];
        foreach ($keys as $key) {
            foreach ($parts[$key] ?? throw Failed::during('getMulti', $key, 'not there') as $row) {
                $answer[] = \is_array($row) ? $row : [];
            }
        }

        return $answer;
    }

    /** @return array<string, array{int, int}> first and last customer by key */
    private static function parts(string $query, int $from, int $to): array
    {
        $parts = [];
        for ($first = $from; $first <= $to; $first += self::PART) {
            $last = min($to, $first + self::PART - 1);
            $parts[\sprintf('%s:%d-%d', $query, $first, $last)] = [$first, $last];
        }

        return $parts;
    }

    /**
     * @param list<string> $keys
     *
     * @return array<string, array<mixed>> the values that were found, by key
     */
    private function get(array $keys): array
    {
        $values = [];
        foreach (array_chunk($keys, self::KEYS_PER_CALL) as $chunk) {
            $prefixed = array_map(fn(string $key): string => $this->prefix . $key, $chunk);
            $found = $this->client()->getMulti($prefixed);
            if (!\is_array($found)) {
                throw Failed::during('getMulti', $chunk[0], $this->client()->getResultMessage());
            }
            foreach ($found as $key => $json) {
                $value = \is_string($json) ? json_decode($json, true) : null;
                if (\is_array($value)) {
                    $values[substr($key, \strlen($this->prefix))] = $value;
                }
            }
        }

        return $values;
    }

    private function client(): Memcached
    {
        return $this->client ?? throw Failed::connecting('memcached', 'not connected yet');
    }
}
