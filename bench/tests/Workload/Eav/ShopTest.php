<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Eav;

use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Context;
use Larder\Bench\Workload\Eav\ArrayCustomers;
use Larder\Bench\Workload\Eav\CustomerQuery;
use Larder\Bench\Workload\Eav\Customers;
use Larder\Bench\Workload\Eav\Shop;
use Larder\Bench\Workload\Job;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** The shop has the right answers, and the query finds wrong ones. */
#[CoversClass(Shop::class)]
#[CoversClass(ArrayCustomers::class)]
#[CoversClass(CustomerQuery::class)]
final class ShopTest extends TestCase
{
    public function testIsTheSameEveryTime(): void
    {
        self::assertEquals(new Shop(500), new Shop(500));
        self::assertSame((new Shop(500))->zipCodes(1, 100), (new Shop(1000))->zipCodes(1, 100));
        self::assertNotEquals((new Shop(500, 12))->zipCodes(1, 500), (new Shop(500))->zipCodes(1, 500));
    }

    public function testHasEveryKindOfCustomer(): void
    {
        $shop = new Shop(10_000);
        $rows = $shop->zipCodes(1, 10_000);
        $share = static fn(\Closure $is): float => \count(array_filter($rows, $is)) / \count($rows);

        self::assertCount(10_000, $shop->customers);
        self::assertEqualsWithDelta(0.98 * 0.9, \count($rows) / 10_000, 0.02);
        self::assertEqualsWithDelta(0.1, $share(static fn(array $row): bool => $row['default_billing'] === null), 0.02);
        self::assertEqualsWithDelta(
            0.36,
            $share(
                static fn(array $row): bool => $row['default_billing'] !== null
                    && $row['default_billing'] === $row['default_shipping'],
            ),
            0.03,
        );
        self::assertEqualsWithDelta(
            0.045,
            $share(
                static fn(array $row): bool => $row['default_billing'] !== null
                    && $row['default_billing_zipcode'] === null,
            ),
            0.01,
        );
        self::assertSame(
            array_map(static fn(array $row): array => \array_slice($row, 0, 3), $rows),
            $shop->addresses(1, 10_000),
        );
        self::assertCount(\count($rows), array_unique(array_column($rows, 'email')));
    }

    public function testAsksForPagesOrForAll(): void
    {
        foreach ([true, false] as $zipCodes) {
            $step = self::step($zipCodes, new ArrayCustomers(), ['page' => $zipCodes ? 7 : 0, 'customers' => 100]);
            for ($i = 0; $i < 20; ++$i) {
                self::assertGreaterThan(0, ($step)());
            }
        }
    }

    /** @param \Closure(list<array<mixed>>): list<array<mixed>> $spoil */
    #[DataProvider('faults')]
    public function testFindsAFault(\Closure $spoil): void
    {
        $step = self::step(true, new SpoiltCustomers($spoil), ['customers' => 100]);

        $this->expectException(WrongReply::class);

        $step();
    }

    /** @return iterable<string, array{\Closure}> */
    public static function faults(): iterable
    {
        yield 'a row too few' => [static fn(array $rows): array => \array_slice($rows, 1)];
        yield 'a row twice' => [static fn(array $rows): array => [...$rows, $rows[0]]];
        yield 'other order' => [static fn(array $rows): array => array_reverse($rows)];
        yield 'another address' => [static function (array $rows): array {
            \assert(\is_array($rows[3]));
            $rows[3]['default_shipping'] = -1;

            return $rows;
        }];
        yield 'numbers as text' => [static function (array $rows): array {
            \assert(\is_array($rows[0]) && \is_int($rows[0]['default_billing'] ?? null));
            $rows[0]['default_billing'] = (string) $rows[0]['default_billing'];

            return $rows;
        }];
    }

    public function testRefusesParametersThatMeanNothing(): void
    {
        $this->expectException(\InvalidArgumentException::class);

        self::step(true, new ArrayCustomers(), ['ids' => 'third', 'customers' => 10]);
    }

    /**
     * @param array<string, bool|float|int|string> $parameters
     *
     * @return \Closure(): int
     */
    private static function step(bool $zipCodes, Customers $subject, array $parameters): \Closure
    {
        $job = new Job('eav', 'eav-array', $parameters, 0.1, 0, 7, [], '/nowhere', 'b11:');
        $subject->connect(new Context([], '/nowhere'));
        (new CustomerQuery($zipCodes))->fill($subject, $job);

        return (new CustomerQuery($zipCodes))->step($subject, $job, 0)->run;
    }
}
