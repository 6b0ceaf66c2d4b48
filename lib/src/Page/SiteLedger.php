<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Dependency\AnnouncedChange;
use Larder\Dependency\SqlLedger;
use Larder\Dependency\TrackedConnection;
use Larder\Edge\EdgeKeys;
use Larder\Edge\Purges;
use Larder\Edge\UnfinishedPurges;
use Larder\Metrics\SparingLogger;
use Psr\Log\LoggerInterface;

/**
 * The page store and the ledger of a site, and what a change on a connection does to them.
 *
 * @internal for Pages
 */
final readonly class SiteLedger
{
    public function __construct(private Site $site, private SiteCounts $counts) {}

    /** @param string $release empty where no page is published */
    public function pageStore(string $release): PageStore
    {
        $storage = $this->site->storage;
        if ($storage->open !== null) {
            return ($storage->open)($release);
        }
        $stale = new StaleAreas($this->site->urls->areas);

        return $storage->memcached === []
            ? new FilePageStore($this->site->pages, $release, others: MemcachedPageStore::of(...), areas: $stale)
            : new MemcachedPageStore(
                $storage->memcached,
                MemcachedPageStore::prefix($this->site->name),
                max(1, $this->site->limits->leaseSeconds),
                GuardedServers::of($this->site),
                $stale,
            );
    }

    public function on(TrackedConnection $connection, PageStore $store, string $release): SqlLedger
    {
        return new SqlLedger($connection, $store, $release, announced: $this->announced());
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
        // It makes changes known, and registers no page, so it needs no release. Requests that only read need none.
        $ledger = fn(TrackedConnection $writer): SqlLedger => $this->on($writer, $this->pageStore(''), '');
        $connection->announceBy(
            static fn(TrackedConnection $writer, array $names) => $ledger($writer)->announceUntold($names),
        );
        $connection->gateBy(
            static fn(TrackedConnection $writer, ?array $tables, Closure $run): mixed
                => $ledger($writer)->gate($tables, $run),
        );

        return $connection;
    }

    /** @return Purges|null of the edge; null: there is none */
    public function purges(?LoggerInterface $logger): ?Purges
    {
        return $this->site->serving->edge === null ? null : new Purges(
            $this->site->serving->edge,
            new EdgeKeys($this->site->name),
            new UnfinishedPurges($this->site->pages . '/unpurged'),
            $this->counts->counters(...),
            $logger ?? new SparingLogger(),
        );
    }

    /** @return (Closure(AnnouncedChange): (Closure(): mixed|null))|null what learns of each change */
    private function announced(): ?Closure
    {
        $purges = $this->purges(null);
        $listeners = [
            (new NotedChanges(new ChangeLog($this->site->pages . '/changes'), $this->counts->counters(...)))->of(...),
            ...($purges === null ? [] : [$purges->announced(...)]),
        ];

        return (new ChangeListeners($listeners))->announced();
    }
}
