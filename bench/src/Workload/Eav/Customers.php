<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Eav;

use Larder\Bench\Subject\Subject;

/**
 * A shop that stores the attributes of customers and addresses as rows answers two queries: the default addresses of
 * all active customers, and the same with their zip codes. Answers come in the order of the customers' numbers.
 */
interface Customers extends Subject
{
    /**
     * Stores the shop where the answers will come from.
     *
     * @param string       $ids  which numbers the attributes get: a name in SqlCustomers::IDS
     * @param positive-int $page customers per query
     */
    public function install(Shop $shop, string $ids, int $page): void;

    /**
     * For customers $from to $to: email, default_billing and default_shipping (numbers of addresses, or null).
     *
     * @return list<array<mixed>>
     */
    public function addresses(int $from, int $to): array;

    /**
     * The same with default_billing_zipcode and default_shipping_zipcode; null if there is no address or no zip code.
     *
     * @return list<array<mixed>>
     */
    public function zipCodes(int $from, int $to): array;
}
