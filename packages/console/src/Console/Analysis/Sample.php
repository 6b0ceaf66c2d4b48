<?php

declare(strict_types=1);

namespace Larder\Console\Analysis;

use Random\Engine\Mt19937;
use Random\Randomizer;

/**
 * Some numbers of a long series, each chosen with the same probability (algorithm R; Vitter: Random Sampling with a
 * Reservoir, 1985).
 *
 * @internal
 */
final class Sample
{
    private const SIZE = 512;

    /** @var list<float> */
    private array $kept = [];

    private int $seen = 0;

    private readonly Randomizer $dice;

    public function __construct()
    {
        // The same file gives the same answer.
        $this->dice = new Randomizer(new Mt19937(1));
    }

    public function add(float $number): void
    {
        $place = ++$this->seen <= self::SIZE ? $this->seen - 1 : $this->dice->getInt(0, $this->seen - 1);
        if ($place < self::SIZE) {
            array_splice($this->kept, $place, 1, [$number]);
        }
    }

    /** @param float $part 0.5 for the median; null: nothing was added */
    public function quantile(float $part): ?float
    {
        return self::quantileOf($this->kept, $part);
    }

    /** @param list<float> $numbers */
    public static function quantileOf(array $numbers, float $part): ?float
    {
        sort($numbers);

        return $numbers === [] ? null : $numbers[max(0, (int) ceil($part * \count($numbers)) - 1)];
    }
}
