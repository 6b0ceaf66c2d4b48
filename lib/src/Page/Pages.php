<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Cache;
use Larder\Cache\Settings;
use Larder\Dependency\LedgerVersions;
use Larder\Dependency\SchemaDrift;
use Larder\Dependency\SqlLedger;
use Larder\Dependency\TrackedConnection;
use Larder\Exception\InvalidRegistry;
use Larder\Exception\InvalidSite;
use Larder\Exception\LedgerUnavailable;
use Larder\Exception\UnknownName;
use Larder\Lease\FileLeases;
use Larder\Lease\Leases;
use Larder\Metrics\Counters;
use Larder\Metrics\FileCounters;
use Larder\Metrics\SparingLogger;
use Larder\Store;
use Larder\SystemClock;
use Psr\Http\Message\ResponseFactoryInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Psr\Log\LoggerInterface;

/**
 * The pages of a site, put together: the only place that knows which page store, ledger and leases a site has.
 *
 * Reads go by the application's own connection, so each method that needs one is given it.
 */
final readonly class Pages
{
    private function __construct(private Site $site) {}

    public static function of(Site $site): self
    {
        return new self($site);
    }

    /**
     * The page cache as PSR-15 middleware.
     *
     * @param LoggerInterface|null $logger null: PHP's error_log, one line a minute and cause
     * @param bool                 $strict see pageCache()
     */
    public function middleware(
        TrackedConnection $connection,
        ResponseFactoryInterface $responses,
        StreamFactoryInterface $streams,
        ?LoggerInterface $logger = null,
        bool $strict = false,
    ): Middleware {
        return new Middleware($this->pageCache($connection, $logger, $strict), $responses, $streams);
    }

    /** The page cache for a front controller in plain PHP. */
    public function plainFront(TrackedConnection $connection, ?LoggerInterface $logger = null): PlainFront
    {
        return new PlainFront($this->pageCache($connection, $logger));
    }

    /**
     * The page cache for a framework that has neither PSR-15 nor a plain front controller.
     *
     * @param LoggerInterface|null $logger null: PHP's error_log, one line a minute and cause
     * @param bool                 $strict for tests: a page that is not stored because of what it read throws
     *     UndeclaredRead
     */
    public function pageCache(
        TrackedConnection $connection,
        ?LoggerInterface $logger = null,
        bool $strict = false,
    ): PageCache {
        $counters = $this->counters();

        return new PageCache($this->site, $counters, function () use (
            $connection,
            $counters,
            $logger,
            $strict,
        ): Miss {
            $release = $this->release();
            $store = $this->store($release);
            $ledger = new SqlLedger($connection, $store, $release->id ?? '');

            return new Miss(
                $this->site,
                $release,
                new Renderer($this->site, $ledger, $store, $connection->registry(), new SystemClock()),
                $store,
                $this->leases(),
                $this->refusals(),
                $counters,
                $logger ?? new SparingLogger(),
                strict: $strict,
            );
        }, $logger);
    }

    /** The ledger of the deployed release. A change that it announces drops the pages made from the old data. */
    public function ledger(TrackedConnection $connection): SqlLedger
    {
        return $this->ledgerOf($this->release(), $connection);
    }

    /**
     * A Cache whose values are made from the same data as the pages, and may go into them.
     *
     * Its versions are those of the ledger, and not gates in the store. Every change on a RecordingPdo of the site
     * moves them in the transaction that drops the pages, by whatever way it is told, and also if nobody tells it. A
     * value that goes into a page is of the page's own state of the data, and brings its names along. That costs a
     * query for each hit.
     *
     * @param TrackedConnection $connection the one that the pages read through
     * @param Counters|null $counters null: the site's, which `larder stats` shows
     */
    public function cache(
        Store $store,
        TrackedConnection $connection,
        Settings $settings = new Settings(),
        ?LoggerInterface $log = null,
        ?Counters $counters = null,
    ): Cache {
        return new Cache($store, $this->versions($connection), $settings, $log, $counters ?? $this->counters());
    }

    /** The versions for a Cache whose values are made from the same data as the pages, and go into them. */
    public function versions(TrackedConnection $connection): LedgerVersions
    {
        return new LedgerVersions($this->ledger($connection));
    }

    /**
     * Compiles the code, makes it the release whose pages are served, and writes the list.
     *
     * The ledger learns of the release first: from then on no process with the old list may store. Such a process sends
     * what it renders until it reads the new list, which is written last and in one step.
     *
     * @param string|null $id null: the time and a random end
     *
     * @throws InvalidSite if a controller declares nothing, or a ttl that no area can have; or if this id is deployed
     * @throws UnknownName if it names a table that is not there
     * @throws InvalidRegistry if the registry says of the database what is not so
     * @throws LedgerUnavailable
     */
    public function deploy(?string $id = null): Release
    {
        if ($id !== null && $id === $this->release()?->id) {
            throw InvalidSite::because(
                \sprintf(
                    'release "%s" is deployed already: a process with its old code could store pages as this one',
                    $id,
                ),
            );
        }
        $connection = ($this->site->connect)();
        $release = Release::compile(
            $this->site,
            $id ?? gmdate('Ymd-His') . '-' . bin2hex(random_bytes(4)),
            $connection->registry(),
        );
        (new SchemaDrift($connection))->refuse();
        $this->ledgerOf($release, $connection)->deploy();
        $release->save($this->site->list);

        return $release;
    }

    /** The deployed release; null: none is deployed yet. */
    public function release(): ?Release
    {
        return Release::load($this->site->list);
    }

    public function directory(): PageDirectory
    {
        return new PageDirectory($this->site->pages);
    }

    public function refusals(): Refusals
    {
        return new Refusals($this->site->pages . '/refused');
    }

    public function counters(): Counters
    {
        return new FileCounters($this->site->pages . '/counters');
    }

    private function ledgerOf(?Release $release, TrackedConnection $connection): SqlLedger
    {
        return new SqlLedger($connection, $this->store($release), $release->id ?? '');
    }

    private function store(?Release $release): PageStore
    {
        return new FilePageStore($this->site->pages, $release->id ?? '');
    }

    private function leases(): Leases
    {
        return new FileLeases($this->site->pages . '/lease', max(1, $this->site->leaseSeconds));
    }
}
