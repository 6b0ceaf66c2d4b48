<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Client;

use Larder\Bench\Check\Verifier;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Floor\Noop;
use Larder\Bench\Workload\Client\Append;
use Larder\Bench\Workload\Client\Get;
use Larder\Bench\Workload\Client\HashOps;
use Larder\Bench\Workload\Client\Increase;
use Larder\Bench\Workload\Client\Keys;
use Larder\Bench\Workload\Client\ListOps;
use Larder\Bench\Workload\Client\MultipleKeys;
use Larder\Bench\Workload\Client\OwnKeys;
use Larder\Bench\Workload\Client\Set;
use Larder\Bench\Workload\Client\SetOps;
use Larder\Bench\Workload\Operations;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(Append::class)]
#[CoversClass(Get::class)]
#[CoversClass(HashOps::class)]
#[CoversClass(Increase::class)]
#[CoversClass(Keys::class)]
#[CoversClass(ListOps::class)]
#[CoversClass(MultipleKeys::class)]
#[CoversClass(OwnKeys::class)]
#[CoversClass(Set::class)]
#[CoversClass(SetOps::class)]
#[CoversClass(Verifier::class)]
final class ClientTest extends TestCase
{
    /** @param list<string> $calls of the first step */
    #[DataProvider('operations')]
    public function testAStepIsTheSourcesRound(Operations $operations, array $calls, int $bytes): void
    {
        $memory = new Memory();
        $job = Jobs::job();
        foreach ($operations->needs() as $interface) {
            self::assertInstanceOf($interface, $memory);
        }
        $operations->fill($memory, $job);
        $step = $operations->step($memory, $job, 0);
        $memory->notes = true;

        self::assertSame($bytes, ($step->run)());
        self::assertSame($calls, $memory->calls);
        $counted = array_sum(array_map(static fn(string $call): int => $call === 'setMany' || $call === 'getMany' ? OwnKeys::COUNT : 1, $calls));
        self::assertSame($counted, $step->operations);
    }

    /** @return iterable<string, array{Operations, list<string>, int}> */
    public static function operations(): iterable
    {
        $four = static fn(string ...$calls): array => array_merge(...array_fill(0, 4, array_values($calls)));

        yield 'keys' => [new Keys(), ['set', 'get'], 64];
        yield 'get' => [new Get(), ['get'], 400];
        yield 'set only' => [new Set(), ['set'], 400];
        yield 'increase' => [new Increase(), ['setCounter', 'increment', 'increment', 'increment', 'decrement', 'decrement', 'decrement'], 0];
        yield 'append' => [new Append(), ['set', 'append', 'append', 'append', 'get'], 128];
        yield 'multiple_keys' => [new MultipleKeys(), ['setMany', 'getMany'], 256];
        yield 'list' => [new ListOps(), ['delete', ...$four('pushRight', 'pushLeft', 'popLeft')], 0];
        yield 'set' => [new SetOps(), ['delete', 'delete', ...$four('add', 'holds', 'move', 'random')], 0];
        yield 'hash' => [new HashOps(), ['delete', 'setFields', ...$four('hasField', 'field'), 'fields'], 0];
    }

    /** @return iterable<string, array{Operations, int}> */
    public static function rounds(): iterable
    {
        foreach (self::operations() as $name => [$operations, , $bytes]) {
            yield $name => [$operations, $bytes];
        }
    }

    #[DataProvider('rounds')]
    public function testAnHonestStoreIsRightForTenThousandSteps(Operations $operations, int $bytes): void
    {
        self::assertSame(10_000 * $bytes, Jobs::run($operations, new Memory(), Jobs::job(), 10_000));
    }

    #[DataProvider('rounds')]
    public function testAFloorIsNotHeldToAnything(Operations $operations, int $bytes): void
    {
        self::assertSame(1000 * $bytes, Jobs::run($operations, new Noop(), Jobs::job(checked: false), 1000));
    }

    #[DataProvider('rounds')]
    public function testWorkersShareNoKeysThatAreWritten(Operations $operations): void
    {
        $keys = [];
        foreach ([0, 1, 11] as $worker) {
            $memory = new Memory();
            $operations->fill($memory, Jobs::job());
            $run = $operations->step($memory, Jobs::job(), $worker)->run;
            $memory->notes = true;
            for ($step = 0; $step < 200; ++$step) {
                $run();
            }
            self::assertSame([], preg_grep('/^cell:/', array_keys($memory->keys), PREG_GREP_INVERT));
            $keys[] = array_keys($memory->keys);
        }

        if ($operations instanceof Get) {
            self::assertCount(100, array_unique(array_merge(...$keys)));
        } else {
            self::assertSame(array_merge(...$keys), array_unique(array_merge(...$keys)));
        }
    }

