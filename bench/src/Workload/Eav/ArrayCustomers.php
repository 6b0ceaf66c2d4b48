<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Eav;

use Larder\Bench\Subject\Context;

/** The floor: the answers are in the process, so that only the query and its check cost time. */
final class ArrayCustomers implements Customers
{
    private ?Shop $shop = null;

    /** @var array<string, list<array<string, int|string|null>>> */
    private array $answers = [];

    public function connect(Context $context): void
    {
        // install() runs before the workers fork, and they inherit the answers.
    }

    public function close(): void
    {
        $this->shop = null;
        $this->answers = [];
    }

    public function install(Shop $shop, string $ids, int $page): void
    {
        $this->shop = $shop;
        for ($from = 1, $customers = \count($shop->customers); $from <= $customers; $from += $page) {
            $this->addresses($from, min($customers, $from + $page - 1));
            $this->zipCodes($from, min($customers, $from + $page - 1));
        }
    }

    public function addresses(int $from, int $to): array
    {
        return $this->answers["addresses:$from-$to"] ??= $this->shop?->addresses($from, $to) ?? [];
    }

    public function zipCodes(int $from, int $to): array
    {
        return $this->answers["zipCodes:$from-$to"] ??= $this->shop?->zipCodes($from, $to) ?? [];
    }
}
