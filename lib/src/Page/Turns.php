<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Exception\PageStoreFailed;
use Larder\Lease\Lease;
use Larder\Lease\Leases;

/**
 * Lets one process render a page. The others wait a bounded time for it, and get the page from the store.
 *
 * @internal part of Miss
 */
final readonly class Turns
{
    /** Microseconds between two reads of the page store. The last one is repeated. */
    private const PAUSES = [5_000, 10_000, 25_000, 50_000];

    private ?FollowedPages $followed;

    public function __construct(
        private Site $site,
        private PageStore $store,
        private Leases $leases,
        private MissReport $report,
    ) {
        $this->followed = $site->serving->followed ? FollowedPages::of($site) : null;
    }

    /** Whether stored pages may be served now. */
    public function areServed(): bool
    {
        return $this->followed?->areServed() ?? true;
    }

    /**
     * @return Lease|Response|null the page, or the right to render it; null: neither came in time
     *
     * @throws PageStoreFailed if no lease can be taken
     */
    public function wait(PagePath $page, bool $gzip): Lease|Response|null
    {
        $begin = (int) hrtime(true);
        $deadline = $begin + $this->site->limits->waitMilliseconds * 1_000_000;
        for ($look = 0; ; ++$look) {
            $lease = $this->leases->acquire($page->key);
            $stored = $this->stored($page, $gzip);
            if ($stored !== null) {
                $lease?->release();
                $this->waited($look, $begin);
                $this->report->count('hit_in_php');

                return $stored->answer($this->site->urls->areaOf($page->path()), 'hit', $this->marks($page));
            }
            if ($lease !== null) {
                $this->claim($page);
                $this->waited($look, $begin);

                return $lease;
            }
            $stale = $this->store instanceof KeepsStale ? $this->store->stale($page, $gzip) : null;
            if ($stale !== null) {
                $this->waited($look, $begin);
                $this->report->count('stale');

                return $stale->answer($this->site->urls->areaOf($page->path()), 'hit; detail=stale');
            }
            $left = intdiv($deadline - hrtime(true), 1000);
            if ($left <= 0) {
                $this->waited($look, $begin);

                return null;
            }
            usleep(min($left, self::PAUSES[min($look, \count(self::PAUSES) - 1)]));
        }
    }

    /** Lets the next one make the page, unless it is stored. */
    public function giveUp(PagePath $page, ?Lease $lease): void
    {
        try {
            $lease !== null && $this->store instanceof KeepsStale ? $this->store->giveBack($page) : null;
        } catch (PageStoreFailed) {
            // The stale page ends by itself.
        } finally {
            $lease?->release();
        }
    }

    /** Lets nginx serve the stale page to the others, if there is one. */
    private function claim(PagePath $page): void
    {
        try {
            $this->store instanceof KeepsStale ? $this->store->claim($page) : null;
        } catch (PageStoreFailed) {
            // The others are served the stale page by PHP, or wait.
            return;
        }
    }

    /** A page with parts has another key than one without, and it may have none today; so has one that is gone. */
    private function stored(PagePath $page, bool $gzip): ?StoredPage
    {
        // The follower may have died while this request waited.
        if (!$this->areServed()) {
            return null;
        }
        $stored = $this->store->read($page, $gzip);
        if ($stored !== null || $page->part !== null) {
            return $stored;
        }
        $stored = $this->site->urls->parts === [] ? null : $this->store->read($page->shell(), false);
        foreach ($stored !== null || $this->store->keepsHeads() ? [] : PagePath::STATUSES as $status) {
            $answer = $page->answered($status);
            $stored ??= $this->store->read($answer, $gzip)?->at($answer);
        }

        return $stored;
    }

    /**
     * @return array<string, list<string>> what tells an edge of a page that is found: nginx knows only its key, and so
     *     does the edge then
     */
    private function marks(PagePath $page): array
    {
        return $this->site->serving->edge === null
            ? []
            : (new EdgeMarks($this->site))->added(new Response(200, [], ''), $page, [])->headers;
    }

    /** @param int $begin hrtime */
    private function waited(int $looks, int $begin): void
    {
        if ($looks > 0) {
            $this->report->waited((hrtime(true) - $begin) / 1e9);
        }
    }
}
