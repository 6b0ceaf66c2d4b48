<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Client;

use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\DirectObjects;
use Larder\Bench\Subject\Encoding\Serializer;
use Larder\Bench\Subject\Floor\ArrayStore;
use Larder\Bench\Subject\Floor\Noop;
use Larder\Bench\Subject\KeyValue;
use Larder\Bench\Subject\Subject;
use Larder\Bench\Tests\Workload\Encoding\Spoiling;
use Larder\Bench\Workload\Client\KeysLarge;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(KeysLarge::class)]
#[CoversClass(DirectObjects::class)]
final class KeysLargeTest extends TestCase
{
    #[DataProvider('conditions')]
    public function testAnHonestStoreIsRight(string $shape, string $serializer): void
    {
        foreach ([new Memory(), new ArrayStore(), new Noop()] as $subject) {
            $bytes = Jobs::run(
                new KeysLarge(),
                $subject,
                Jobs::job(['shape' => $shape, 'serializer' => $serializer], checked: !$subject instanceof Noop),
                $shape === 'nested' ? 5 : 50,
            );
            self::assertSame($serializer === 'native', $bytes === 0);
        }
    }

    /** @return iterable<string, array{string, string}> */
    public static function conditions(): iterable
    {
        foreach (['small', 'rows', 'graph', 'strings', 'nested'] as $shape) {
            foreach (['native', 'php', 'igbinary'] as $serializer) {
                yield "$shape, $serializer" => [$shape, $serializer];
            }
        }
    }

    #[DataProvider('conditions')]
    public function testIsRightWhoeverRestoresWhatRepeatedPartsShare(string $shape, string $serializer): void
    {
        if ($serializer === 'native') {
            $stores = [
                'store+igbinary' => new DirectObjects(new Memory(), new Serializer('php')),
                'store+php' => new DirectObjects(new Memory(), new Serializer('igbinary')),
            ];
            foreach ($stores as $id => $store) {
                Jobs::run(new KeysLarge(), $store, Jobs::job(['shape' => $shape], subject: $id), 2);
            }
        }
        $this->expectNotToPerformAssertions();
    }

    public function testSetsFourKeysAndGetsTheLast(): void
    {
        foreach (['native' => ['setObject', 'getObject'], 'php' => ['set', 'get']] as $serializer => [$set, $get]) {
            $memory = new Memory();
            $memory->notes = true;
            $step = (new KeysLarge())->step($memory, Jobs::job(['shape' => 'small', 'serializer' => $serializer]), 3);
            ($step->run)();

            self::assertSame([$set, $set, $set, $set, $get], $memory->calls);
            self::assertSame(5, $step->operations);
            self::assertSame(
                ['cell:large:3:1', 'cell:large:3:2', 'cell:large:3:3', 'cell:large:3:4'],
                array_keys($memory->keys),
            );
        }
    }

    #[DataProvider('lies')]
    public function testALieIsFound(Lie $lie, string $serializer, int $steps): void
    {
        $memory = new Memory();
        $run = (new KeysLarge())->step($memory, Jobs::job(['shape' => 'small', 'serializer' => $serializer]), 0)->run;
        $memory->lie = $lie;

        $this->expectException(
            $serializer === 'php' && $lie === Lie::Truncated ? \RuntimeException::class : WrongReply::class,
        );
        for ($step = 0; $step < $steps; ++$step) {
            $run();
        }
    }

    /** @return iterable<string, array{Lie, string, int}> */
    public static function lies(): iterable
    {
        foreach (['native', 'php', 'igbinary'] as $serializer) {
            yield "old, $serializer" => [Lie::Old, $serializer, 2];
            yield "other, $serializer" => [Lie::OtherKey, $serializer, 50];
            yield "drops, $serializer" => [Lie::DropsWrites, $serializer, 250];
        }
        yield 'a member less' => [Lie::MissingKey, 'native', 1];
    }

    public function testTheValueOfAnotherKeyOfTheSameTurnIsFound(): void
    {
        $this->expectException(WrongReply::class);
        $this->expectExceptionMessage('cell:large:0:4: not the object that was stored last');
        Jobs::run(new KeysLarge(), new Swapped(), Jobs::job(['shape' => 'small']), 1);
    }

    public function testAByteDeepInsideCounts(): void
    {
        foreach (['rows', 'graph', 'strings'] as $shape) {
            $wrong = null;
            try {
                Jobs::run(
                    new KeysLarge(),
                    new DirectObjects(new Memory(), new Spoiling()),
                    Jobs::job(['shape' => $shape]),
                    1,
                );
            } catch (WrongReply $thrown) {
                $wrong = $thrown->getMessage();
            }
            self::assertSame('cell:large:0:4: the object is not as it was stored', $wrong, $shape);
        }
    }

    public function testWhoCannotTakePartIsToldWhy(): void
    {
        $direct = new DirectObjects(new Memory(), new Serializer('php'));
        $cases = [
            [self::createStub(KeyValue::class), ['serializer' => 'native'], 'store', 'has no serializer of its own'],
            [$direct, ['serializer' => 'php'], 'store', 'is there for its own serializer'],
            [new Memory(), ['serializer' => 'igbinary'], 'memcached+php', 'is there for its own serializer'],
            [
                new DirectObjects(new Memory(), new Serializer('json')),
                ['shape' => 'graph'],
                'store',
                'gives arrays back in place of objects',
            ],
        ];
        foreach ($cases as [$subject, $parameters, $id, $why]) {
            self::assertSame($why, self::refusal($subject, $parameters, $id));
        }
    }

    public function testADirectOneReportsTheBytes(): void
    {
        $sizes = [];
        foreach (['native', 'php', 'igbinary'] as $serializer) {
            $step = (new KeysLarge())->step(new Memory(), Jobs::job(['serializer' => $serializer]), 0);
            $sizes[$serializer] = $step->extras === null ? null : ($step->extras)()['bytes'] ?? null;
        }

        self::assertSame(['native' => null, 'php' => 327_790.0, 'igbinary' => 514.0], $sizes);
    }

    public function testThereAreNoOtherSerializersAndShapes(): void
    {
        foreach ([['serializer' => 'xml'], ['shape' => 'round']] as $parameters) {
            $said = '';
            try {
                (new KeysLarge())->step(new Memory(), Jobs::job($parameters), 0);
            } catch (\InvalidArgumentException $refused) {
                $said = $refused->getMessage();
            }
            self::assertStringContainsString('"' . implode('', $parameters) . '"', $said);
        }
    }

    /** @param array<string, string> $parameters */
    private static function refusal(Subject $subject, array $parameters, string $id): string
    {
        try {
            Jobs::run(new KeysLarge(), $subject, Jobs::job($parameters, subject: $id), 1);
        } catch (NotApplicable $refused) {
            return $refused->getMessage();
        }

        return '';
    }
}
