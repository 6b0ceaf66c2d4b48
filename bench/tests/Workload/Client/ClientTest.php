<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Client;

use Larder\Bench\Check\Verifier;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Floor\Noop;
use Larder\Bench\Workload\Client\CollectionOperations;
use Larder\Bench\Workload\Client\KeyOperations;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(KeyOperations::class)]
#[CoversClass(CollectionOperations::class)]
#[CoversClass(Job::class)]
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
        $counted = array_sum(
            array_map(
                static fn(string $call): int => $call === 'setMany' || $call === 'getMany' ? Job::OWN_KEYS : 1,
                $calls,
            ),
        );
        self::assertSame($counted, $step->operations);
    }

    /** @return iterable<string, array{Operations, list<string>, int}> */
    public static function operations(): iterable
    {
        $four = static fn(string ...$calls): array => array_merge(...array_fill(0, 4, array_values($calls)));

        yield 'keys' => [KeyOperations::Keys, ['set', 'get'], 64];
        yield 'get' => [KeyOperations::Get, ['get'], 400];
        yield 'set only' => [KeyOperations::Set, ['set'], 400];
        yield 'increase' => [
            KeyOperations::Increase,
            ['setCounter', 'increment', 'increment', 'increment', 'decrement', 'decrement', 'decrement'],
            0,
        ];
        yield 'append' => [KeyOperations::Append, ['set', 'append', 'append', 'append', 'get'], 128];
        yield 'multiple_keys' => [KeyOperations::MultipleKeys, ['setMany', 'getMany'], 256];
        yield 'list' => [CollectionOperations::Lists, ['delete', ...$four('pushRight', 'pushLeft', 'popLeft')], 0];
        yield 'set' => [
            CollectionOperations::Sets,
            ['delete', 'delete', ...$four('add', 'holds', 'move', 'random')],
            0,
        ];
        yield 'hash' => [
            CollectionOperations::Hashes,
            ['delete', 'setFields', ...$four('hasField', 'field'), 'fields'],
            0,
        ];
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

        if ($operations === KeyOperations::Get) {
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
            [KeyOperations::Keys, Lie::OtherKey, 50],
            [KeyOperations::Keys, Lie::Truncated, 1],
            [KeyOperations::Keys, Lie::Old, 5],
            [KeyOperations::Keys, Lie::DropsWrites, 1000],
            [KeyOperations::Get, Lie::OtherKey, 50],
            [KeyOperations::Get, Lie::Truncated, 1],
            [KeyOperations::Set, Lie::Truncated, 11],
            [KeyOperations::Set, Lie::Old, 1200],
            [KeyOperations::Set, Lie::OtherKey, 550],
            [KeyOperations::Set, Lie::DropsWrites, 11_000],
            [KeyOperations::Increase, Lie::OffByOne, 17],
            [KeyOperations::Increase, Lie::DropsWrites, 1000],
            [KeyOperations::Append, Lie::Truncated, 1],
            [KeyOperations::Append, Lie::Old, 2],
            [KeyOperations::Append, Lie::OtherKey, 50],
            [KeyOperations::Append, Lie::DropsWrites, 250],
            [KeyOperations::MultipleKeys, Lie::OtherKey, 50],
            [KeyOperations::MultipleKeys, Lie::Truncated, 1],
            [KeyOperations::MultipleKeys, Lie::Old, 2],
            [KeyOperations::MultipleKeys, Lie::MissingKey, 1],
            [KeyOperations::MultipleKeys, Lie::ExtraKey, 1],
            [KeyOperations::MultipleKeys, Lie::DropsWrites, 250],
            [CollectionOperations::Lists, Lie::OtherKey, 50],
            [CollectionOperations::Lists, Lie::Truncated, 1],
            [CollectionOperations::Lists, Lie::Old, 2],
            [CollectionOperations::Lists, Lie::OffByOne, 25],
            [CollectionOperations::Lists, Lie::DropsWrites, 250],
            [CollectionOperations::Lists, Lie::KeepsDeleted, 2],
            [CollectionOperations::Sets, Lie::Truncated, 1],
            [CollectionOperations::Sets, Lie::Old, 2],
            [CollectionOperations::Sets, Lie::No, 25],
            [CollectionOperations::Sets, Lie::DropsWrites, 250],
            [CollectionOperations::Hashes, Lie::OtherKey, 50],
            [CollectionOperations::Hashes, Lie::Truncated, 1],
            [CollectionOperations::Hashes, Lie::Old, 2],
            [CollectionOperations::Hashes, Lie::MissingKey, 1],
            [CollectionOperations::Hashes, Lie::ExtraKey, 1],
            [CollectionOperations::Hashes, Lie::No, 25],
            [CollectionOperations::Hashes, Lie::DropsWrites, 250],
        ];
        foreach ($lies as [$operations, $lie, $steps]) {
            yield $operations->name . ': ' . $lie->value => [$operations, $lie, $steps];
        }
    }

    public function testSaysHowManySetsWereReadBack(): void
    {
        $step = KeyOperations::Set->step(new Memory(), Jobs::job(), 0);
        for ($turn = 0; $turn < 33; ++$turn) {
            ($step->run)();
        }

        self::assertNotNull($step->checked);
        self::assertSame(3, ($step->checked)());
        self::assertNull(KeyOperations::Keys->step(new Memory(), Jobs::job(), 0)->checked);
    }

    public function testWhatAnEarlierWindowLeftBehindIsOld(): void
    {
        $memory = new Memory();
        Jobs::run(KeyOperations::Keys, $memory, Jobs::job(block: 0), 1000);
        $memory->lie = Lie::Old;
        for ($key = 1; $key <= Job::OWN_KEYS; ++$key) {
            self::assertNotNull($memory->get('cell:key:0:' . $key));
        }

        $this->expectException(WrongReply::class);
        Jobs::run(KeyOperations::Keys, $memory, Jobs::job(block: 1), 1);
    }

    public function testAValueIsAsLongAsTold(): void
    {
        foreach ([32, 400, 4096, 32_768, 335_872] as $size) {
            foreach ([
                [KeyOperations::Keys, 2, 'cell:key:0:2'],
                [KeyOperations::Get, 1, 'cell:get:1'],
                [KeyOperations::Set, 1, 'cell:set:0:2'],
                [KeyOperations::MultipleKeys, 8, 'cell:many:0:3'],
            ] as [$operations, $moved, $key]) {
                $memory = new Memory();
                self::assertSame($moved * $size, Jobs::run($operations, $memory, Jobs::job(['size' => $size]), 1));
                self::assertSame($size, \strlen($memory->values[$key] ?? ''));
            }
        }

        $this->expectException(\InvalidArgumentException::class);
        KeyOperations::Keys->step(new Memory(), Jobs::job(['size' => 27]), 0);
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

        self::assertSame(
            ['key: "another", where it had to be "text"', 'key: nothing, where it had to be "text"'],
            $messages,
        );
        Verifier::of(false)->text('key', null, 'text');
    }
}
