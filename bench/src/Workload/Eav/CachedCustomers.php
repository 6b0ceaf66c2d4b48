<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Eav;

use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\SubjectFailed;

/** The answers themselves are in memcached, in parts of 500 customers: 10,000 rows are more than the 1 MB that an item may have. */
final class CachedCustomers implements Customers
{
    private const PART = 500;

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
        $customers = \count($shop->customers);
        $parts = [];
        for ($from = 1; $from <= $customers; $from += $page) {
            foreach (self::parts('', $from, min($customers, $from + $page - 1)) as $key => [$first, $last]) {
                $parts['addresses' . $key] = $shop->addresses($first, $last);
                $parts['zipCodes' . $key] = $shop->zipCodes($first, $last);
            }
        }
        $this->rows()->set($parts);
    }

    public function addresses(int $from, int $to): array
    {
        return $this->answer('addresses', $from, $to);
    }

    public function zipCodes(int $from, int $to): array
    {
        return $this->answer('zipCodes', $from, $to);
    }

    /** @return list<array<mixed>> */
    private function answer(string $query, int $from, int $to): array
    {
        $keys = array_keys(self::parts($query, $from, $to));
        $parts = $this->rows()->get($keys);
        $answer = [];
        foreach ($keys as $key) {
            foreach ($parts[$key] ?? throw SubjectFailed::during('getMulti', $key, 'not there') as $row) {
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

    private function rows(): JsonRows
    {
        return $this->rows ?? throw SubjectFailed::connecting('memcached', 'not connected yet');
    }
}
