<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Encoding;

use ArrayObject;
use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * A leaf of a value and the way to it. A microsecond shows whether a decoded value has the same leaf there and the same
 * number of members at each level on the way. Comparing the whole takes as long as decoding it.
 */
final readonly class SampledLeaf
{
    /** @param list<array{int|string, int}> $way at each level the key to follow and the number of members */
    private function __construct(
        private array $way,
        private mixed $leaf,
    ) {}

    /**
     * Random leaves, the same for the same seed. A decoder that always spoils one part is found when the turn comes to
     * that part.
     *
     * @return list<self>
     */
    public static function in(mixed $value, int $seed, int $count): array
    {
        $random = new Randomizer(new Xoshiro256StarStar($seed));
        $leaves = [];
        for ($leaf = 0; $leaf < $count; ++$leaf) {
            $way = [];
            $at = $value;
            for ($members = self::members($at); $members !== null && \count(
                $members,
            ) > 0; $members = self::members($at)) {
                $keys = array_keys($members instanceof ArrayObject ? $members->getArrayCopy() : $members);
                $key = $keys[$random->getInt(0, \count($keys) - 1)];
                $way[] = [$key, \count($keys)];
                $at = $members[$key];
            }
            $leaves[] = new self($way, $at);
        }

        return $leaves;
    }

    public function isIn(mixed $value): bool
    {
        foreach ($this->way as [$key, $count]) {
            $members = self::members($value);
            if ($members === null || \count($members) !== $count) {
                return false;
            }
            $value = $members[$key] ?? null;
        }

        return $value === $this->leaf;
    }

    /** @return array<mixed>|ArrayObject<array-key, mixed>|null null: a leaf */
    private static function members(mixed $value): array|ArrayObject|null
    {
        return match (true) {
            \is_array($value), $value instanceof ArrayObject => $value,
            $value instanceof GraphNode => $value->parts(),
            default => null,
        };
    }
}
