<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

use LogicException;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/** Random choices that all follow from one seed. */
final readonly class Choices
{
    private Randomizer $random;

    public function __construct(int $seed)
    {
        $this->random = new Randomizer(new Xoshiro256StarStar($seed));
    }

    /** Whether something happens that happens in $percent of 100 cases. */
    public function happens(int $percent): bool
    {
        return $this->random->getInt(1, 100) <= $percent;
    }

    public function number(int $least, int $most): int
    {
        return $this->random->getInt($least, $most);
    }

    /**
     * @template T
     *
     * @param list<T> $from at least one
     *
     * @return T
     */
    public function one(array $from): mixed
    {
        return $from === []
            ? throw new LogicException('Nothing to choose from.')
            : $from[$this->random->getInt(0, \count($from) - 1)];
    }

    /**
     * @template T
     *
     * @param list<T> $from
     *
     * @return list<T> $count of them, each once
     */
    public function some(array $from, int $count): array
    {
        return \array_slice($from === [] ? [] : $this->random->shuffleArray($from), 0, $count);
    }

    /**
     * @param non-empty-array<array-key, int> $weights by word
     */
    public function weighted(array $weights): string
    {
        $at = $this->random->getInt(1, max(1, array_sum($weights)));
        foreach ($weights as $word => $weight) {
            $at -= $weight;
            if ($at <= 0) {
                return (string) $word;
            }
        }

        throw new LogicException('Weights are positive.');
    }
}
