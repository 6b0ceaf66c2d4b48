<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Page\Attribute\Reads;
use Larder\Page\Lease\Lease;
use Larder\Sql\Exception\PageStoreFailed;
use Larder\Sql\Tracker\RecordedReads;
use ReflectionClass;

/**
 * Answers the requests for pages that could be stored and that nginx did not find, and stores what may be stored.
 *
 * A cache that fails is a miss for readers: it is logged and counted, and never breaks a page.
 *
 * @internal for PageCache, which leaves it out for all other requests: its classes are half of what a miss loads
 */
final readonly class Miss
{
    /**
     * @param AfterAnswer|null       $after     stores the page when the visitor has it; null: it is stored first
     * @param (Closure(): bool)|null $isCurrent whether the application has the connection still; null: it has
     */
    public function __construct(
        private Site $site,
        private ?Release $release,
        private Renderer $renderer,
        private Turns $turns,
        private MissReport $report,
        private ?AfterAnswer $after = null,
        private Interruption $interruption = new Interruption(),
        private ?Closure $isCurrent = null,
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
            $this->report->refused($page, (string) $refusal);
            $this->report->count('bypass');

            return $this->unlooked($make)->withCacheStatus('fwd=bypass', (string) $refusal);
        }
        if (!$this->turns->areServed()) {
            $this->report->count('bypass');

            return $this->unlooked($make)
                ->withCacheStatus('fwd=bypass', 'no larder follow is at work, so stored pages may be old');
        }
        if ($unstorable !== null) {
            $answer = $this->unlooked($make);

            return $this->report->unstored($page, $controller, Rendering::refused($answer, $unstorable));
        }
        $lease = null;
        if (!$this->report->wasJustRefused($page)) {
            try {
                $found = $this->turns->wait($page, $gzip);
            } catch (PageStoreFailed $failed) {
                $answer = $this->unlooked($make);

                return $this->report->unstored($page, $controller, Rendering::failed($answer, $failed));
            }
            if ($found instanceof Response) {
                return $found;
            }
            if ($found === null) {
                $this->report->count('wait_in_vain');

                return $this->unlooked($make)->withCacheStatus('fwd=miss', 'another process is rendering this page');
            }
            $lease = $found;
        }

        return $this->inTurn($page, $gzip, $controller, $policy, $make, $lease);
    }

    /**
     * Renders the page and gives the lease back: now, or when the page is stored, behind the answer.
     *
     * @param class-string                     $controller
     * @param Closure(RecordedReads): Response $make
     */
    private function inTurn(
        PagePath $page,
        bool $gzip,
        string $controller,
        Policy $policy,
        Closure $make,
        ?Lease $lease,
    ): Response {
        $isLeft = false;
        try {
            [$answer, $made] = $this->interruption->during(
                fn(): array => $this->render($page, $gzip, $controller, $policy, $make),
                fn() => $this->interrupted($page, $controller, $lease),
            );
            if ($made !== null && $this->after !== null) {
                $isLeft = true;
                $this->after->run(fn() => $this->store($page, $controller, $lease, $made));
            }

            return $answer;
        } finally {
            if (!$isLeft) {
                $this->turns->giveUp($page, $lease);
            }
        }
    }

    /** Stores a page whose visitor has his answer. */
    private function store(PagePath $page, string $controller, ?Lease $lease, Made $made): void
    {
        try {
            $this->report->rendered($page, $controller, $made->seconds);
            $rendering = $this->renderer->store($made);
            $rendering->isStored()
                ? $this->report->count('stored')
                : $this->report->unstored($page, $controller, $rendering);
        } finally {
            $this->turns->giveUp($page, $lease);
        }
    }

    /** What was echoed is sent as it is, since no `catch` and no `finally` stands between it and the visitor. */
    private function interrupted(PagePath $page, string $controller, ?Lease $lease): void
    {
        $this->turns->giveUp($page, $lease);
        $rendering = Rendering::refused(
            new Response((int) http_response_code(), [], ''),
            'the script ended inside the render, by exit() or by an error',
        );
        $answer = $this->report->unstored($page, $controller, $rendering);
        if (!headers_sent()) {
            header('Cache-Status: ' . $answer->header('cache-status'));
        }
    }

    /**
     * @param class-string                     $controller
     * @param Closure(RecordedReads): Response $make
     *
     * @return array{Response, Made|null} the answer, and what is to be stored behind it; null: nothing
     */
    private function render(PagePath $page, bool $gzip, string $controller, Policy $policy, Closure $make): array
    {
        $begin = hrtime(true);
        $rendering = $this->renderer->render($page, $controller, $policy, function (RecordedReads $reads) use (
            $make,
            $controller,
        ) {
            $answer = $make($reads);
            $objection = $reads->refusal() === null ? $this->release?->objection($controller) : null;
            if ($this->isCurrent !== null && !($this->isCurrent)()) {
                $objection ??= 'the connection was made anew during the render, and a statement may be unseen';
            }
            if ($objection !== null) {
                $reads->refuse($objection);
            }

            return $answer;
        }, $this->after !== null);
        $area = $this->site->urls->areaOf($page->path());
        if ($rendering->made !== null) {
            return [self::first($rendering->answer, $area), $rendering->made];
        }
        $this->report->rendered($page, $controller, (hrtime(true) - $begin) / 1e9);
        if (!$rendering->isStored()) {
            return [$this->report->unstored($page, $controller, $rendering), null];
        }
        $this->report->count('stored');
        $stored = $rendering->stored($gzip);

        return [$stored->answer($area, 'fwd=miss; stored', $rendering->answer->headers), null];
    }

    /** Whether this page is stored, nobody knows yet, so an edge may not keep it, and it has no ETag. */
    private static function first(Response $answer, Area $area): Response
    {
        $headers = [
            'vary' => ['Accept-Encoding'],
            'cache-control' => ['no-cache'],
            'cache-status' => ['larder; fwd=miss'],
        ] + $answer->headers + ['content-type' => [$area->type]];

        return (new Response($answer->status, $headers, $answer->body, true, true))->withLength();
    }

    /**
     * Makes what is not stored.
     *
     * @param Closure(RecordedReads): Response $make
     */
    private function unlooked(Closure $make): Response
    {
        return $make($this->renderer->reads());
    }

    /** @return string|null why no page of this controller can be stored now */
    private function refusal(?string $controller, ?Policy $policy, PagePath $page): ?string
    {
        if ($this->release === null) {
            return $this->report->off('no release is deployed');
        }
        if ($policy === null) {
            return match (true) {
                $controller === null => 'no controller is known for this request',
                self::declaresReads($controller) => $this->report->unlisted($controller),
                default => \sprintf('%s declares no #[Reads]', $controller),
            };
        }
        $mismatch = $this->release->otherControllers($this->site);
        if ($mismatch !== null) {
            return $this->report->off($mismatch);
        }
        $area = $this->site->urls->areaOf($page->path());

        return $area->ttl === $policy->ttl
            ? null
            : \sprintf('%s and its area %s differ in ttl', $controller, $area->prefix);
    }

    private static function declaresReads(string $controller): bool
    {
        return class_exists($controller) && (new ReflectionClass($controller))->getAttributes(Reads::class) !== [];
    }
}
