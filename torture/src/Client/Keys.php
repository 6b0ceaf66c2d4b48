<?php

declare(strict_types=1);

namespace Larder\Torture\Client;

/**
 * Each seat has keys of its own, which all read and only it writes: values, big values, logs and counters. All seats fight for the rest.
 *
 * A key's number is its place in the notes. A counter's generation is how often it was counted.
 */
final readonly class Keys
{
    public const SEAT = 300;
    public const LEASED = 24;
    public const SUMS = 6;

    private const BIG = 8;
    private const LOGS = 12;
    private const COUNTERS = 12;

    public function __construct(private int $seats) {}

    public function places(): int
    {
        return $this->seats * (self::SEAT + self::SUMS);
    }

    /** Where a seat notes how often it has raised a sum. */
    public function sumPlace(int $sum, int $seat): int
    {
        return $this->seats * self::SEAT + $sum * $this->seats + $seat;
    }

    public function value(int $seat): int
    {
        return mt_rand($seat * self::SEAT + self::BIG + self::LOGS + self::COUNTERS, ($seat + 1) * self::SEAT - 1);
    }

    public function anyValue(): int
    {
        return $this->value(mt_rand(0, $this->seats - 1));
    }

    public function big(int $seat): int
    {
        return $seat * self::SEAT + mt_rand(0, self::BIG - 1);
    }

    public function anyBig(): int
    {
        return $this->big(mt_rand(0, $this->seats - 1));
    }

    /** Even ones grow at their end, odd ones at their front. */
    public function log(int $seat): int
    {
        return $seat * self::SEAT + self::BIG + mt_rand(0, self::LOGS - 1);
    }

    /** Even ones count up, odd ones count down. */
    public function counter(int $seat): int
    {
        return $this->counters($seat)[mt_rand(0, self::COUNTERS - 1)];
    }

    /** @return non-empty-list<int> */
    public function counters(int $seat): array
    {
        return range($seat * self::SEAT + self::BIG + self::LOGS, $seat * self::SEAT + self::BIG + self::LOGS + self::COUNTERS - 1);
    }

    public function isBig(int $key): bool
    {
        return $key % self::SEAT < self::BIG;
    }

    /** And not a log or a counter. */
    public function isValue(int $key): bool
    {
        return $this->isBig($key) || $key % self::SEAT >= self::BIG + self::LOGS + self::COUNTERS;
    }

    /** Short, long, with spaces and control bytes, and beyond ASCII. */
    public function name(int $key): string
    {
        return match ($key % 12) {
            3 => 'a long name ' . str_repeat('-', 100) . $key,
            5 => "with\r\nget $key\0",
            7 => str_repeat('long', 50) . $key,
            9 => "größer-$key",
            default => 't' . $key,
        };
    }

    public static function leased(int $number): string
    {
        return 'leased-' . $number;
    }

    public static function sum(int $number): string
    {
        return 'sum-' . $number;
    }
}
