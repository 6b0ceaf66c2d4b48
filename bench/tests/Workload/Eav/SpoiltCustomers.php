<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Eav;

use Closure;
use Larder\Bench\Subject\Context;
use Larder\Bench\Workload\Eav\ArrayCustomers;
use Larder\Bench\Workload\Eav\Customers;
use Larder\Bench\Workload\Eav\Shop;

/** A wrong subject: it changes right answers. */
final readonly class SpoiltCustomers implements Customers
{
    private ArrayCustomers $customers;

    /** @param Closure(list<array<mixed>>): list<array<mixed>> $spoil */
    public function __construct(private Closure $spoil)
    {
        $this->customers = new ArrayCustomers();
    }

    public function connect(Context $context): void {}

    public function close(): void {}

    public function install(Shop $shop, string $ids, int $page): void
    {
        $this->customers->install($shop, $ids, $page);
    }

    public function addresses(int $from, int $to): array
    {
        return ($this->spoil)($this->customers->addresses($from, $to));
    }

    public function zipCodes(int $from, int $to): array
    {
        return ($this->spoil)($this->customers->zipCodes($from, $to));
    }
}
