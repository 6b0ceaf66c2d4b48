<?php

declare(strict_types=1);

namespace Larder\Testbed\Tests\Value;

use Larder\Testbed\Value\SealedBytes;
use Larder\Testbed\Value\WrongValue;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

final class SealedBytesTest extends TestCase
{
    #[DataProvider('lengths')]
    public function testKnowsItsOwnValues(int $length): void
    {
        $seal = new SealedBytes();
        $value = $seal->value('key:7', 42, $length);

        self::assertSame($length, \strlen($value));
        self::assertSame(42, $seal->check('key:7', $value, 42, 42));
    }

    /** @return iterable<string, array{int}> */
    public static function lengths(): iterable
    {
        foreach ([SealedBytes::SHORTEST, 32, 400, 4096, 335_872, 1_048_000] as $length) {
            yield $length . ' bytes' => [$length];
        }
    }

    public function testGivesOtherBytesForOtherKeysAndGenerations(): void
    {
        $seal = new SealedBytes();
        $body = static fn(string $value): string => substr($value, 20, -8);

        self::assertNotSame($body($seal->value('key:7', 1, 400)), $body($seal->value('key:8', 1, 400)));
        self::assertNotSame($body($seal->value('key:7', 1, 400)), $body($seal->value('key:7', 2, 400)));
        self::assertNotSame($seal->value('key:7', 1, 400), (new SealedBytes(2))->value('key:7', 1, 400));
    }

    #[DataProvider('faults')]
    public function testRefusesWhatIsNotTheValueOfThisKey(?string $value, string $message): void
    {
        $this->expectException(WrongValue::class);
        $this->expectExceptionMessage($message);

        (new SealedBytes())->check('key:7', $value, 3, 5);
    }

    /** @return iterable<string, array{?string, string}> */
    public static function faults(): iterable
    {
        $seal = new SealedBytes();
        $value = $seal->value('key:7', 4, 100);
        yield 'nothing' => [null, 'no value, though one was stored'];
        yield 'an empty string' => ['', '0 bytes'];
        yield 'another key' => [$seal->value('key:8', 4, 100), 'the value of another key'];
        yield 'cut short' => [substr($value, 0, -1), '99 bytes that are not as they were stored'];
        yield 'one byte more' => [$value . "\n", '101 bytes that are not as they were stored'];
        yield 'a flipped bit' => [substr_replace($value, $value[50] ^ "\x01", 50, 1), 'not as they were stored'];
        yield 'an older generation' => [$seal->value('key:7', 2, 100), 'generation 2, where it had to be 3 or newer'];
        yield 'a generation that nobody wrote' => [$seal->value('key:7', 6, 100), 'generation 6'];
        yield 'another length with a right sum' => [self::resealed($value), '90 bytes of a value of 100'];
    }

    private static function resealed(string $value): string
    {
        $head = substr($value, 0, 82);

        return $head . hash('xxh3', $head, true);
    }
}
