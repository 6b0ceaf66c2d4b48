<?php

declare(strict_types=1);

namespace Larder\Proof\Client;

/**
 * Each worker has keys of its own, which all read and no other writes: values, long values, logs and counters. All
 * workers write the leased keys and the sums.
 *
 * A counter's generation is how often it was counted.
 */
final readonly class ClientKeys
{
    public const PER_WORKER = 300;
    public const LEASED = 24;
    public const SUMS = 6;

    private const LONG = 8;
    private const LOGS = 12;
    private const COUNTERS = 12;

    public function __construct(public int $workers) {}

    /** Places on the board. */
    public function places(): int
    {
        return $this->workers * (self::PER_WORKER + self::SUMS);
    }

    /** Place on the board where a worker notes how often it has raised a sum. */
    public function sumPlace(int $sum, int $worker): int
    {
        return $this->workers * self::PER_WORKER + $sum * $this->workers + $worker;
    }

    public function value(int $worker): int
    {
        $first = $worker * self::PER_WORKER + self::LONG + self::LOGS + self::COUNTERS;

        return mt_rand($first, ($worker + 1) * self::PER_WORKER - 1);
    }

    public function anyValue(): int
    {
        return $this->value(mt_rand(0, $this->workers - 1));
    }

    public function long(int $worker): int
    {
        return $worker * self::PER_WORKER + mt_rand(0, self::LONG - 1);
    }

    public function anyLong(): int
    {
        return $this->long(mt_rand(0, $this->workers - 1));
    }

    /** Even ones grow at their end, odd ones at their front. */
    public function log(int $worker): int
    {
        return $worker * self::PER_WORKER + self::LONG + mt_rand(0, self::LOGS - 1);
    }

    /** Even ones count up, odd ones count down. */
    public function counter(int $worker): int
    {
        return $this->counters($worker)[mt_rand(0, self::COUNTERS - 1)];
    }

    /** @return non-empty-list<int> */
    public function counters(int $worker): array
    {
        $first = $worker * self::PER_WORKER + self::LONG + self::LOGS;

        return range($first, $first + self::COUNTERS - 1);
    }

    public function isLong(int $key): bool
    {
        return $key % self::PER_WORKER < self::LONG;
    }

    /** Whether it is neither a log nor a counter. */
    public function isValue(int $key): bool
    {
        return $this->isLong($key) || $key % self::PER_WORKER >= self::LONG + self::LOGS + self::COUNTERS;
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
