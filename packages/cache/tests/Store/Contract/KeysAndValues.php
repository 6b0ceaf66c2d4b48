<?php

declare(strict_types=1);

namespace Larder\Tests\Store\Contract;

use ArrayObject;
use Closure;
use DateTimeImmutable;
use DomainException;
use Larder\Exception\UnstorableValue;
use Larder\Outcome;
use Larder\Store;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use stdClass;
use ValueError;

/**
 * What may be a key and what may be a value, and that a value comes back as it was.
 *
 * @phpstan-require-extends TestCase
 *
 * @property Store $store
 * @property Store $other
 */
trait KeysAndValues
{
    /** @return iterable<string, array{string}> */
    public static function keys(): iterable
    {
        yield 'one byte' => ['k'];
        yield '1,024 bytes' => [str_repeat('k', 1024)];
        yield 'NUL alone' => ["\0"];
        yield 'NUL inside' => ["a\0b"];
        yield 'an integer' => ['7'];
        yield 'digits that are no integer' => ['07'];
        yield 'the largest integer' => [(string) PHP_INT_MAX];
        yield 'a space' => [' '];
        yield 'spaces around' => [' k '];
        yield 'a line' => ["get k\r\nset l\r\n"];
        yield 'all bytes' => [implode('', array_map(chr(...), range(0, 255)))];
        yield 'words' => ['Grüße 漢字'];
        yield 'a path' => ['../../etc/passwd'];
    }

    #[DataProvider('keys')]
    public function testAnyBytesAreAKey(string $key): void
    {
        self::assertSame(Outcome::Done, $this->store->set($key, $key));
        self::assertSame(Outcome::Done, $this->store->set('another', 'one'));
        self::assertSame($key, $this->other->get($key));
        self::assertTrue($this->other->has($key));
        self::assertSame(Outcome::Done, $this->other->delete($key));
        self::assertFalse($this->store->has($key));
        self::assertSame('one', $this->store->get('another'));
    }

    public function testKeysThatLookAlikeAreDifferent(): void
    {
        $keys = [
            '7',
            '07',
            ' 7',
            '7 ',
            "7\n",
            "7\0",
            "7\0a",
            "7\0b",
            '7.0',
            '+7',
            'k',
            'K',
            "e\u{301}",
            "\u{e9}",
            str_repeat('7', 1023),
            str_repeat('7', 1024),
        ];
        foreach ($keys as $number => $key) {
            self::assertSame(Outcome::Done, $this->store->add($key, $number), bin2hex($key));
        }
        foreach ($keys as $number => $key) {
            self::assertSame($number, $this->store->get($key), bin2hex($key));
        }
    }

    /** @return iterable<string, array{Closure(Store, string): mixed}> */
    public static function calls(): iterable
    {
        yield 'get' => [static fn(Store $store, string $key) => $store->get($key)];
        yield 'read' => [static fn(Store $store, string $key) => $store->read($key)];
        yield 'getMultiple' => [static fn(Store $store, string $key) => $store->getMultiple(['k', $key])];
        yield 'has' => [static fn(Store $store, string $key) => $store->has($key)];
        yield 'set' => [static fn(Store $store, string $key) => $store->set($key, 1)];
        yield 'add' => [static fn(Store $store, string $key) => $store->add($key, 1)];
        yield 'replace' => [static fn(Store $store, string $key) => $store->replace($key, 1)];
        yield 'cas' => [static fn(Store $store, string $key) => $store->cas($key, 1, 1)];
        yield 'setMultiple' => [static fn(Store $store, string $key) => $store->setMultiple(['k' => 1, $key => 1])];
        yield 'delete' => [static fn(Store $store, string $key) => $store->delete($key)];
        yield 'deleteMultiple' => [static fn(Store $store, string $key) => $store->deleteMultiple(['k', $key])];
        yield 'touch' => [static fn(Store $store, string $key) => $store->touch($key)];
        yield 'increment' => [static fn(Store $store, string $key) => $store->increment($key)];
        yield 'decrement' => [static fn(Store $store, string $key) => $store->decrement($key)];
        yield 'getOrLease' => [static fn(Store $store, string $key) => $store->getOrLease($key)];
        yield 'lease' => [static fn(Store $store, string $key) => $store->lease($key)];
        yield 'release' => [static fn(Store $store, string $key) => $store->release($key, 1)];
    }

    /** @param Closure(Store, string): mixed $call */
    #[DataProvider('calls')]
    public function testAKeyOfAnotherLengthIsAMistakeAndChangesNothing(Closure $call): void
    {
        $this->store->set('k', 'before');
        foreach (['', str_repeat('k', 1025)] as $key) {
            try {
                $call($this->store, $key);
                self::fail(\strlen($key) . ' bytes were taken');
            } catch (ValueError $error) {
                self::assertStringContainsString('1024', str_replace(',', '', $error->getMessage()));
            }
        }
        self::assertSame('before', $this->store->get('k'));
    }

