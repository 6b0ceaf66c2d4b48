<?php

declare(strict_types=1);

namespace Larder\Proof\Memory;

use Larder\Outcome;
use Larder\SharedMemory;
use Larder\Testbed\Value\SealedValue;
use Larder\Testbed\Value\WrongValue;

/**
 * The script of php-fpm in a soak. It sets and gets what the query names, checks each value, and reports what it found.
 */
final readonly class SoakPage
{
    private const KINDS = 5;

    public static function answer(): void
    {
        $store = new SharedMemory();
        $set = $got = [];
        foreach (self::pairs('set') as $key => $generation) {
            $set[$key] = $store->set('soak:' . $key, self::value(new SealedValue($key, $generation)))->name;
        }
        foreach (self::pairs('delete') as $key => $generation) {
            $set[$key] = $store->delete('soak:' . $key) === Outcome::Refused ? 'Refused' : 'Done';
        }
        $held = [];
        foreach (self::pairs('get') as $key => $any) {
            $value = $store->get('soak:' . $key);
            $got[$key] = self::generation($value, $key);
            $held[$key] = $value;
        }
        foreach ($held as $key => $value) {
            if (self::generation($value, $key) !== $got[$key]) {
                $got[$key] = -1;
            }
        }
        $reply = ['id' => $_GET['id'] ?? null, 'set' => (object) $set, 'get' => (object) $got];
        echo json_encode($reply, JSON_THROW_ON_ERROR);
    }

    /** @return array<int, int> generation by key */
    private static function pairs(string $name): array
    {
        $text = $_GET[$name] ?? '';
        $pairs = [];
        foreach (\is_string($text) && $text !== '' ? explode(',', $text) : [] as $pair) {
            [$key, $generation] = explode('.', $pair) + [1 => '0'];
            $pairs[(int) $key] = (int) $generation;
        }

        return $pairs;
    }

    /** @return int|null null: a miss; -1: the value is damaged or another key's */
    private static function generation(mixed $value, int $key): ?int
    {
        try {
            return $value === null ? null : SealedValue::verify($value, $key)->generation;
        } catch (WrongValue) {
            return -1;
        }
    }

    private static function value(SealedValue $sealed): mixed
    {
        $size = ($sealed->key * 7919 + $sealed->generation * 104_729) % 997;

        return match ($sealed->generation % self::KINDS) {
            0 => $sealed->number(),
            1 => $sealed->text(10 + $size * ($size % 3 === 0 ? 40 : 2)),
            2 => $sealed->rows(1 + $size % 100),
            3 => $sealed->nest(1 + $size % 12),
            default => $sealed->objects(1 + $size % 50),
        };
    }
}
