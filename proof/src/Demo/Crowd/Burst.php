<?php

declare(strict_types=1);

namespace Larder\Proof\Demo\Crowd;

/** What came of all visitors at once. */
final readonly class Burst
{
    /**
     * @param string          $store        its kind
     * @param list<int>       $queries      how often each of the lists was asked of the database
     * @param list<float> $milliseconds that each visitor waited, from the opening of the gate to the last byte, the
     *     shortest first
     * @param int             $wrong        answers that are not the page
     */
    public function __construct(
        public string $store,
        public Way $way,
        public array $queries,
        public array $milliseconds,
        public int $wrong,
    ) {}

    /** @param float $share 0.5: half of the visitors waited no longer */
    public function within(float $share): float
    {
        return $this->milliseconds[max(0, (int) ceil($share * \count($this->milliseconds)) - 1)] ?? 0.0;
    }

    public function queriesPerList(): float
    {
        return array_sum($this->queries) / max(1, \count($this->queries));
    }

    /** Whether each list was made once, for whoever asked. */
    public function isOnce(): bool
    {
        return $this->wrong === 0 && array_values(array_unique($this->queries)) === [1];
    }

    /** @return array<string, int|float|string> */
    public function row(): array
    {
        return [
            'store' => $this->store,
            'visitors' => \count($this->milliseconds),
            'way' => $this->way->value,
            'computes' => array_sum($this->queries),
            'computes_per_query' => round($this->queriesPerList(), 2),
            'computes_per_query_most' => max([0, ...$this->queries]),
            'p50_ms' => round($this->within(0.5), 1),
            'p99_ms' => round($this->within(0.99), 1),
            'max_ms' => round($this->within(1.0), 1),
            'wrong' => $this->wrong,
        ];
    }
}
