<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\ManyKeys;

use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\ManyKeys\Batch;
use Larder\Bench\Workload\ManyKeys\BatchOperations;
use Larder\Bench\Workload\ManyKeys\NestedObject;
use Larder\Bench\Workload\ManyKeys\ObjectKeys;
use Larder\Bench\Workload\Operations;
use Larder\Testbed\Value\SealedBytes;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(Batch::class)]
#[CoversClass(BatchOperations::class)]
#[CoversClass(NestedObject::class)]
#[CoversClass(ObjectKeys::class)]
final class ManyKeysTest extends TestCase
{
    /** @param array<string, int> $calls of one step, the first */
    #[DataProvider('operations')]
    public function testIsOneCallForAllKeysOrOneForEach(Operations $operations, array $calls): void
    {
        $store = new Store();
        $job = self::job(['batch' => 10, 'values' => 'small']);
        $operations->fill($store, $job);
        $step = $operations->step($store, $job, 0);
        $store->calls = [];

        ($step->run)();

        self::assertSame(10, $step->operations);
        self::assertSame($calls, $store->calls);
        foreach ($operations->needs() as $interface) {
            self::assertInstanceOf($interface, $store);
        }
    }

    /** @return iterable<string, array{Operations, array<string, int>}> */
    public static function operations(): iterable
    {
        yield 'get, many' => [BatchOperations::ManyGet, ['getMany' => 1]];
        yield 'get, single' => [BatchOperations::SingleGet, ['get' => 10]];
        yield 'set, many' => [BatchOperations::ManySet, ['setMany' => 1, 'getMany' => 1]];
        yield 'set, single' => [BatchOperations::SingleSet, ['set' => 10, 'get' => 10]];
        yield 'delete, many' => [BatchOperations::ManyDelete, ['setMany' => 1, 'deleteMany' => 1, 'getMany' => 1]];
        yield 'delete, single' => [BatchOperations::SingleDelete, ['set' => 10, 'delete' => 10, 'get' => 10]];
        yield 'increment, many' => [BatchOperations::ManyIncrement, ['incrementMany' => 1]];
        yield 'increment, single' => [BatchOperations::SingleIncrement, ['increment' => 10]];
        yield 'get objects, many' => [BatchOperations::ManyGetObjects, ['getMany' => 1]];
        yield 'get objects, single' => [BatchOperations::SingleGetObjects, ['getObject' => 10]];
        yield 'set objects, many' => [BatchOperations::ManySetObjects, ['setMany' => 1, 'getMany' => 1]];
        yield 'set objects, single' => [BatchOperations::SingleSetObjects, ['setObject' => 10, 'getObject' => 10]];
    }

    #[DataProvider('operations')]
    public function testGoesOnForLongWithoutAComplaint(Operations $operations): void
    {
        foreach (['source', 'small', 'web'] as $values) {
            $store = new Store();
            $job = self::job(['batch' => 10, 'values' => $values]);
            $operations->fill($store, $job);
            $step = $operations->step($store, $job, 1);
            $bytes = 0;
            for ($i = 0; $i < 350; ++$i) {
                $bytes += ($step->run)();
            }
            self::assertGreaterThanOrEqual(0, $bytes);
        }
    }

    #[DataProvider('faults')]
    public function testFindsAFault(Operations $operations, string $fault): void
    {
        $store = new Store($fault);
        $job = self::job(['batch' => 50, 'values' => 'small']);

        $this->expectException(WrongReply::class);

        $operations->fill($store, $job);
        $step = $operations->step($store, $job, 0);
        for ($i = 0; $i < 600; ++$i) {
            ($step->run)();
        }
    }

    /** @return iterable<string, array{Operations, string}> */
    public static function faults(): iterable
    {
        foreach (['many', 'single'] as $name) {
            yield "get, $name: the value of another key" => [BatchOperations::from($name . '_get'), 'other-key'];
            yield "get, $name: truncated" => [BatchOperations::from($name . '_get'), 'truncated'];
            yield "set, $name: every thousandth is lost" => [BatchOperations::from($name . '_set'), 'loses-sets'];
            yield "set objects, $name: every thousandth is lost" => [
                BatchOperations::from($name . '_set_objects'),
                'loses-sets',
            ];
            yield "get objects, $name: another one" => [BatchOperations::from($name . '_get_objects'), 'other-key'];
            yield "delete, $name: nothing happens" => [BatchOperations::from($name . '_delete'), 'keeps-deleted'];
            yield "increment, $name: by two" => [BatchOperations::from($name . '_increment'), 'counts-twice'];
        }
        yield 'a key too many' => [BatchOperations::ManyGet, 'extra-key'];
        yield 'a key too few' => [BatchOperations::ManyGet, 'missing-key'];
        yield 'an object too many' => [BatchOperations::ManyGetObjects, 'extra-key'];
        yield 'an object too few' => [BatchOperations::ManyGetObjects, 'missing-key'];
    }