    /** @return iterable<string, array{mixed}> */
    public static function values(): iterable
    {
        yield 'null' => [null];
        yield 'false' => [false];
        yield 'true' => [true];
        foreach ([0, 1, -1, PHP_INT_MAX, PHP_INT_MIN] as $integer) {
            yield "int $integer" => [$integer];
        }
        foreach ([
            0.0,
            1.0,
            0.1 + 0.2,
            1e300,
            -1e-300,
            PHP_FLOAT_MIN,
            PHP_FLOAT_MAX,
            5e-324,
            PHP_FLOAT_EPSILON,
            INF,
            -INF,
        ] as $float) {
            yield 'float ' . var_export($float, true) => [$float];
        }
        foreach (['', '0', 'a', "\0", '7', ' 7', '1e3', "line\r\n", "\xff\xfe", 'Grüße 漢字'] as $string) {
            yield 'string ' . bin2hex($string) => [$string];
        }
        foreach ([64, 16383, 16384, 16385, 500_000] as $length) {
            yield "$length bytes" => [substr(str_repeat("abc\0defg", intdiv($length, 8) + 1), 0, $length)];
        }
        yield 'no elements' => [[]];
        yield 'a list' => [[1, 2.5, 'three', null, false, '']];
        yield 'a map' => [['b' => 1, 'a' => 2, '' => 3, ' ' => 4, "\0" => 5]];
        yield 'integer keys with holes' => [[5 => 'a', -3 => 'b', PHP_INT_MAX => 'c', 0 => 'd']];
        yield 'mixed keys' => [['7' => 'int', '07' => 'string', 'x' => [], 1 => [[]]]];
        yield 'a list of one string' => [array_fill(0, 100, 'the same')];
        yield 'levels' => [self::levels(100)];
        yield 'rows' => [
            array_map(
                static fn(int $id): array => [
                    'id' => $id,
                    'title' => "Title $id",
                    'tags' => ['a', 'b'],
                    'price' => $id / 4,
                    'note' => null,
                ],
                range(1, 300),
            ),
        ];
        yield 'an enum' => [Suit::Hearts];
        yield 'a pure enum' => [Outcome::Refused];
        yield 'enums in an array' => [['suits' => Suit::cases(), 'n' => 4]];
    }

    /** @return list<mixed> */
    private static function levels(int $depth): array
    {
        return $depth === 0 ? ['bottom'] : [$depth, self::levels($depth - 1)];
    }

    #[DataProvider('values')]
    public function testAValueComesBackAsItWas(mixed $value): void
    {
        self::assertSame(Outcome::Done, $this->store->set('k', $value));
        self::assertSame($value, $this->other->get('k', 'missed'));
        self::assertTrue($this->other->has('k'));
        $answer = $this->other->read('k');
        self::assertSame([true, $value, false, null], [$answer->hit, $answer->value, $answer->stale, $answer->lease]);
        self::assertSame(['k' => $value], $this->other->getMultiple(['k']));
        self::assertSame($value, $this->other->getOrLease('k')->value);
        self::assertSame(Outcome::Done, $this->other->set('again', $this->other->get('k')));
        self::assertSame(Outcome::Done, $this->store->set('k', 'gone'));
        self::assertSame($value, $this->store->get('again', 'missed'));
    }

    public function testFloatsThatEqualsCannotTell(): void
    {
        $this->store->setMultiple(['nan' => NAN, 'zero' => -0.0, 'in' => [NAN, -0.0]]);

        self::assertNan($this->store->get('nan'));
        self::assertSame('-0.0', var_export($this->store->get('zero'), true));
        self::assertSame(var_export([NAN, -0.0], true), var_export($this->store->get('in'), true));
    }

    public function testAnObjectComesBackAsAnEqualOne(): void
    {
        $object = new ArrayObject([
            'when' => new DateTimeImmutable('2026-11-21 10:00', new \DateTimeZone('UTC')),
            'list' => [1, 2, 3],
        ]);
        $this->store->set('alone', $object);
        $this->store->set('inside', ['a' => [1, $object, Suit::Spades]]);

        self::assertEquals($object, $this->other->get('alone'));
        self::assertEquals(['a' => [1, $object, Suit::Spades]], $this->other->get('inside'));
        self::assertNotSame($object, $this->other->get('alone'));
    }

