<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

/** What came of one run. */
final readonly class ValuesResult
{
    /**
     * @param array<string, array<int, int>> $counts   by Count, by setting and phase
     * @param list<string>                   $findings
     */
    public function __construct(
        public array $counts,
        public int $restarts,
        public array $findings,
    ) {}

    public function isClean(): bool
    {
        return $this->findings === [] && $this->sum(Count::Stale) === 0;
    }

    /** A run in which little was read, changed or broken has shown nothing. */
    public function shows(float $seconds): bool
    {
        foreach ($this->counts as $slice) {
            if ($slice[Count::Hits->value] < 50 || $slice[Count::Changes->value] < 5) {
                return false;
            }
        }

        return $this->sum(Count::Reads) >= 200 * $seconds && $this->sum(Count::Hits) >= 0.2 * $this->sum(Count::Reads) && $this->sum(Count::Changes) >= 3 * $seconds && $this->sum(Count::Kills) > 0;
    }

    public function line(): string
    {
        return \sprintf('stale: %d of %d reads, %d changes', $this->sum(Count::Stale), $this->sum(Count::Reads), $this->sum(Count::Changes));
    }

    /** @return array<string, int|float|list<string>> */
    public function toArray(): array
    {
        return [
            'stale' => $this->sum(Count::Stale),
            'reads' => $this->sum(Count::Reads),
            'hits' => $this->sum(Count::Hits),
            'changes' => $this->sum(Count::Changes),
            'rolled_back' => $this->sum(Count::Failed),
            'kills' => $this->sum(Count::Kills),
            'losses' => $this->sum(Count::Losses),
            'restarts' => $this->restarts,
            'longest_lag_ms' => round(max(0, ...array_column($this->counts, Count::Longest->value)) / 1e6, 1),
            'findings' => $this->findings,
        ];
    }

    private function sum(Count $what): int
    {
        return array_sum(array_column($this->counts, $what->value));
    }
}
