<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Eav;

use Larder\Bench\Subject\Subject;

/**
 * Two questions to a shop that keeps the attributes of customers and addresses as rows: the default addresses of all active
 * customers, and these with their zip codes. Answers come in the order of the customers' numbers.
 */
interface Customers extends Subject
{
    /**
     * Stores the shop where the answers will come from.
     *
     * @param positive-int $page customers that one question is about
     */
    public function install(Shop $shop, AttributeIds $ids, int $page): void;

    /**
     * Of customers $from to $to: email, default_billing and default_shipping, numbers of addresses or null.
     *
     * @return list<array<mixed>>
     */
    public function addresses(int $from, int $to): array;

    /**
     * The same, and default_billing_zipcode and default_shipping_zipcode; null where there is no address or it has no zip code.
     *
     * @return list<array<mixed>>
     */
    public function zipCodes(int $from, int $to): array;
}
