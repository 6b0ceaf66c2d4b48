<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\ManyKeys;

use Larder\Bench\Check\Seal;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\ManyKeys\Batch;
use Larder\Bench\Workload\ManyKeys\DeleteKeys;
use Larder\Bench\Workload\ManyKeys\GetKeys;
use Larder\Bench\Workload\ManyKeys\GetObjects;
use Larder\Bench\Workload\ManyKeys\IncrementKeys;
use Larder\Bench\Workload\ManyKeys\Node;
use Larder\Bench\Workload\ManyKeys\ObjectKeys;
use Larder\Bench\Workload\ManyKeys\Reader;
use Larder\Bench\Workload\ManyKeys\SetKeys;
use Larder\Bench\Workload\ManyKeys\SetObjects;
use Larder\Bench\Workload\ManyKeys\Sizes;
use Larder\Bench\Workload\Operations;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(Batch::class)]
#[CoversClass(DeleteKeys::class)]
#[CoversClass(GetKeys::class)]
#[CoversClass(GetObjects::class)]
#[CoversClass(IncrementKeys::class)]
#[CoversClass(Node::class)]
#[CoversClass(ObjectKeys::class)]
#[CoversClass(Reader::class)]
#[CoversClass(SetKeys::class)]
#[CoversClass(SetObjects::class)]
#[CoversClass(Sizes::class)]
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
        yield 'get, many' => [new GetKeys(true), ['getMany' => 1]];
        yield 'get, single' => [new GetKeys(false), ['get' => 10]];
        yield 'set, many' => [new SetKeys(true), ['setMany' => 1, 'getMany' => 1]];
        yield 'set, single' => [new SetKeys(false), ['set' => 10, 'get' => 10]];
        yield 'delete, many' => [new DeleteKeys(true), ['setMany' => 1, 'deleteMany' => 1, 'getMany' => 1]];
        yield 'delete, single' => [new DeleteKeys(false), ['set' => 10, 'delete' => 10, 'get' => 10]];
        yield 'increment, many' => [new IncrementKeys(true), ['incrementMany' => 1]];
        yield 'increment, single' => [new IncrementKeys(false), ['increment' => 10]];
        yield 'get objects, many' => [new GetObjects(true), ['getMany' => 1]];
        yield 'get objects, single' => [new GetObjects(false), ['getObject' => 10]];
        yield 'set objects, many' => [new SetObjects(true), ['setMany' => 1, 'getMany' => 1]];
        yield 'set objects, single' => [new SetObjects(false), ['setObject' => 10, 'getObject' => 10]];
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
        foreach (['many' => true, 'single' => false] as $name => $many) {
            yield "get, $name: the value of another key" => [new GetKeys($many), 'other-key'];
            yield "get, $name: truncated" => [new GetKeys($many), 'truncated'];
            yield "set, $name: every thousandth is lost" => [new SetKeys($many), 'loses-sets'];
            yield "set objects, $name: every thousandth is lost" => [new SetObjects($many), 'loses-sets'];
            yield "get objects, $name: another one" => [new GetObjects($many), 'other-key'];
            yield "delete, $name: nothing happens" => [new DeleteKeys($many), 'keeps-deleted'];
            yield "increment, $name: by two" => [new IncrementKeys($many), 'counts-twice'];
        }
        yield 'a key too many' => [new GetKeys(true), 'extra-key'];
        yield 'a key too few' => [new GetKeys(true), 'missing-key'];
        yield 'an object too many' => [new GetObjects(true), 'extra-key'];
        yield 'an object too few' => [new GetObjects(true), 'missing-key'];
    }

    public function testDeletesNothingButWhatIsThereIfTold(): void
    {
        $store = new Store();
        $step = (new DeleteKeys(true))->step($store, self::job(['values' => 'small', 'present' => 1]), 0);
        for ($i = 0; $i < 4; ++$i) {
            ($step->run)();
        }

        self::assertSame(['setMany' => 4, 'deleteMany' => 4, 'getMany' => 4], $store->calls);
    }

    public function testHasTheSourcesSizes(): void
    {
        $sizes = Sizes::of('source', 100);

        self::assertSame(Seal::SHORTEST, $sizes[0]);
        self::assertSame([1000, 2000], \array_slice($sizes, 1, 2));
        self::assertSame(49_000, $sizes[49]);
        self::assertSame($sizes[3], $sizes[53]);
    }

    public function testHasSizesOfTheWebThatAreTheSameInEveryProcess(): void
    {
        $sizes = Sizes::of('web', 10_000);
        $sorted = $sizes;
        sort($sorted);

        self::assertSame($sizes, Sizes::of('web', 10_000));
        self::assertSame(\array_slice($sizes, 0, 5), Sizes::of('web', 5));
        self::assertEqualsWithDelta(300, $sorted[5000], 15);
        self::assertEqualsWithDelta(300 * exp(1.645), $sorted[9500], 150);
        self::assertGreaterThanOrEqual(Seal::SHORTEST, $sorted[0]);
    }

    public function testUsesTheSameKeysWhateverTheBatch(): void
    {
        foreach ([1, 2, 5, 10, 50, 200, 1000] as $size) {
            $batches = Batch::all(self::job(['batch' => $size, 'values' => 'web']), 'all');
            self::assertCount(intdiv(1000, $size), $batches);
            self::assertCount(1000, array_merge(...array_map(static fn(Batch $batch): array => $batch->keys, $batches)));
            self::assertSame(array_sum(Sizes::of('web', 1000)), array_sum(array_map(static fn(Batch $batch): int => $batch->bytes(), $batches)));
        }
        self::assertCount(1, Batch::all(self::job([]), 'all'));
        self::assertCount(143, Batch::all(self::job(['batch' => 7, 'values' => 'small']), 'all'));
    }

    public function testKnowsItsObjects(): void
    {
        $object = Node::around('payload');
        self::assertSame('payload', Node::payload(unserialize(serialize($object), ['allowed_classes' => [Node::class]])));
        self::assertNull(Node::payload($object->inner));
        self::assertNull(Node::payload('payload'));
        $object->fraction = 1.0;
        self::assertNull(Node::payload($object));
    }

    public function testRefusesParametersThatMeanNothing(): void
    {
        foreach ([[new GetKeys(true), ['batch' => 0]], [new GetKeys(true), ['values' => 'huge']], [new DeleteKeys(true), ['present' => 0]]] as [$operations, $parameters]) {
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