    public function testOneObjectInTwoPlacesStaysOne(): void
    {
        $object = new stdClass();
        $object->self = $object;
        $this->store->set('k', ['a' => $object, 'b' => [$object], 'c' => new stdClass()]);
        $value = $this->other->get('k');

        self::assertIsArray($value);
        self::assertIsArray($value['b']);
        self::assertInstanceOf(stdClass::class, $value['a']);
        self::assertSame($value['a'], $value['b'][0]);
        self::assertSame($value['a'], $value['a']->self);
        self::assertNotSame($value['a'], $value['c']);
    }

    public function testWhatIsChangedOutsideDoesNotChangeInside(): void
    {
        $object = new stdClass();
        $object->n = 1;
        $value = ['list' => [3, 1, 2], 'object' => $object];
        $this->store->set('k', $value);
        $object->n = 2;
        $got = $this->store->get('k');
        self::assertIsArray($got);
        self::assertIsArray($got['list']);
        self::assertInstanceOf(stdClass::class, $got['object']);
        self::assertSame(1, $got['object']->n);
        $got['object']->n = 3;
        sort($got['list']);
        $got['more'] = true;

        self::assertSame(['list' => [1, 2, 3], 'more' => true], ['list' => $got['list'], 'more' => $got['more']]);
        $again = $this->other->get('k');
        self::assertIsArray($again);
        self::assertSame(['list', 'object'], array_keys($again));
        self::assertSame([3, 1, 2], $again['list']);
        self::assertInstanceOf(stdClass::class, $again['object']);
        self::assertSame(1, $again['object']->n);
    }

    public function testReferencesAreFollowed(): void
    {
        $number = 1;
        $value = ['a' => &$number, 'b' => [&$number]];
        $this->store->set('k', $value);
        $number = 2;

        $got = $this->other->get('k');
        self::assertEquals(['a' => 1, 'b' => [1]], $got);
        self::assertIsArray($got);
        $got['a'] = 3;
        self::assertSame(['a' => 3, 'b' => [1]], $got, 'no reference comes back');
    }

    /** @return iterable<string, array{Closure(): mixed, string}> the value and its place inside $value */
    public static function unstorable(): iterable
    {
        yield 'a closure' => [static fn(): Closure => static fn(): int => 1, '$value'];
        yield 'a resource' => [static fn(): mixed => fopen('php://memory', 'r'), '$value'];
        yield 'a resource inside' => [
            static fn(): array => ['a' => [1, fopen('php://memory', 'r')]],
            "\$value['a'][1]",
        ];
        yield 'a generator' => [static fn(): array => [[], (static fn() => yield 1)()], '$value[1]'];
        yield 'an object without a name' => [static fn(): array => ['x' => new class {}], "\$value['x']"];
        yield 'deep inside' => [static fn(): array => ['a' => [0, 1, 2, static fn(): int => 1]], "\$value['a'][3]"];
        yield 'an array that holds itself' => [static function (): array {
            $cycle = ['x' => 1];
            $cycle['self'] = &$cycle;

            return $cycle;
        }, "\$value['self']"];
    }

    /** @param Closure(): mixed $value */
    #[DataProvider('unstorable')]
    public function testAnUnstorableValueIsNamedAndChangesNothing(Closure $value, string $place): void
    {
        $this->store->set('k', 'before');
        $version = $this->store->read('k')->version;
        foreach ([
            fn() => $this->store->set('k', $value()),
            fn() => $this->store->add('new', $value()),
            fn() => $this->store->replace('k', $value()),
            fn() => $this->store->cas('k', $value(), $version),
        ] as $write) {
            try {
                $write();
                self::fail('It was taken');
            } catch (UnstorableValue $exception) {
                self::assertStringContainsString($place, $exception->getMessage());
            }
            self::assertSame('before', $this->other->get('k'));
            self::assertSame($version, $this->other->read('k')->version);
            self::assertFalse($this->other->has('new'));
        }
    }

    public function testAnUnstorableValueAmongManyEndsTheCall(): void
    {
        $this->store->set('k', 'before');
        try {
            $this->store->setMultiple(['first' => 1, 'k' => static fn(): int => 1, 'last' => 2]);
            self::fail('It was taken');
        } catch (UnstorableValue) {
            self::assertSame(['first' => 1, 'k' => 'before'], $this->other->getMultiple(['first', 'k', 'last']));
        }
    }

    public function testWhatAnObjectThrowsGoesThrough(): void
    {
        $this->store->set('k', 'before');
        try {
            $this->store->set('k', ['x' => new ThrowsWhenStored()]);
            self::fail('It was taken');
        } catch (DomainException $exception) {
            self::assertSame('not me', $exception->getMessage());
        }
        self::assertSame('before', $this->store->get('k'));
    }
}
