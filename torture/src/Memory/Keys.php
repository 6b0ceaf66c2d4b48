<?php

declare(strict_types=1);

namespace Larder\Torture\Memory;

/**
 * The keys of a run by number. Each belongs to one seat, whose worker alone writes it: so it is known which generation a
 * reader may see. The first of each seat are counters, then come those that are written many at a time.
 */
final readonly class Keys
{
    public const COUNTERS = 2;
    public const BULK = 64;

    /** @var list<string> */
    private array $names;

    private int $share;

    public function __construct(public int $count, int $seats)
    {
        $this->share = intdiv($count, $seats);
        $this->names = array_map(static fn(int $key): string => 'specimen:' . $key . str_repeat(':long', $key % 5 === 0 ? $key % 60 : 0), range(0, $count - 1));
    }

    public function name(int $key): string
    {
        return $this->names[$key];
    }

    public function isOurs(string $name): bool
    {
        return preg_match('/^(specimen|common|sum):\d+(:long)*$/D', $name) === 1;
    }

    public function isCounter(int $key): bool
    {
        return $key % $this->share < self::COUNTERS && $key < $this->count - $this->count % $this->share;
    }

    public function counter(int $seat): int
    {
        return $seat * $this->share + mt_rand(0, self::COUNTERS - 1);
    }

    public function bulk(int $seat): int
    {
        return $seat * $this->share + self::COUNTERS;
    }

    public function single(int $seat): int
    {
        return $seat * $this->share + mt_rand(self::COUNTERS + self::BULK, $this->share - 1);
    }

    public function any(): int
    {
        return mt_rand(0, $this->count - 1);
    }

    public static function common(int $number): string
    {
        return 'common:' . $number;
    }

    public static function sum(int $number): string
    {
        return 'sum:' . $number;
    }
}
