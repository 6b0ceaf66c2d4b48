<?php

declare(strict_types=1);

namespace Larder\Torture\Memory;

/** What came of one soak. */
final readonly class SoakResult
{
    /** KB that a worker may still grow once it is warm. */
    private const GROWTH = 2048;

    /**
     * @param int                     $growth   of the worker that grew most, KB
     * @param list<int>               $own      KB of each worker at the end
     * @param array<array-key, mixed> $info     of the store, as another process sees it
     * @param list<string>            $findings what failed
     */
    public function __construct(
        public int $requests,
        public int $reads,
        public int $hits,
        public int $writes,
        public int $refused,
        public int $growth,
        private array $own,
        private array $info,
        public array $findings,
    ) {}

    public function isClean(): bool
    {
        return $this->findings === [] && $this->growth <= self::GROWTH;
    }

    /** Without an eviction the segment was never full. */
    public function shows(float $seconds): bool
    {
        return $this->requests >= 20 * $seconds && $this->told('evictions') > 0;
    }

    public function line(): string
    {
        return \sprintf('failures: %d of %d requests, growth: %d KB a worker', \count($this->findings), $this->requests, $this->growth);
    }

    /** @return array<string, int|float|list<string>> */
    public function toArray(): array
    {
        return [
            'failures' => \count($this->findings),
            'requests' => $this->requests,
            'reads' => $this->reads,
            'hits' => $this->hits,
            'writes' => $this->writes,
            'refused' => $this->refused,
            'growth_kb' => $this->growth,
            'largest_worker_kb' => $this->own === [] ? 0 : max($this->own),
            'entries' => $this->told('entries'),
            'bytes_used' => $this->told('bytesUsed'),
            'bytes_total' => $this->told('bytesTotal'),
            'evictions' => $this->told('evictions'),
            'recoveries' => $this->told('recoveries'),
            'findings' => $this->findings,
        ];
    }

    private function told(string $name): int
    {
        $number = $this->info[$name] ?? 0;

        return \is_int($number) ? $number : 0;
    }
}
