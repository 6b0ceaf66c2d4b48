<?php

declare(strict_types=1);

namespace Larder\Tests\Psr;

use ArrayObject;
use DateTimeImmutable;
use stdClass;

/** One value of each kind that both standards name. */
final readonly class Values
{
    /** @return iterable<string, array{mixed}> */
    public static function exact(): iterable
    {
        yield 'text' => ['news'];
        yield 'empty text' => [''];
        yield 'text that looks like a number' => ['5'];
        yield 'all bytes' => [implode('', array_map(chr(...), range(0, 255)))];
        yield 'Latin-1' => ["M\xFCller"];
        yield 'a long text' => [str_repeat('larder ', 20_000)];
        yield 'serialized text' => ['b:0;'];
        yield '0' => [0];
        yield '5' => [5];
        yield 'largest integer' => [PHP_INT_MAX];
        yield 'smallest integer' => [PHP_INT_MIN];
        yield '0.0' => [0.0];
        yield '-1.5' => [-1.5];
        yield 'largest float' => [PHP_FLOAT_MAX];
        yield 'smallest float' => [PHP_FLOAT_MIN];
        yield 'a third' => [1 / 3];
        yield 'infinity' => [-INF];
        yield 'true' => [true];
        yield 'false' => [false];
        yield 'null' => [null];
        yield 'empty array' => [[]];
        yield 'list' => [[1, '1', 1.0, true, null]];
        yield 'map' => [['a' => 1, 7 => 'b', '' => 'c', "\0" => 'd']];
        yield 'order of keys' => [['b' => 1, 'a' => 2, 5 => 3, 2 => 4]];
        yield 'deep array' => [self::deep(200)];
    }

    /** @return iterable<string, array{object}> equal after serialize() and unserialize() */
    public static function objects(): iterable
    {
        $object = new stdClass();
        $object->list = [1, 2];
        $object->inner = new stdClass();
        yield 'stdClass' => [$object];
        yield 'of PHP' => [new ArrayObject(['a' => 1])];
        yield 'a date' => [new DateTimeImmutable('2026-02-03 04:05:06.789')];
        yield 'an enum' => [Season::Autumn];
        yield 'with __sleep' => [new LinkedObject('first', new LinkedObject('second'))];
    }

    private static function deep(int $levels): mixed
    {
        return $levels === 0 ? 'bottom' : [self::deep($levels - 1)];
    }
}
