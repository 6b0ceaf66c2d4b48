<?php

declare(strict_types=1);

namespace Larder\Proof\Memory;

/**
 * The keys of a run by number. Each belongs to one worker, and no other writes it, so that it is known which generation
 * a reader may see. A worker's first keys are counters, then come those that are written many at a time.
 *
 * All workers write the common keys and the sums.
 */
final readonly class MemoryKeys
{
    public const COUNTERS = 2;
    public const BULK = 64;
    public const COMMON = 32;
    public const SUMS = 8;

    /** What the keys begin with that fill the segment before the run. Nobody reads them. */
    public const FILLER = 'filler:';

    /** @var list<string> */
    private array $names;

    private int $share;

    public function __construct(public int $count, int $workers)
    {
        $this->share = intdiv($count, $workers);
        $name = static fn(int $key): string => "sealed:$key" . str_repeat(':long', $key % 5 === 0 ? $key % 60 : 0);
        $this->names = array_map($name, range(0, $count - 1));
    }

    public function name(int $key): string
    {
        return $this->names[$key];
    }

    public function isOurs(string $name): bool
    {
        return preg_match('/^(sealed|common|sum|filler):\d+(:long)*$/D', $name) === 1;
    }

    public function isCounter(int $key): bool
    {
        return $key % $this->share < self::COUNTERS && $key < $this->count - $this->count % $this->share;
    }

    public function counter(int $worker): int
    {
        return $worker * $this->share + mt_rand(0, self::COUNTERS - 1);
    }

    public function bulk(int $worker): int
    {
        return $worker * $this->share + self::COUNTERS;
    }

    public function single(int $worker): int
    {
        return $worker * $this->share + mt_rand(self::COUNTERS + self::BULK, $this->share - 1);
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
