<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Cache;
use Larder\Cache\Settings;
use Larder\Dependency\CurrentSource;
use Larder\Edge\Purges;
use Larder\Exception\UnknownName;
use Larder\Metrics\Counters;
use Larder\Metrics\History;
use Larder\Metrics\PrometheusText;
use Larder\Metrics\SparingLogger;
use Larder\Page\Exception\InvalidSite;
use Larder\Sql\Exception\InvalidRegistry;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Ledger\CurrentVersions;
use Larder\Sql\Ledger\LedgerVersions;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Tracker\TrackedConnection;
use Larder\Store;
use Psr\Http\Message\ResponseFactoryInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Psr\Log\LoggerInterface;
use Throwable;
use ValueError;

/**
 * The pages of a site, put together: the only place that knows which page store, ledger and leases a site has.
 *
 * Reads go by the application's own connection, so each method that needs one is given it.
 */
final readonly class Pages
{
    private function __construct(
        private Site $site,
        private SiteWiring $wired,
    ) {}

    public static function of(Site $site): self
    {
        return new self($site, new SiteWiring($site));
    }

    /** Opens the application's own connection by Site::$connect. What it writes drops pages. */
    public function connect(): TrackedConnection
    {
        return $this->follow($this->site->open());
    }

    /**
     * Lets what a connection writes drop the pages. Connections of connect() do so already.
     *
     * @template C of TrackedConnection
     *
     * @param C $connection
     *
     * @return C the same
     */
    public function follow(TrackedConnection $connection): TrackedConnection
    {
        return $this->wired->follow($connection);
    }

    /**
     * The page cache as PSR-15 middleware.
     *
     * @param TrackedConnection|(Closure(): TrackedConnection) $connection see pageCache()
     * @param LoggerInterface|null $logger null: PHP's error_log, one line a minute and cause
     * @param bool                 $strict see pageCache()
     * @param Parts|null           $parts  that the templates call; null: the pages have none
     * @param (Closure(ServerRequestInterface): ResponseInterface)|null $whole the whole application, with its routing,
     *     which is asked for the parts of a page that nginx does not put together
     */
    public function middleware(
        TrackedConnection|Closure $connection,
        ResponseFactoryInterface $responses,
        StreamFactoryInterface $streams,
        ?LoggerInterface $logger = null,
        bool $strict = false,
        ?Parts $parts = null,
        ?Closure $whole = null,
    ): Middleware {
        return new Middleware($this->pageCache($connection, $logger, $strict, $parts), $responses, $streams, $whole);
    }

    /**
     * The page cache for a front controller in plain PHP.
     *
     * @param TrackedConnection|(Closure(): TrackedConnection) $connection see pageCache()
     * @param Parts|null                  $parts that the pages call; null: they have none
     * @param (Closure(string, Context): void)|null $part echoes a part, by its name and for a context, for a page that
     *     nginx does not put together
     */
    public function plainFront(
        TrackedConnection|Closure $connection,
        ?LoggerInterface $logger = null,
        ?Parts $parts = null,
        ?Closure $part = null,
    ): PlainFront {
        return new PlainFront($this->pageCache($connection, $logger, parts: $parts), $part);
    }

    /**
     * The parts of pages alone, for when no pages are kept.
     *
     * @param Closure(ServerRequestInterface): ResponseInterface $whole see middleware()
     */
    public function assembly(
        ResponseFactoryInterface $responses,
        StreamFactoryInterface $streams,
        Parts $parts,
        Closure $whole,
        ?LoggerInterface $logger = null,
    ): Middleware {
        $pages = new PageCache($this->site, $this->counters(), null, $logger, $parts);

        return new Middleware($pages, $responses, $streams, $whole);
    }

    /** The parts of the pages of this request. Each request has its own. */
    public function parts(): Parts
    {
        return new Parts($this->site);
    }

    /**
     * @internal The page cache for a framework that has neither PSR-15 nor a plain front controller.
     *
     * @param TrackedConnection|(Closure(): TrackedConnection) $connection that the pages read through. A process that
     *     answers many requests, and may connect anew, gives a closure for the one that it has now: it is called for
     *     each page that could be stored, and not for other requests
     * @param LoggerInterface|null $logger null: PHP's error_log, one line a minute and cause
     * @param bool                 $strict for tests: a page that is not stored because of what it read throws
     *     UndeclaredRead
     * @param Parts|null           $parts  that the pages call; null: they have none
     */
    public function pageCache(
        TrackedConnection|Closure $connection,
        ?LoggerInterface $logger = null,
        bool $strict = false,
        ?Parts $parts = null,
    ): PageCache {
        $of = $miss = null;
        $open = function () use ($connection, $logger, $strict, &$of, &$miss): ?Miss {
            try {
                $now = $connection instanceof Closure ? $connection() : $connection;
            } catch (Throwable $exception) {
                ($logger ?? new SparingLogger())->error(
                    'Page caching is off: the site has no connection to its database: {reason}',
                    ['reason' => $exception->getMessage(), 'exception' => $exception, 'cause' => 'no connection'],
                );

                return null;
            }
            if ($miss === null || $of !== $now) {
                $of = $now;
                $isCurrent = $connection instanceof Closure
                    ? static fn(): bool => CurrentSource::isStill($now, $connection)
                    : null;
                $miss = $this->wired->miss($now, $this->release(), $logger, $strict, $isCurrent);
            }

            return $miss;
        };

        return new PageCache($this->site, $this->counters(), $open, $logger, $parts);
    }

    /**
     * The ledger of the deployed release. A change that it announces drops the pages made from the old data.
     *
     * @param TrackedConnection|null $connection null: a new one by connect()
     */
    public function ledger(?TrackedConnection $connection = null): SqlLedger
    {
        return $this->wired->ledger($connection ?? $this->connect(), $this->release()->id ?? '');
    }

    /**
     * A Cache whose values are made from the same data as the pages, and may go into them.
     *
     * Its versions are those of the ledger, and not gates in the store. Every change on a RecordingPdo of the site
     * moves them in the transaction that drops the pages, by whatever way it is told, and also if nobody tells it. A
     * value that goes into a page is of the page's own state of the data, and brings its names along. That costs a
     * query for each hit.
     *
     * @param TrackedConnection|(Closure(): TrackedConnection) $connection the one that the pages read through, or what
     *     gives the one that the process has now: it is called for each question to the cache
     * @param Counters|null $counters null: the site's, which `larder stats` shows
     */
    public function cache(
        Store $store,
        TrackedConnection|Closure $connection,
        Settings $settings = new Settings(),
        ?LoggerInterface $log = null,
        ?Counters $counters = null,
    ): Cache {
        $versions = $connection instanceof Closure
            ? new CurrentVersions($connection, $this->versions(...))
            : $this->versions($connection);

        return new Cache($store, $versions, $settings, $log, $counters ?? $this->counters());
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
     * @param string|null $id    null: the time and a random end
     * @param bool        $takes also if the pages lie in a directory of another host or container. It must be gone for
     *     good, and no nginx may serve it: nobody could drop what it has
     * @param (Closure(string): void)|null $write for `larder deploy`: writes the list with this content, where another
     *     user has its directory. null: this process writes it
     *
     * @throws InvalidSite if a controller declares nothing, or a ttl that no area can have; or if this id is deployed
     * @throws UnknownName if it names a table that is not there
     * @throws InvalidRegistry if the registry says of the database what is not so
     * @throws LedgerUnavailable
     */
    public function deploy(?string $id = null, bool $takes = false, ?Closure $write = null): Release
    {
        $release = (new Deployment($this->site, $this->wired))
            ->make($id, $this->release(), $this->connect(...), $takes, $write);
        $this->site->loaded->forget();

        return $release;
    }

    /**
     * The release that was deployed when this site was first asked for it; null: none is deployed yet. What is compiled
     * below its id is of the release that pages are stored for.
     */
    public function release(): ?Release
    {
        $loaded = $this->site->loaded->value();
        if (!$loaded instanceof Release) {
            $loaded = Release::load($this->site->list);
            $this->site->loaded->keep($loaded);
        }

        return $loaded;
    }

    /** @internal Where the pages of a release lie. */
    public function pageStore(string $release): PageStore
    {
        return $this->wired->pageStore($release);
    }

    /**
     * @internal
     *
     * @return Purges|null of the edge; null: there is none
     */
    public function purges(?LoggerInterface $logger = null): ?Purges
    {
        return $this->wired->purges($logger);
    }

    /** @internal */
    public function directory(): PageDirectory
    {
        return new PageDirectory($this->site->pages);
    }

    /** @internal */
    public function refusals(): Refusals
    {
        return new Refusals($this->site->pages . '/refused');
    }

    /** @internal What each of the last changes dropped. */
    public function changes(): ChangeLog
    {
        return new ChangeLog($this->site->pages . '/changes');
    }

    /** @internal */
    public function slowRenders(): SlowRenders
    {
        return new SlowRenders($this->site->pages . '/slow');
    }

    /** @internal What was counted on this host, minute by minute. */
    public function history(): History
    {
        return $this->wired->history();
    }

    public function counters(): Counters
    {
        return $this->wired->counters();
    }

    /**
     * What Prometheus reads of this site on this host: what was counted, pages and bytes, and the shared memory of this
     * process. A ledger that cannot be read is told by larder_ledger_up, and its numbers are left out.
     *
     * @param array<array-key, string> $labels of each series, such as the host
     *
     * @throws ValueError for a name that no label may have
     */
    public function metrics(array $labels = []): string
    {
        $pages = PageGauges::orDown($this->ledger(...), $this->site->limits);
        $more = $this->wired->hits() + $pages + MemoryGauges::now();

        return (new PrometheusText($labels))->of($this->counters(), $more);
    }

    /**
     * @internal What was counted on this host, with the hits of nginx if the site has a log of them.
     *
     * @return array<string, int|float> by series, as Counters::all() has them
     */
    public function counts(): array
    {
        $counts = $this->wired->hits() + $this->counters()->all();
        ksort($counts);

        return $counts;
    }
}
