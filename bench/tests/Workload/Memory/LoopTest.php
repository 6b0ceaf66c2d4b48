<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Memory;

use Closure;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Floor\Noop;
use Larder\Bench\Tests\Workload\Client\Jobs;
use Larder\Bench\Workload\Memory\CountLoop;
use Larder\Bench\Workload\Memory\GetLoop;
use Larder\Bench\Workload\Memory\PacedWriter;
use Larder\Bench\Workload\Memory\SetLoop;
use Larder\Bench\Workload\Memory\Value;
use Larder\Bench\Workload\Memory\WriteLoop;
use Larder\Bench\Workload\Operations;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

#[CoversClass(GetLoop::class)]
#[CoversClass(SetLoop::class)]
#[CoversClass(Value::class)]
#[CoversClass(PacedWriter::class)]
#[CoversClass(WriteLoop::class)]
#[CoversClass(CountLoop::class)]
final class LoopTest extends TestCase
{
    public function testAnHonestStoreIsRightWithEveryValue(): void
    {
        foreach (Value::cases() as $value) {
            foreach ([new GetLoop(), new SetLoop(), new GetLoop(Value::Int)] as $operations) {
                self::assertSame(
                    0,
                    Jobs::run($operations, new FaultyStore(), Jobs::job(['value' => $value->value]), 20),
                );
                self::assertSame(
                    0,
                    Jobs::run($operations, new Noop(), Jobs::job(['value' => $value->value], checked: false), 20),
                );
            }
        }
    }

    /** @param Closure(mixed, string): mixed $spoilt */
    #[DataProvider('faults')]
    public function testAFaultOfEveryThirdAnswerIsFound(Operations $operations, Value $value, Closure $spoilt): void
    {
        $this->expectException(WrongReply::class);
        Jobs::run($operations, new FaultyStore(spoilt: $spoilt, every: 3), Jobs::job(['value' => $value->value]), 500);
    }

    /** @return iterable<string, array{Operations, Value, Closure(mixed, string): mixed}> */
    public static function faults(): iterable
    {
        foreach ([
            'get' => new GetLoop(),
            'set' => new SetLoop(),
            'readers' => new GetLoop(Value::Int),
        ] as $name => $operations) {
            foreach (Value::cases() as $value) {
                yield "{$name}, {$value->value}: nothing" => [$operations, $value, static fn(): mixed => null];
                yield "{$name}, {$value->value}: another key's" => [
                    $operations,
                    $value,
                    static fn(): mixed => $value->make(77),
                ];
            }
            yield "{$name}: cut" => [
                $operations,
                Value::Text,
                static fn(mixed $text): string => substr(\is_string($text) ? $text : '', 0, -1),
            ];
            yield "{$name}: a row short" => [
                $operations,
                Value::Rows,
                static fn(mixed $rows): array => \array_slice(\is_array($rows) ? $rows : [], 1),
            ];
        }
    }

    /** A value that one spot in a thousand would miss is found when values are compared as a whole. */
    public function testOneWrongFieldOfThousandsIsFoundInTime(): void
    {
        $spoil = static function (mixed $rows): mixed {
            \assert(\is_array($rows) && \is_array($rows[500]));
            $rows[500]['author'] = 'nobody';

            return $rows;
        };
        foreach ([new GetLoop(), new SetLoop()] as $operations) {
            $wrong = null;
            try {
                Jobs::run($operations, new FaultyStore(spoilt: $spoil), Jobs::job(), 1);
            } catch (WrongReply $thrown) {
                $wrong = $thrown->getMessage();
            }
            self::assertStringContainsString('another value than was stored', (string) $wrong);
        }
    }

    public function testASetThatIsDroppedIsFound(): void
    {
        $first = null;
        $this->expectException(WrongReply::class);
        Jobs::run(new SetLoop(), new FaultyStore(spoilt: static function (mixed $value) use (&$first): mixed {
            return $first ??= $value;
        }), Jobs::job(['value' => 'int']), 2);
    }

