<?php

declare(strict_types=1);

namespace Larder\Testbed\Tests\Value;

use ArrayObject;
use Larder\Testbed\Value\SealedValue;
use Larder\Testbed\Value\WrongValue;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** That a damaged or exchanged value is seen, or "wrong: 0" would mean nothing. */
#[CoversClass(SealedValue::class)]
final class SealedValueTest extends TestCase
{
    /** @return iterable<string, array{mixed, int}> a value and the end it was given */
    public static function whole(): iterable
    {
        $lasting = new SealedValue(7, 123);
        $ending = new SealedValue(7, 123, 1_700_000_000_000);
        yield 'number' => [$lasting->number(), 0];
        yield 'short text' => [$lasting->text(0), 0];
        yield 'long text' => [$ending->text(40_960), 1_700_000_000_000];
        yield 'rows' => [$ending->rows(20), 1_700_000_000_000];
        yield 'no rows' => [$lasting->rows(0), 0];
        yield 'nest' => [$lasting->nest(9), 0];
        yield 'objects' => [$ending->objects(3), 1_700_000_000_000];
        yield 'objects, from another process' => [unserialize(serialize($lasting->objects(3))), 0];
    }

    /** @return iterable<string, array{mixed}> */
    public static function damaged(): iterable
    {
        $sealed = new SealedValue(7, 123, 1_700_000_000_000);
        yield 'nothing' => [null];
        yield 'false' => [false];
        yield 'another number' => [$sealed->number() + 1];
        yield 'another generation in a number' => [($sealed->number() & ~0xFFFFFFF) | 124];
        yield 'another key in a number' => [$sealed->number() ^ 1 << 28];
        yield 'no text' => [''];
        yield 'a text cut short' => [substr($sealed->text(100), 0, -1)];
        yield 'a text without its first byte' => [substr($sealed->text(100), 1)];
        yield 'one byte of a text' => [substr_replace($sealed->text(5000), "\0", 4000, 1)];
        yield 'another generation in a text' => [preg_replace('/^7 123 /', '7 124 ', $sealed->text(0))];
        yield 'another end of a text' => [str_replace('1700000000000', '1700000000001', $sealed->text(0))];
        yield 'the body of an older text' => [
            strstr($sealed->text(50), "\n", true)
                . strstr((new SealedValue(7, 122, 1_700_000_000_000))->text(50), "\n"),
        ];
        yield 'no array' => [[]];
        yield 'a part of an array' => [array_slice($sealed->rows(3), 0, 4)];
        yield 'another row' => [array_replace_recursive($sealed->rows(3), ['body' => [1 => ['author' => 'Nobody']]])];
        yield 'the rows of the generation before' => [
            array_replace_recursive($sealed->rows(3), ['body' => (new SealedValue(7, 122))->rows(3)['body']]),
        ];
        yield 'an int for a float' => [array_replace_recursive($sealed->rows(3), ['body' => [0 => ['score' => 41]]])];
        yield 'another key of an array' => [['key' => 8] + $sealed->rows(3)];
        yield 'another end of an array' => [['until' => 0] + $sealed->nest(3)];
        yield 'a sum of an array' => [['sum' => 'no'] + $sealed->nest(3)];
        yield 'two objects instead of one' => [
            array_replace_recursive($sealed->objects(2), ['body' => ['object' => new ArrayObject()]]),
        ];
    }

    #[DataProvider('whole')]
    public function testKnowsItselfAgain(mixed $value, int $until): void
    {
        self::assertEquals(new SealedValue(7, 123, $until), SealedValue::of($value));
    }

    #[DataProvider('damaged')]
    public function testFindsDamage(mixed $value): void
    {
        $this->expectException(WrongValue::class);
        SealedValue::of($value);
    }

    public function testTwoEqualObjectsAreNotOne(): void
    {
        $value = (new SealedValue(7, 123))->objects(2);
        \assert(
            \is_array($value['body'])
                && \is_array($value['body']['deep'])
                && $value['body']['object'] instanceof ArrayObject,
        );
        $value['body']['deep']['again'] = clone $value['body']['object'];

        $this->expectException(WrongValue::class);
        SealedValue::of($value);
    }

    public function testKeysAndGenerationsDoNotRunIntoEachOther(): void
    {
        $last = new SealedValue(SealedValue::KEYS - 1, 0xFFFFFFF);

        self::assertEquals($last, SealedValue::of($last->number()));
        self::assertGreaterThan(0, $last->number());
    }

    public function testAReaderIsToldWhatIsWrong(): void
    {
        $sealed = new SealedValue(7, 123, writer: 4);
        self::assertSame(4, SealedValue::verify($sealed->text(9), 7, 123, 123)->writer);
        foreach ([
            'the value of key 7 instead of 8' => static fn() => SealedValue::verify($sealed->rows(1), 8),
            'key 7 has generation 123 instead of 124 or more' => static fn() => SealedValue::verify(
                $sealed->nest(1),
                7,
                124,
            ),
            'key 7 has generation 123 instead of 0 to 122' => static fn() => SealedValue::verify(
                $sealed->number(),
                7,
                0,
                122,
            ),
            '5 bytes without a head' => static fn() => SealedValue::of("12345"),
            'a value of type null' => static fn() => SealedValue::of(null),
        ] as $message => $verify) {
            try {
                $verify();
                self::fail($message);
            } catch (WrongValue $wrong) {
                self::assertSame($message, $wrong->getMessage());
            }
        }
    }

    public function testAnyValueIsKnownAgainAndShapesAlternate(): void
    {
        $types = [];
        for ($generation = 0; $generation < 50; ++$generation) {
            $sealed = new SealedValue(3, $generation);
            $value = $sealed->any();
            self::assertEquals($sealed, SealedValue::of($value));
            $types[get_debug_type($value)] = true;
        }
        self::assertEquals(['int' => true, 'array' => true, 'string' => true], $types);
        self::assertEquals(new SealedValue(3, 99), SealedValue::of((new SealedValue(3, 99))->long()));
    }

    public function testHalvesOfTwoValuesAreNoValue(): void
    {
        [$one, $other] = [(new SealedValue(7, 123))->text(8000), (new SealedValue(7, 124))->text(8000)];
        $this->expectException(WrongValue::class);
        SealedValue::of(substr($one, 0, 4000) . substr($other, 4000));
    }
}
