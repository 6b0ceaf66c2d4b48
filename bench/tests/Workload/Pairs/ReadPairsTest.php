<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Pairs;

use InvalidArgumentException;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Floor\Noop;
use Larder\Bench\Tests\Workload\Client\Jobs;
use Larder\Bench\Tests\Workload\Client\Memory;
use Larder\Bench\Workload\Pairs\ReadPairs;
use Larder\Testbed\Value\SealedBytes;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(ReadPairs::class)]
final class ReadPairsTest extends TestCase
{
    public function testFillsTheSourcesRows(): void
    {
        $memory = new Memory();
        $memory->notes = true;
        (new ReadPairs())->fill($memory, Jobs::job());

        self::assertSame(array_fill(0, 50, 'setMany'), $memory->calls);
        self::assertCount(25_000, $memory->values);
        self::assertSame([100], array_values(array_unique(array_map(strlen(...), array_keys($memory->values)))));
        self::assertSame([400], array_values(array_unique(array_map(strlen(...), $memory->values))));
    }

    public function testFillsOneByOneWhereThereIsNoOtherWay(): void
    {
        $rows = new Rows();
        (new ReadPairs())->fill($rows, Jobs::job(['pairs' => 1200]));

        self::assertCount(1200, $rows->writes);
        self::assertSame(1200, array_sum($rows->writes));
    }

    #[DataProvider('mixes')]
    public function testAnHonestStoreIsRightAndTheMixIsExact(int $reads, string $keys): void
    {
        $rows = self::filled();
        $job = Jobs::job(['pairs' => 1000, 'reads' => $reads, 'keys' => $keys]);
        $step = (new ReadPairs())->step($rows, $job, 0);
        self::assertSame(1, $step->operations);
        for ($count = 0; $count < 10_000; ++$count) {
            self::assertSame(400, ($step->run)());
        }

        self::assertSame([100 * $reads, 100 * (100 - $reads)], [array_sum($rows->reads), array_sum($rows->writes)]);
    }

    /** @return iterable<string, array{int, string}> */
    public static function mixes(): iterable
    {
        foreach ([100, 95, 50, 1] as $reads) {
            foreach (['uniform', 'zipf'] as $keys) {
                yield "$reads, $keys" => [$reads, $keys];
            }
        }
    }

    public function testSaysHowManyRepliesAreChecked(): void
    {
        $checked = static function (int $reads): ?int {
            $step = (new ReadPairs())->step(self::filled(), Jobs::job(['pairs' => 1000, 'reads' => $reads]), 0);
            for ($count = 0; $count < 10_000; ++$count) {
                ($step->run)();
            }

            return $step->checked === null ? null : ($step->checked)();
        };

        // Reads alone: every reply. Of 100 operations 5 write: each write is read back. Of 100 50 write: one of 21.
        self::assertNull($checked(100));
        self::assertSame(10_000, $checked(95));
        self::assertEqualsWithDelta(5000 + 5000 / 21, $checked(50), 1.0);
    }

    public function testWorkersWriteTheirOwnShareAndReadOthersWrites(): void
    {
        $rows = self::filled();
        $job = Jobs::job(['pairs' => 1000, 'reads' => 50, 'workers' => 3]);
        $runs = array_map(
            static fn(int $worker): \Closure => (new ReadPairs())->step($rows, $job, $worker)->run,
            [0, 1, 2],
        );
        $shares = [];
        for ($step = 0; $step < 10_000; ++$step) {
            foreach ($runs as $worker => $run) {
                $rows->forget();
                $run();
                foreach ($rows->written() as $key) {
                    $share = (int) substr($key, \strlen('cell:row:')) % 3;
                    $shares[$share][$worker] = true;
                }
            }
        }

        ksort($shares);
        self::assertSame([[0 => true], [1 => true], [2 => true]], $shares);
    }

    public function testReadsAllRowsAlikeOrByZipf(): void
    {
        $shares = [];
        foreach (['uniform', 'zipf'] as $keys) {
            $rows = self::filled();
            $run = (new ReadPairs())->step($rows, Jobs::job(['pairs' => 1000, 'keys' => $keys]), 0)->run;
            for ($step = 0; $step < 20_000; ++$step) {
                $run();
            }
            arsort($rows->reads);
            $shares[$keys] = array_sum(\array_slice($rows->reads, 0, 10)) / 20_000;
        }

        self::assertEqualsWithDelta(0.016, $shares['uniform'], 0.004);
        // The sum of k^-0.99 for the first ten of a thousand.
        self::assertEqualsWithDelta(0.385, $shares['zipf'], 0.03);
    }

