<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Edge\EdgeKeys;
use Larder\Edge\Purges;
use Larder\Edge\UnfinishedPurges;
use Larder\Metrics\Counters;
use Larder\Metrics\FileCounters;
use Larder\Metrics\History;
use Larder\Metrics\SparingLogger;
use Larder\Page\Lease\FileLeases;
use Larder\Page\Lease\Leases;
use Larder\Sql\Ledger\AnnouncedChange;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Tracker\Announcer;
use Larder\Sql\Tracker\TrackedConnection;
use Larder\Sql\Tracker\TrackedDatabase;
use Larder\SystemClock;
use Psr\Log\LoggerInterface;

/**
 * Makes what a site needs: its page store, its ledger, its counters, what learns of changes, and what answers a miss.
 *
 * @internal for Pages
 */
final readonly class SiteWiring
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

    /** @param string $release empty where no page is published */
    public function pageStore(string $release): PageStore
    {
        $storage = $this->site->storage;
        if ($storage->open !== null) {
            return ($storage->open)($release);
        }
        $stale = $this->staleAreas();

        return $storage->memcached === []
            ? new FilePageStore(
                $this->site->pages,
                $release,
                others: static fn(string $place) => MemcachedPageStore::of($place),
                areas: $stale,
                most: $this->site->limits->bytes,
            )
            : new MemcachedPageStore(
                $storage->memcached,
                MemcachedPageStore::prefix($this->site->name),
                max(1, $this->site->limits->leaseSeconds),
                GuardedServers::of($this->site),
                $stale ?? new StaleAreas(),
                patience: $storage->patience,
            );
    }

    /** Null where a change ends each page at once, as on most sites. */
    private function staleAreas(): ?StaleAreas
    {
        $areas = $this->site->urls->areas;
        $stale = array_filter($areas, static fn(Area $area): bool => $area->stale !== null);

        return $stale === [] ? null : new StaleAreas($areas);
    }

    /** @param string $release empty: it registers no page */
    public function ledger(TrackedConnection $connection, string $release): SqlLedger
    {
        return $this->over($this->pageStore($release), $connection, $release);
    }

    /**
     * @param Release|null           $release   null: none is deployed
     * @param (Closure(): bool)|null $isCurrent whether the application has this connection still; null: it has
     */
    public function miss(
        TrackedConnection $connection,
        ?Release $release,
        ?LoggerInterface $logger,
        bool $strict,
        ?Closure $isCurrent = null,
    ): Miss {
        $id = $release->id ?? '';
        $pages = $this->site->pages;
        $store = $this->pageStore($id);
        $leases = $store instanceof Leases
            ? $store
            : new FileLeases($pages . '/lease', max(1, $this->site->limits->leaseSeconds));
        $clock = new SystemClock();
        $report = new MissReport(
            new Refusals($pages . '/refused'),
            $this->counters(),
            $logger,
            new SlowRenders($pages . '/slow'),
            $clock,
            $strict,
        );
        $ledger = $this->over($store, $connection, $id);

        return new Miss(
            $this->site,
            $release,
            new Renderer($this->site, $ledger, $store, $connection->registry(), $clock),
            new Turns($this->site, $store, $leases, $report),
            $report,
            $this->site->answersFirst() && !$strict ? AfterAnswer::ofPhpFpm() : null,
            isCurrent: $isCurrent,
        );
    }

    /**
     * Lets what a connection writes drop the pages.
     *
     * @template C of TrackedConnection
     *
     * @param C $connection
     *
     * @return C the same
     */
    public function follow(TrackedConnection $connection): TrackedConnection
    {
        // It registers no page, so it needs no release. It is made when the connection first writes: requests that only
        // read need none.
        $connection->announceBy(fn(TrackedDatabase $database): Announcer => SqlLedger::announcer(
            $database,
            $this->pageStore(''),
            '',
            announced: fn(AnnouncedChange $change): ?Closure => $this->listeners()->announce($change),
        ));

        return $connection;
    }

    /** @return Purges|null of the edge; null: there is none */
    public function purges(?LoggerInterface $logger): ?Purges
    {
        return $this->site->serving->edge === null ? null : new Purges(
            $this->site->serving->edge,
            new EdgeKeys($this->site->name),
            new UnfinishedPurges($this->site->pages . '/unpurged'),
            $this->counters(...),
            $logger ?? new SparingLogger(),
        );
    }

    private function over(PageStore $store, TrackedConnection $connection, string $release): SqlLedger
    {
        $announced = fn(AnnouncedChange $change): ?Closure => $this->listeners()->announce($change);

        return (new SqlLedger($connection, $store, $release, announced: $announced))->follow();
    }

    /** What learns of each change. */
    private function listeners(): ChangeListeners
    {
        $purges = $this->purges(null);

        return new ChangeListeners([
            (new NotedChanges(new ChangeLog($this->site->pages . '/changes'), $this->counters(...)))->of(...),
            ...($purges === null ? [] : [$purges->announced(...)]),
        ]);
    }

    private function hitLog(): ?HitLog
    {
        return $this->site->operations->hitLog === null ? null : new HitLog($this->site->operations->hitLog);
    }
}
