<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

/** The computes of a run, by what called for them: the end of a value, and the computes that were not needed because one was under way. */
final readonly class Expiries
{
    /** @var list<int> computes of each */
    public array $computes;

    /**
     * @param list<Compute> $begun in their order
     * @param float          $apart seconds within which no second compute is needed
     */
    public function __construct(array $begun, float $apart)
    {
        $computes = [];
        $first = null;
        foreach ($begun as $compute) {
            if ($first === null || $compute->time - $first > $apart * 1e9) {
                $first = $compute->time;
                $computes[] = 0;
            }
            ++$computes[\count($computes) - 1];
        }
        $this->computes = $computes;
    }

    public function count(): int
    {
        return \count($this->computes);
    }

    /** 1 is what there must be. */
    public function computesOfEach(): float
    {
        return $this->computes === [] ? 0.0 : array_sum($this->computes) / \count($this->computes);
    }

    public function most(): int
    {
        return $this->computes === [] ? 0 : max($this->computes);
    }

    /** @return array<string, float> for a cell's further figures */
    public function figures(): array
    {
        return [
            'expiries' => (float) $this->count(),
            'computes' => (float) array_sum($this->computes),
            'computes per expiry' => $this->computesOfEach(),
            'most computes of an expiry' => (float) $this->most(),
        ];
    }
}