    #[DataProvider('lies')]
    public function testALieIsFound(Operations $operations, Lie $lie, int $steps): void
    {
        $job = Jobs::job();
        $memory = new Memory();
        $operations->fill($memory, $job);
        $run = $operations->step($memory, $job, 0)->run;
        $memory->lie = $lie;

        $this->expectException(WrongReply::class);
        $this->expectExceptionMessage('cell:');
        for ($step = 0; $step < $steps; ++$step) {
            $run();
        }
    }

    /** @return iterable<string, array{Operations, Lie, int}> the steps after which at the latest it is found */
    public static function lies(): iterable
    {
        $lies = [
            [new Keys(), Lie::OtherKey, 50],
            [new Keys(), Lie::Truncated, 1],
            [new Keys(), Lie::Old, 5],
            [new Keys(), Lie::DropsWrites, 1000],
            [new Get(), Lie::OtherKey, 50],
            [new Get(), Lie::Truncated, 1],
            [new Set(), Lie::Truncated, 11],
            [new Set(), Lie::Old, 1200],
            [new Set(), Lie::OtherKey, 550],
            [new Set(), Lie::DropsWrites, 11_000],
            [new Increase(), Lie::OffByOne, 17],
            [new Increase(), Lie::DropsWrites, 1000],
            [new Append(), Lie::Truncated, 1],
            [new Append(), Lie::Old, 2],
            [new Append(), Lie::OtherKey, 50],
            [new Append(), Lie::DropsWrites, 250],
            [new MultipleKeys(), Lie::OtherKey, 50],
            [new MultipleKeys(), Lie::Truncated, 1],
            [new MultipleKeys(), Lie::Old, 2],
            [new MultipleKeys(), Lie::MissingKey, 1],
            [new MultipleKeys(), Lie::ExtraKey, 1],
            [new MultipleKeys(), Lie::DropsWrites, 250],
            [new ListOps(), Lie::OtherKey, 50],
            [new ListOps(), Lie::Truncated, 1],
            [new ListOps(), Lie::Old, 2],
            [new ListOps(), Lie::OffByOne, 25],
            [new ListOps(), Lie::DropsWrites, 250],
            [new ListOps(), Lie::KeepsDeleted, 2],
            [new SetOps(), Lie::Truncated, 1],
            [new SetOps(), Lie::Old, 2],
            [new SetOps(), Lie::No, 25],
            [new SetOps(), Lie::DropsWrites, 250],
            [new HashOps(), Lie::OtherKey, 50],
            [new HashOps(), Lie::Truncated, 1],
            [new HashOps(), Lie::Old, 2],
            [new HashOps(), Lie::MissingKey, 1],
            [new HashOps(), Lie::ExtraKey, 1],
            [new HashOps(), Lie::No, 25],
            [new HashOps(), Lie::DropsWrites, 250],
        ];
        foreach ($lies as [$operations, $lie, $steps]) {
            yield (new \ReflectionClass($operations))->getShortName() . ': ' . $lie->value => [$operations, $lie, $steps];
        }
    }

    public function testWhatAnEarlierWindowLeftBehindIsOld(): void
    {
        $memory = new Memory();
        Jobs::run(new Keys(), $memory, Jobs::job(block: 0), 1000);
        $memory->lie = Lie::Old;
        for ($key = 1; $key <= OwnKeys::COUNT; ++$key) {
            self::assertNotNull($memory->get('cell:key:0:' . $key));
        }

        $this->expectException(WrongReply::class);
        Jobs::run(new Keys(), $memory, Jobs::job(block: 1), 1);
    }

    public function testAValueIsAsLongAsTold(): void
    {
        foreach ([32, 400, 4096, 32_768, 335_872] as $size) {
            foreach ([[new Keys(), 2, 'cell:key:0:2'], [new Get(), 1, 'cell:get:1'], [new Set(), 1, 'cell:set:0:2'], [new MultipleKeys(), 8, 'cell:many:0:3']] as [$operations, $moved, $key]) {
                $memory = new Memory();
                self::assertSame($moved * $size, Jobs::run($operations, $memory, Jobs::job(['size' => $size]), 1));
                self::assertSame($size, \strlen($memory->values[$key] ?? ''));
            }
        }

        $this->expectException(\InvalidArgumentException::class);
        (new Keys())->step(new Memory(), Jobs::job(['size' => 27]), 0);
    }

    public function testSaysWhatItGotAndWhatItHadToBe(): void
    {
        $verifier = Verifier::of(true);
        $verifier->text('key', 'text', 'text');
        $messages = [];
        foreach (['another', null] as $got) {
            try {
                $verifier->text('key', $got, 'text');
            } catch (WrongReply $wrong) {
                $messages[] = $wrong->getMessage();
            }
        }

        self::assertSame(['key: "another", where it had to be "text"', 'key: nothing, where it had to be "text"'], $messages);
        Verifier::of(false)->text('key', null, 'text');
    }
}
