<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\SetGet;

use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\KeyValue;
use Larder\Bench\Tests\Workload\ManyKeys\Store;
use Larder\Bench\Workload\Client\KeyOperations;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(KeyOperations::class)]
final class SetGetTest extends TestCase
{
    public function testSetsAndGets200KeysInTurn(): void
    {
        $store = new Store();
        $step = KeyOperations::SetGet->step($store, self::job(), 3);
        for ($i = 0; $i < 450; ++$i) {
            self::assertSame(64, ($step->run)());
        }

        self::assertSame(['set' => 450, 'get' => 450], $store->calls);
        self::assertCount(200, $store->entries);
        self::assertSame([KeyValue::class], KeyOperations::SetGet->needs());
    }

    public function testKeepsTheKeysOfWorkersApart(): void
    {
        $store = new Store();
        $steps = array_map(
            static fn(int $worker): \Closure => KeyOperations::SetGet->step($store, self::job(), $worker)->run,
            [0, 1],
        );
        for ($i = 0; $i < 300; ++$i) {
            $steps[$i % 3 === 0 ? 0 : 1]();
        }

        self::assertGreaterThan(200, \count($store->entries));
    }

    public function testOnlyGets(): void
    {
        $store = new Store();
        $operations = KeyOperations::GetOnly;
        $operations->fill($store, self::job(['size' => 100]));
        self::assertSame(['set' => 200], $store->calls);
        $step = $operations->step($store, self::job(['size' => 100]), 2);
        for ($i = 0; $i < 250; ++$i) {
            self::assertSame(100, ($step->run)());
        }

        self::assertSame(['set' => 200, 'get' => 250], $store->calls);
    }

    #[DataProvider('faults')]
    public function testFindsAFault(Operations $operations, string $fault): void
    {
        $store = new Store($fault);

        $this->expectException(WrongReply::class);

        $operations->fill($store, self::job());
        $step = $operations->step($store, self::job(), 0);
        for ($i = 0; $i < 1100; ++$i) {
            ($step->run)();
        }
    }

    /** @return iterable<string, array{Operations, string}> */
    public static function faults(): iterable
    {
        yield 'set and get, the value of another key' => [KeyOperations::SetGet, 'other-key'];
        yield 'set and get, truncated' => [KeyOperations::SetGet, 'truncated'];
        yield 'set and get, every thousandth set is lost' => [KeyOperations::SetGet, 'loses-sets'];
        yield 'get, the value of another key' => [KeyOperations::GetOnly, 'other-key'];
        yield 'get, truncated' => [KeyOperations::GetOnly, 'truncated'];
    }

    /** @param array<string, bool|float|int|string> $parameters */
    private static function job(array $parameters = []): Job
    {
        return new Job('set-get', 'store', $parameters, 0.1, 0, 7, [], '/nowhere', 'b7:');
    }
}
