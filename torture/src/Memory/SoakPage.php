<?php

declare(strict_types=1);

namespace Larder\Torture\Memory;

use Larder\Outcome;
use Larder\SharedMemory;

/** What php-fpm runs in a soak: it sets and gets what the query names, looks at each value, and tells which it found. */
final readonly class SoakPage
{
    private const KINDS = 5;

    public static function answer(): void
    {
        $store = new SharedMemory();
        $set = $got = [];
        foreach (self::pairs('set') as $key => $generation) {
            $set[$key] = $store->set('soak:' . $key, self::value(new Specimen($key, $generation)))->name;
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
        echo json_encode(['id' => $_GET['id'] ?? null, 'set' => (object) $set, 'get' => (object) $got], JSON_THROW_ON_ERROR);
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

    /** Null: a miss; -1: damaged or another key's. */
    private static function generation(mixed $value, int $key): ?int
    {
        $specimen = $value === null ? null : Specimen::of($value);

        return $value === null ? null : ($specimen?->key === $key ? $specimen->generation : -1);
    }

    private static function value(Specimen $specimen): mixed
    {
        $size = ($specimen->key * 7919 + $specimen->generation * 104_729) % 997;

        return match ($specimen->generation % self::KINDS) {
            0 => $specimen->number(),
            1 => $specimen->text(10 + $size * ($size % 3 === 0 ? 40 : 2)),
            2 => $specimen->rows(1 + $size % 100),
            3 => $specimen->nest(1 + $size % 12),
            default => $specimen->objects(1 + $size % 50),
        };
    }
}