    public function testDeletesNothingButWhatIsThereIfTold(): void
    {
        $store = new Store();
        $step = BatchOperations::ManyDelete->step($store, self::job(['values' => 'small', 'present' => 1]), 0);
        for ($i = 0; $i < 4; ++$i) {
            ($step->run)();
        }

        self::assertSame(['setMany' => 4, 'deleteMany' => 4, 'getMany' => 4], $store->calls);
    }

    public function testSaysHowManyRepliesItChecked(): void
    {
        $counts = [];
        foreach (BatchOperations::cases() as $operations) {
            $store = new Store();
            $job = self::job(['batch' => 10, 'values' => 'small']);
            $operations->fill($store, $job);
            $step = $operations->step($store, $job, 0);
            for ($i = 0; $i < 22; ++$i) {
                ($step->run)();
            }
            self::assertSame($step->checked === null, $step->how === '');
            $counts[$operations->value] = $step->checked === null ? 'every' : ($step->checked)();
        }

        self::assertSame([20, 20, 10, 10, 20, 20], array_values(array_filter($counts, \is_int(...))));
        self::assertSame('every', $counts['many_get']);
    }

    public function testHasTheSourcesSizes(): void
    {
        $sizes = Batch::lengths('source', 100);

        self::assertSame(SealedBytes::SHORTEST, $sizes[0]);
        self::assertSame([1000, 2000], \array_slice($sizes, 1, 2));
        self::assertSame(49_000, $sizes[49]);
        self::assertSame($sizes[3], $sizes[53]);
    }

    public function testHasSizesOfTheWebThatAreTheSameInEveryProcess(): void
    {
        $sizes = Batch::lengths('web', 10_000);
        $sorted = $sizes;
        sort($sorted);

        self::assertSame($sizes, Batch::lengths('web', 10_000));
        self::assertSame(\array_slice($sizes, 0, 5), Batch::lengths('web', 5));
        self::assertEqualsWithDelta(300, $sorted[5000], 15);
        self::assertEqualsWithDelta(300 * exp(1.645), $sorted[9500], 150);
        self::assertGreaterThanOrEqual(SealedBytes::SHORTEST, $sorted[0]);
    }

    public function testUsesTheSameKeysWhateverTheBatch(): void
    {
        foreach ([1, 2, 5, 10, 50, 200, 1000] as $size) {
            $batches = Batch::all(self::job(['batch' => $size, 'values' => 'web']), 'all');
            self::assertCount(intdiv(1000, $size), $batches);
            self::assertCount(
                1000,
                array_merge(...array_map(static fn(Batch $batch): array => $batch->keys, $batches)),
            );
            self::assertSame(
                array_sum(Batch::lengths('web', 1000)),
                array_sum(array_map(static fn(Batch $batch): int => $batch->bytes(), $batches)),
            );
        }
        self::assertCount(1, Batch::all(self::job([]), 'all'));
        self::assertCount(143, Batch::all(self::job(['batch' => 7, 'values' => 'small']), 'all'));
    }

    public function testKnowsItsObjects(): void
    {
        $object = NestedObject::around('payload');
        self::assertSame(
            'payload',
            NestedObject::payload(unserialize(serialize($object), ['allowed_classes' => [NestedObject::class]])),
        );
        self::assertNull(NestedObject::payload($object->inner));
        self::assertNull(NestedObject::payload('payload'));
        $object->fraction = 1.0;
        self::assertNull(NestedObject::payload($object));
    }

    public function testRefusesParametersThatMeanNothing(): void
    {
        foreach ([
            [BatchOperations::ManyGet, ['batch' => 0]],
            [BatchOperations::ManyGet, ['values' => 'huge']],
            [BatchOperations::ManyDelete, ['present' => 0]],
        ] as [$operations, $parameters]) {
            try {
                $operations->step(new Store(), self::job($parameters), 0);
                self::fail('not refused');
            } catch (\InvalidArgumentException $refused) {
                self::assertNotSame('', $refused->getMessage());
            }
        }
    }

    /** @param array<string, bool|float|int|string> $parameters */
    private static function job(array $parameters): Job
    {
        return new Job('many', 'store', $parameters, 0.1, 0, 7, [], '/nowhere', 'b9:');
    }
}
