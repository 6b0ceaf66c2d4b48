<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * What became of the requests for pages, out of the site's counts.
 *
 * @internal
 */
final readonly class PageCounts
{
    private const NO_PAGE = 'bypass';

    /** @param array<string, int|float> $counts by series */
    public function __construct(private array $counts) {}

    public function of(string ...$results): int
    {
        $sum = 0;
        foreach ($results as $result) {
            $sum += (int) ($this->counts["larder_page_requests_total{result=\"$result\"}"] ?? 0);
        }

        return $sum;
    }

    public function requests(): int
    {
        $sum = 0;
        foreach ($this->counts as $series => $count) {
            $sum += str_starts_with($series, 'larder_page_requests_total{') ? (int) $count : 0;
        }

        return $sum - $this->of(self::NO_PAGE);
    }

    /** Hits, stale ones too, among the requests that a page could answer; null: there was none. */
    public function hitRate(): ?float
    {
        $requests = $this->requests();

        return $requests === 0 ? null : round($this->of('hit', 'hit_in_php', 'stale') / $requests, 4);
    }
}