    public function testTheOrderIsTheSeedsAndTheWorkers(): void
    {
        $orders = [];
        foreach ([[7, 0], [7, 0], [7, 1], [8, 0]] as [$seed, $worker]) {
            $rows = self::filled();
            $run = (new ReadPairs())->step(
                $rows,
                Jobs::job(['pairs' => 1000, 'workers' => 2], seed: $seed),
                $worker,
            )->run;
            for ($step = 0; $step < 20; ++$step) {
                $run();
            }
            $orders[] = array_keys($rows->reads);
        }

        self::assertSame($orders[0], $orders[1]);
        self::assertNotSame($orders[0], $orders[2]);
        self::assertNotSame($orders[0], $orders[3]);
    }

    #[DataProvider('lies')]
    public function testALieIsFound(string $lie, int $reads, int $steps): void
    {
        $rows = self::filled($lie, 25_000);

        $this->expectException(WrongReply::class);
        $run = (new ReadPairs())->step($rows, Jobs::job(['reads' => $reads]), 0)->run;
        for ($step = 0; $step < $steps; ++$step) {
            $run();
        }
    }

    /** @return iterable<string, array{string, int, int}> */
    public static function lies(): iterable
    {
        foreach ([100, 95, 50] as $reads) {
            yield "another row, reads $reads" => ['other', $reads, 10];
            yield "truncated, reads $reads" => ['truncated', $reads, 10];
        }
        yield 'old, reads 95' => ['old', 95, 100];
        yield 'old, reads 50' => ['old', 50, 100];
        yield 'every 1,000th write is lost, reads 95' => ['drops', 95, 20_100];
        yield 'every 1,000th write is lost, reads 50' => ['drops', 50, 42_100];
    }

    public function testARowThatIsNotThereIsWrong(): void
    {
        $rows = self::filled();
        foreach (array_keys($rows->values) as $key) {
            $rows->delete($key);
        }

        $this->expectException(WrongReply::class);
        (((new ReadPairs())->step($rows, Jobs::job(['pairs' => 1000]), 0))->run)();
    }

    public function testAnOwnRowIsExactlyTheLastWriteAndAnothersAnyNewer(): void
    {
        $rows = self::filled();
        $job = Jobs::job(['pairs' => 1000, 'workers' => 2]);
        $run = (new ReadPairs())->step($rows, $job, 0)->run;
        $seal = new SealedBytes();
        foreach (array_keys($rows->values) as $key) {
            $rows->values[$key] = $seal->value($key, 1 << 40, 400);
        }
        self::assertSame(400, $run());

        foreach (array_keys($rows->values) as $key) {
            $rows->values[$key] = $seal->value($key, 0, 400);
        }
        $this->expectException(WrongReply::class);
        $run();
    }

    public function testAFloorIsNotHeldToAnything(): void
    {
        self::assertSame(
            400_000,
            Jobs::run(new ReadPairs(), new Noop(), Jobs::job(['pairs' => 1000, 'reads' => 50], checked: false), 1000),
        );
    }

    public function testRefusesParametersThatMeanNothing(): void
    {
        foreach ([
            ['reads' => 0],
            ['reads' => 101],
            ['keys' => 'some'],
            ['pairs' => 0],
            ['pairs' => 3, 'workers' => 4],
        ] as $parameters) {
            $refused = null;
            try {
                (new ReadPairs())->step(new Rows(), Jobs::job($parameters), 0);
            } catch (InvalidArgumentException $thrown) {
                $refused = $thrown->getMessage();
            }
            self::assertIsString($refused);
        }
    }

    private static function filled(string $lie = 'none', int $pairs = 1000): Rows
    {
        $rows = new Rows();
        (new ReadPairs())->fill($rows, Jobs::job(['pairs' => $pairs]));
        $rows->forget();
        $rows->lie = $lie;

        return $rows;
    }
}
