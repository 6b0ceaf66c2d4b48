<?php

declare(strict_types=1);

namespace Larder\Torture\Tests;

use Larder\Torture\Memory\Specimen;
use ArrayObject;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** That a damaged or exchanged value is seen, or "wrong: 0" would mean nothing. */
#[CoversClass(Specimen::class)]
final class MemorySpecimenTest extends TestCase
{
    /** @return iterable<string, array{mixed, int}> a value and the end it was given */
    public static function whole(): iterable
    {
        $lasting = new Specimen(7, 123);
        $ending = new Specimen(7, 123, 1_700_000_000_000);
        yield 'number' => [$lasting->number(), 0];
        yield 'short text' => [$lasting->text(0), 0];
        yield 'long text' => [$ending->text(Specimen::LONGEST), 1_700_000_000_000];
        yield 'rows' => [$ending->rows(20), 1_700_000_000_000];
        yield 'no rows' => [$lasting->rows(0), 0];
        yield 'nest' => [$lasting->nest(9), 0];
        yield 'objects' => [$ending->objects(3), 1_700_000_000_000];
        yield 'objects, from another process' => [unserialize(serialize($lasting->objects(3))), 0];
    }

    /** @return iterable<string, array{mixed}> */
    public static function damaged(): iterable
    {
        $specimen = new Specimen(7, 123, 1_700_000_000_000);
        yield 'nothing' => [null];
        yield 'false' => [false];
        yield 'another number' => [$specimen->number() + 1];
        yield 'another generation in a number' => [($specimen->number() & ~0xFFFFFFF) | 124];
        yield 'another key in a number' => [$specimen->number() ^ 1 << 28];
        yield 'no text' => [''];
        yield 'a text cut short' => [substr($specimen->text(100), 0, -1)];
        yield 'a text without its first byte' => [substr($specimen->text(100), 1)];
        yield 'one byte of a text' => [substr_replace($specimen->text(5000), "\0", 4000, 1)];
        yield 'another generation in a text' => [preg_replace('/^7 123 /', '7 124 ', $specimen->text(0))];
        yield 'another end of a text' => [str_replace('1700000000000', '1700000000001', $specimen->text(0))];
        yield 'the body of an older text' => [strstr($specimen->text(50), "\n", true) . strstr((new Specimen(7, 122, 1_700_000_000_000))->text(50), "\n")];
        yield 'no array' => [[]];
        yield 'a part of an array' => [array_slice($specimen->rows(3), 0, 4)];
        yield 'another row' => [array_replace_recursive($specimen->rows(3), ['body' => [1 => ['author' => 'Nobody']]])];
        yield 'the rows of the generation before' => [array_replace_recursive($specimen->rows(3), ['body' => (new Specimen(7, 122))->rows(3)['body']])];
        yield 'an int for a float' => [array_replace_recursive($specimen->rows(3), ['body' => [0 => ['score' => 41]]])];
        yield 'another key of an array' => [['key' => 8] + $specimen->rows(3)];
        yield 'another end of an array' => [['until' => 0] + $specimen->nest(3)];
        yield 'a sum of an array' => [['sum' => 'no'] + $specimen->nest(3)];
        yield 'two objects instead of one' => [array_replace_recursive($specimen->objects(2), ['body' => ['object' => new ArrayObject()]])];
    }

    #[DataProvider('whole')]
    public function testKnowsItselfAgain(mixed $value, int $until): void
    {
        self::assertEquals(new Specimen(7, 123, $until), Specimen::of($value));
    }

    #[DataProvider('damaged')]
    public function testFindsDamage(mixed $value): void
    {
        self::assertNull(Specimen::of($value));
    }

    public function testTwoEqualObjectsAreNotOne(): void
    {
        $value = (new Specimen(7, 123))->objects(2);
        \assert(\is_array($value['body']) && \is_array($value['body']['deep']) && $value['body']['object'] instanceof ArrayObject);
        $value['body']['deep']['again'] = clone $value['body']['object'];

        self::assertNull(Specimen::of($value));
    }

    public function testKeysAndGenerationsDoNotRunIntoEachOther(): void
    {
        $last = new Specimen(Specimen::KEYS - 1, 0xFFFFFFF);

        self::assertEquals($last, Specimen::of($last->number()));
        self::assertGreaterThan(0, $last->number());
    }
}
