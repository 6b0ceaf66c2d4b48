<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Metrics\Counters;
use Larder\Metrics\FileCounters;
use Larder\Metrics\History;

/**
 * What is counted for a site on this host.
 *
 * @internal for Pages
 */
final readonly class SiteCounts
{
    public function __construct(private Site $site) {}

    /** What counts, as the site says it. */
    public function counters(): Counters
    {
        $around = $this->site->operations->counters;

        return $around === null ? $this->own() : $around($this->own());
    }

    public function history(): History
    {
        $hits = $this->hitLog();

        return new History($this->site->pages . '/history', static fn(): array => MemoryGauges::now() + (
            $hits === null ? [] : [HitLog::SERIES => $hits->hits()]
        ));
    }

    /** @return array<string, int|float> by series: the hits of nginx; empty: the site has no log of them */
    public function hits(): array
    {
        $log = $this->hitLog();
        if ($log === null) {
            return [];
        }
        $log->moveTo($this->own());

        return [HitLog::SERIES => $log->hits() + ($this->counters()->all()[HitLog::SERIES] ?? 0)];
    }

    /** What counts in the site's directory, and keeps a history. */
    private function own(): FileCounters
    {
        return new FileCounters($this->site->pages . '/counters', $this->history());
    }

    private function hitLog(): ?HitLog
    {
        return $this->site->operations->hitLog === null ? null : new HitLog($this->site->operations->hitLog);
    }
}
