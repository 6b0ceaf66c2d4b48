<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Eav;

use Larder\Bench\Check\Verifier;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Bench\Workload\Step;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * Queries the default addresses of customers, with or without their zip codes, and compares every row of every answer
 * with the customers that the shop was filled with.
 *
 * Parameters: `customers` (10,000), `page` (customers per query; 0: all, as the source does), `ids` (source or other:
 * the numbers of the installation's attributes).
 */
final readonly class CustomerQuery implements Operations
{
    private const CUSTOMERS = 10_000;

    public function __construct(private bool $zipCodes) {}

    public function needs(): array
    {
        return [Customers::class];
    }

    public function fill(Subject $subject, Job $job): void
    {
        \assert($subject instanceof Customers);
        $ids = $job->string('ids', 'source');
        ShopTables::ids($ids);
        $subject->install(self::shop($job), $ids, self::page($job));
    }

    public function step(Subject $subject, Job $job, int $worker): Step
    {
        \assert($subject instanceof Customers);
        $shop = self::shop($job);
        $query = $this->zipCodes ? $subject->zipCodes(...) : $subject->addresses(...);
        $answer = $this->zipCodes ? $shop->zipCodes(...) : $shop->addresses(...);
        $pages = [];
        for ($from = 1, $customers = \count($shop->customers); $from <= $customers; $from += self::page($job)) {
            $to = min($customers, $from + self::page($job) - 1);
            $expected = $answer($from, $to);
            $pages[] = [$from, $to, $expected, \strlen(json_encode($expected, JSON_THROW_ON_ERROR))];
        }
        $last = \count($pages) - 1;
        $random = new Randomizer(new Xoshiro256StarStar($job->seed + $worker));
        $verifier = Verifier::of($job->checked);

        return new Step(static function () use ($query, $pages, $last, $random, $verifier): int {
            [$from, $to, $expected, $bytes] = $pages[$random->getInt(0, $last)];
            $verifier->that($query($from, $to) === $expected, 'rows that are not those of the shop');

            return $bytes;
        });
    }

    private static function shop(Job $job): Shop
    {
        return new Shop($job->int('customers', self::CUSTOMERS));
    }

    /** @return positive-int */
    private static function page(Job $job): int
    {
        $page = $job->int('page', 0);

        return max(1, $page === 0 ? $job->int('customers', self::CUSTOMERS) : $page);
    }
}
