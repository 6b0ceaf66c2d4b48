<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Dependency\Publication;
use Larder\Dependency\RecordedReads;
use Larder\Exception\LarderException;
use Larder\Exception\LedgerUnavailable;
use Larder\Exception\PageStoreFailed;
use Larder\Exception\UndeclaredRead;
use Larder\Lease\Lease;
use Larder\Lease\Leases;
use Larder\Metrics\Counters;
use Larder\Metrics\SparingLogger;
use Larder\Page\Attribute\Reads;
use Larder\SystemClock;
use Psr\Clock\ClockInterface;
use Psr\Log\LoggerInterface;
use Psr\Log\LogLevel;
use ReflectionClass;

/**
 * Answers the requests for pages that could be stored and that nginx did not find, and stores what may be stored.
 *
 * One process renders a page. The others wait a bounded time for it and then render without storing. A cache that fails
 * is a miss for readers: it is logged and counted, and never breaks a page. Header, log and `larder explain` give one
 * reason; the header leaves paths out.
 *
 * @internal for PageCache, which leaves it out for all other requests: its classes are half of what a miss loads
 */
final readonly class Miss
{
    /** Microseconds between two reads of the page store. The last one is repeated. */
    private const PAUSES = [5_000, 10_000, 25_000, 50_000];

    /** Seconds for which requests for a refused page do not wait for a lease, since no page would come of it. */
    private const REFUSAL_REMEMBERED = 10;

    public function __construct(
        private Site $site,
        private ?Release $release,
        private Renderer $renderer,
        private PageStore $store,
        private Leases $leases,
        private Refusals $refusals,
        private Counters $counters,
        private LoggerInterface $logger = new SparingLogger(),
        private ClockInterface $clock = new SystemClock(),
        private bool $strict = false,
        private Interruption $interruption = new Interruption(),
        private ?SlowRenders $slow = null,
        private ?AfterAnswer $after = null,
    ) {}

    /**
     * @param class-string|null                $controller that answers this request
     * @param Closure(RecordedReads): Response $make       calls refuse() if it read what is not part of the page's key
     * @param string|null                      $unstorable why no page can answer this request; null: one may
     */
    public function answer(
        PagePath $page,
        bool $gzip,
        ?string $controller,
        Closure $make,
        ?string $unstorable,
    ): Response {
        $policy = $controller === null ? null : $this->release?->policyOf($controller);
        $refusal = $this->refusal($controller, $policy, $page);
        if ($refusal !== null || $policy === null) {
            $this->refused($page, (string) $refusal);
            $this->count('bypass');

            return $this->rendered($make)->withCacheStatus('fwd=bypass', (string) $refusal);
        }

        if ($this->site->followedPages?->areServed() === false) {
            $this->count('bypass');

            return $this->rendered($make)
                ->withCacheStatus('fwd=bypass', 'no larder follow is at work, so stored pages may be old');
        }
        if ($unstorable !== null) {
            $answer = $this->rendered($make);

            return $this->unstored($page, $controller, Rendering::refused($answer, $unstorable));
        }
        $lease = null;
        if (!$this->wasJustRefused($page)) {
            try {
                $found = $this->wait($page, $gzip);
            } catch (PageStoreFailed $failed) {
                $answer = $this->rendered($make);

                return $this->unstored($page, $controller, Rendering::failed($answer, $failed));
            }
            if ($found instanceof Response) {
                return $found;
            }
            if ($found === null) {
                $this->count('wait_in_vain');

                return $this->rendered($make)
                    ->withCacheStatus('fwd=miss', 'another process is rendering this page');
            }
            $lease = $found;
        }
        $store = null;
        try {
            return $this->interruption->during(
                function () use ($page, $gzip, $controller, $policy, $make, &$store): Response {
                    return $this->render($page, $gzip, $controller, $policy, $make, $store);
                },
                fn() => $this->interrupted($page, $controller, $lease),
            );
        } finally {
            if ($store === null) {
                $this->giveUp($page, $lease);
            } else {
                $this->after?->run(fn() => $this->store($page, $controller, $lease, $store));
            }
        }
    }

    /**
     * Stores a page whose visitor has his answer.
     *
     * @param Closure(): Rendering $store
     */
    private function store(PagePath $page, string $controller, ?Lease $lease, Closure $store): void
    {
        try {
            $rendering = $store();
            $rendering->isStored() ? $this->count('stored') : $this->unstored($page, $controller, $rendering);
        } finally {
            $this->giveUp($page, $lease);
        }
    }

    /** What was echoed is sent as it is, since no `catch` and no `finally` stands between it and the visitor. */
    private function interrupted(PagePath $page, string $controller, ?Lease $lease): void
    {
        $this->giveUp($page, $lease);
        $rendering = Rendering::refused(
            new Response((int) http_response_code(), [], ''),
            'the script ended inside the render, by exit() or by an error',
        );
        $answer = $this->unstored($page, $controller, $rendering);
        if (!headers_sent()) {
            header('Cache-Status: ' . $answer->header('cache-status'));
        }
    }

    /**
     * @return Lease|Response|null the page, or the right to render it; null: neither came in time
     *
     * @throws PageStoreFailed if no lease can be taken
     */
    private function wait(PagePath $page, bool $gzip): Lease|Response|null
    {
        $begin = (int) hrtime(true);
        $deadline = $begin + $this->site->waitMilliseconds * 1_000_000;
        for ($look = 0; ; ++$look) {
            $lease = $this->leases->acquire($page->key);
            $stored = $this->stored($page, $gzip);
            if ($stored !== null) {
                $lease?->release();
                $this->waited($look, $begin);
                $this->count('hit_in_php');

                return $this->answered($stored, $this->site->areaOf($page->path()), 'hit', $this->found($page));
            }
            if ($lease !== null) {
                $this->claim($page);
                $this->waited($look, $begin);

                return $lease;
            }
            $stale = $this->store instanceof KeepsStale ? $this->store->stale($page, $gzip) : null;
            if ($stale !== null) {
                $this->waited($look, $begin);
                $this->count('stale');

                return $this->answered($stale, $this->site->areaOf($page->path()), 'hit; detail=stale');
            }
            $left = intdiv($deadline - hrtime(true), 1000);
            if ($left <= 0) {
                $this->waited($look, $begin);

                return null;
            }
            usleep(min($left, self::PAUSES[min($look, \count(self::PAUSES) - 1)]));
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

    /** Lets the next one make the page, unless it is stored. */
    private function giveUp(PagePath $page, ?Lease $lease): void
    {
        try {
            $lease !== null && $this->store instanceof KeepsStale ? $this->store->giveBack($page) : null;
        } catch (PageStoreFailed) {
            // The stale page ends by itself.
        } finally {
            $lease?->release();
        }
    }

    /** A page with parts has another key than one without, and it may have none today; so has one that is gone. */
    private function stored(PagePath $page, bool $gzip): ?StoredPage
    {
        // The follower may have died while this request waited.
        if ($this->site->followedPages?->areServed() === false) {
            return null;
        }
        $stored = $this->store->read($page, $gzip);
        if ($stored !== null || $page->part !== null) {
            return $stored;
        }
        $stored = $this->site->parts === [] ? null : $this->store->read($page->shell(), false);
        foreach ($stored !== null || $this->store->keepsHeads() ? [] : PagePath::STATUSES as $status) {
            $answer = $page->answered($status);
            $stored ??= $this->store->read($answer, $gzip)?->at($answer);
        }

        return $stored;
    }

    /**
     * @param class-string                   $controller
     * @param Closure(RecordedReads): Response $make
     * @param (Closure(): Rendering)|null      $store is set to what stores the page, if that can wait
     */
    private function render(
        PagePath $page,
        bool $gzip,
        string $controller,
        Policy $policy,
        Closure $make,
        ?Closure &$store,
    ): Response {
        $begin = hrtime(true);
        $rendering = $this->renderer->render($page, $controller, $policy, function (RecordedReads $reads) use (
            $make,
            $controller,
        ) {
            $answer = $make($reads);
            $objection = $reads->refusal() === null ? $this->release?->objection($controller) : null;
            if ($objection !== null) {
                $reads->refuse($objection);
            }

            return $answer;
        }, $this->after !== null);
        $seconds = (hrtime(true) - $begin) / 1e9;
        $note = function () use ($page, $controller, $seconds): void {
            $this->counters->observe('larder_page_render_duration_seconds', $seconds, ['route' => $controller]);
            $this->slow?->note($page->key, $controller, $seconds, $this->clock->now()->getTimestamp());
        };
        $later = $rendering->store;
        if ($later !== null) {
            $store = static function () use ($note, $later): Rendering {
                $note();

                return $later();
            };

            return $this->answeredFirst($rendering->answer, $this->site->areaOf($page->path()));
        }
        $note();
        if ($rendering->isStored()) {
            $this->count('stored');
            $area = $this->site->areaOf($page->path());

            return $this->answered($rendering->stored($gzip), $area, 'fwd=miss; stored', $rendering->answer);
        }

        return $this->unstored($page, $controller, $rendering);
    }

    private function unstored(PagePath $page, string $controller, Rendering $rendering): Response
    {
        $reason = (string) $rendering->refusal;
        // The other two pass by themselves: the next request tries again.
        if (!\in_array($rendering->publication, [Publication::Changed, Publication::Busy], true)) {
            $this->refused($page, $reason);
            $this->log($controller, $page, $rendering);
        }
        $hasChanged = $rendering->publication === Publication::Changed;
        $this->count($hasChanged ? 'changed' : 'refused');
        $answer = $rendering->answer->header('cache-control') === null
            ? $rendering->answer->with('cache-control', 'no-cache')
            : $rendering->answer;

        return $answer->withCacheStatus(
            'fwd=miss',
            $rendering->failure === null ? $reason : self::shown($rendering->failure),
        );
    }

    /** @param int $begin hrtime */
    private function waited(int $looks, int $begin): void
    {
        if ($looks > 0) {
            $this->counters->observe('larder_page_wait_duration_seconds', (hrtime(true) - $begin) / 1e9);
        }
    }

    private function count(string $result): void
    {
        $this->counters->add('larder_page_requests_total', labels: ['result' => $result]);
    }

    private function log(string $controller, PagePath $page, Rendering $rendering): void
    {
        if ($this->strict && $rendering->publication === null) {
            throw UndeclaredRead::by($controller, (string) $rendering->refusal);
        }
        if ($rendering->failure === null && self::isMeant($rendering->answer)) {
            return;
        }
        $reason = rtrim((string) $rendering->refusal, '.');
        $shown = $rendering->failure === null ? $reason : self::shown($rendering->failure);
        $this->logger->log(
            $rendering->failure === null ? LogLevel::WARNING : LogLevel::ERROR,
            'The page {page} of {controller} is not stored: {reason}.{remedy}',
            [
                'page' => $page->key,
                'controller' => $controller,
                'reason' => $reason,
                'remedy' => match ($rendering->publication) {
                    Publication::OtherRelease => ' Run larder deploy, then reload php-fpm.',
                    Publication::Full => ' Raise Site::$bytes or $routeShare.',
                    default => $rendering->failure === null ? '' : ' larder doctor looks for the cause.',
                },
                'exception' => $rendering->failure,
                'cause' => $controller . ' ' . preg_replace('/\d+/', '', $shown),
            ],
        );
    }

    /** An answer that the application itself says is not for a cache. */
    private static function isMeant(Response $answer): bool
    {
        return $answer->status !== 200
            || preg_match('/\b(?:private|no-store)\b/i', $answer->header('cache-control') ?? '') === 1;
    }

    /** What a client may see of a failure. Its message has paths, which only the log and `larder explain` may show. */
    private static function shown(LarderException $failure): string
    {
        return match (true) {
            $failure instanceof PageStoreFailed => 'the page store failed: ' . $failure->cause,
            $failure instanceof LedgerUnavailable => 'the ledger failed',
            default => 'the page cache failed',
        } . '; the log says more';
    }

    private function wasJustRefused(PagePath $page): bool
    {
        $refusal = $this->refusals->of($page->key);

        return $refusal !== null && $this->clock->now()->getTimestamp() - $refusal['at'] < self::REFUSAL_REMEMBERED;
    }

    private function refused(PagePath $page, string $reason): void
    {
        $this->refusals->note($page->key, $reason, $this->clock->now()->getTimestamp());
        $this->counters->add('larder_page_refusals_total', labels: ['cause' => RefusalCause::of($reason)->value]);
    }

    /** Answers as nginx will answer with the same file, so that a miss and the hits after it agree. */
    private function answered(StoredPage $stored, Area $area, string $status, ?Response $rendered = null): Response
    {
        $headers = [
            'content-type' => $stored->headers['content-type'] ?? [$area->type],
            'vary' => ['Accept-Encoding'],
            ...($stored->etag === '' ? [] : ['etag' => [$stored->etag]]),
            'cache-control' => ['no-cache'],
            'cache-status' => ['larder; ' . $status],
        ];
        if ($stored->gzip) {
            $headers['content-encoding'] = ['gzip'];
        }

        $headers += $stored->headers + ($rendered->headers ?? []);

        return (new Response($stored->status, $headers, $stored->bytes, true, true, $stored->isShell))->withLength();
    }

    /** Whether this page is stored, nobody knows yet, so an edge may not keep it, and it has no ETag. */
    private function answeredFirst(Response $answer, Area $area): Response
    {
        $headers = [
            'vary' => ['Accept-Encoding'],
            'cache-control' => ['no-cache'],
            'cache-status' => ['larder; fwd=miss'],
        ] + $answer->headers + ['content-type' => [$area->type]];

        return (new Response($answer->status, $headers, $answer->body, true, true))->withLength();
    }

    /** What nginx knows of a page that it finds: to an edge the page is known by its key then. */
    private function found(PagePath $page): Response
    {
        return (new EdgeMarks($this->site))->added(new Response(200, [], ''), $page, []);
    }

    /** @param Closure(RecordedReads): Response $make */
    private function rendered(Closure $make): Response
    {
        return $make(new RecordedReads($this->site->registry));
    }

    /** @return string|null why no page of this controller can be stored now */
    private function refusal(?string $controller, ?Policy $policy, PagePath $page): ?string
    {
        if ($this->release === null) {
            return $this->off('no release is deployed');
        }
        if ($policy === null) {
            return match (true) {
                $controller === null => 'no controller is known for this request',
                self::declaresReads($controller) => $this->unlisted($controller),
                default => \sprintf('%s declares no #[Reads]', $controller),
            };
        }
        $mismatch = $this->release->otherControllers($this->site);
        if ($mismatch !== null) {
            return $this->off($mismatch);
        }
        $area = $this->site->areaOf($page->path());

        return $area->ttl === $policy->ttl
            ? null
            : \sprintf('%s and its area %s differ in ttl', $controller, $area->prefix);
    }

    private function off(string $reason): string
    {
        $this->logger->error(
            'Page caching is off: {reason}. Run larder deploy.',
            ['reason' => $reason, 'cause' => 'off ' . $reason],
        );

        return $reason . ': run larder deploy';
    }

    private function unlisted(string $controller): string
    {
        $this->logger->warning(
            'No page of {controller} is stored: it has #[Reads] and is not in the list of controllers. Add it to '
            . 'Site::$controllers and run larder deploy.',
            ['controller' => $controller, 'cause' => 'unlisted ' . $controller],
        );

        return $controller . ' is not in the list of controllers: add it and run larder deploy';
    }

    private static function declaresReads(string $controller): bool
    {
        return class_exists($controller) && (new ReflectionClass($controller))->getAttributes(Reads::class) !== [];
    }
}