    public function testLoopsOfWritesAreRightWithAnHonestStore(): void
    {
        foreach ([[new WriteLoop(), 0], [new WriteLoop(), 100], [new WriteLoop(), 400], [new CountLoop(), 0]] as [
            $operations,
            $size,
        ]) {
            self::assertSame(0, Jobs::run($operations, new FaultyStore(), Jobs::job(['size' => $size]), 20));
            self::assertSame(0, Jobs::run($operations, new Noop(), Jobs::job(['size' => $size], checked: false), 20));
        }
        $store = new FaultyStore();
        Jobs::run(new WriteLoop(), $store, Jobs::job(), 1);
        self::assertSame(8, $store->entries());
        self::assertSame(100, \strlen((string) $store->get(Jobs::job()->ownKeys(0, 'write', 8)[0])));
        Jobs::run(new CountLoop(), $store, Jobs::job(), 3);
        self::assertSame(3 * 1024, $store->getObject(Jobs::job()->ownKeys(0, 'count', 1)[0]));
    }

    public function testAWriteThatIsLostIsFound(): void
    {
        $first = null;
        $this->expectException(WrongReply::class);
        Jobs::run(new WriteLoop(), new FaultyStore(spoilt: static function (mixed $value) use (&$first): mixed {
            return $first ??= $value;
        }), Jobs::job(), 2);
    }

    public function testAnIncrementThatIsLostIsFound(): void
    {
        $this->expectExceptionMessage('2047 after it came to 2048');
        Jobs::run(
            new CountLoop(),
            new FaultyStore(spoilt: static fn(mixed $sum): int => \is_int($sum) && $sum > 0 ? $sum - 1 : 0),
            Jobs::job(),
            2,
        );
    }

    public function testNoTwoKeysHaveTheSameValue(): void
    {
        foreach (Value::cases() as $value) {
            self::assertSame(serialize($value->make(3)), serialize($value->make(3)), $value->value);
            self::assertNotSame(serialize($value->make(3)), serialize($value->make(4)), $value->value);
        }
        $rows = Value::Rows->make(3);
        self::assertIsArray($rows);
        self::assertSame([1000, 5], [\count($rows), \count((array) $rows[0])]);
        self::assertSame([100, 100_000], [\strlen(self::text(Value::String)), \strlen(self::text(Value::Text))]);
    }

    public function testASubjectOfOneValueHasThatOne(): void
    {
        $store = new FaultyStore();
        self::assertSame(
            0,
            Jobs::run(new GetLoop(), $store, Jobs::job(['value' => 'rows'], subject: Value::Int->subject() . '#2'), 3),
        );
        self::assertIsInt($store->getObject(GetLoop::keys('cell:')[0]));
    }

    public function testAWriterKeepsItsPaceAndTellsIt(): void
    {
        $file = (string) tempnam(sys_get_temp_dir(), 'writer');
        try {
            $writer = new PacedWriter(2000, static function (int $turn) use ($file): void {
                file_put_contents($file, $turn . "\n", FILE_APPEND);
            });
            usleep(500_000);
            $rate = $writer->end();
            $lines = file($file, FILE_IGNORE_NEW_LINES);

            self::assertIsArray($lines);
            self::assertEqualsWithDelta(2000.0, $rate, 400.0);
            self::assertSame(array_map(strval(...), range(0, \count($lines) - 1)), $lines);
            self::assertGreaterThan(500, \count($lines));
        } finally {
            unlink($file);
        }
    }

    public function testAWriterThatFailsSaysWhy(): void
    {
        $writer = new PacedWriter(1000, static fn() => throw new \RuntimeException('set(key): Refused'));
        usleep(50_000);
        $this->expectExceptionMessage('the writer: set(key): Refused');
        $writer->end();
    }

    public function testReadersReportWhatTheWriterDid(): void
    {
        $readers = new GetLoop(Value::Int);
        $job = Jobs::job(['writer' => 500]);
        $store = new FaultyStore();
        $readers->fill($store, $job);
        $step = $readers->step($store, $job, 0);
        self::assertNotNull($step->extras);
        ($step->run)();
        usleep(100_000);

        self::assertEqualsWithDelta(500.0, ($step->extras)()['sets beside, per second'], 200.0);
        self::assertNull((new GetLoop(Value::Int))->step($store, Jobs::job(['writer' => 0]), 0)->extras);
    }

    private static function text(Value $value): string
    {
        $text = $value->make(3);

        return \is_string($text) ? $text : '';
    }
}
