<?php

declare(strict_types=1);

namespace Larder\Proof\Lease;

/** What was found about one store. */
final readonly class StoreTally
{
    /**
     * @param array<string, int> $causes number by Cause
     * @param list<string>       $wrong  what must not happen
     */
    public function __construct(
        public int $computes,
        private array $causes,
        public array $wrong,
        public int $lost,
        public int $resurrected,
    ) {}

    public function of(Cause $cause): int
    {
        return $this->causes[$cause->value] ?? 0;
    }

    /** How many computes there had to be. */
    public function expected(): int
    {
        return array_sum($this->causes);
    }
}
