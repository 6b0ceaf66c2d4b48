<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Exception\LarderException;
use Larder\Metrics\Counters;
use Larder\Metrics\SparingLogger;
use Larder\Page\Exception\UndeclaredRead;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Exception\PageStoreFailed;
use Larder\Sql\Ledger\Publication;
use Larder\SystemClock;
use Psr\Clock\ClockInterface;
use Psr\Log\LoggerInterface;
use Psr\Log\LogLevel;

/**
 * Counts, notes and logs what becomes of the requests that nginx found no page for.
 *
 * Header, log and `larder explain` give one reason; the header leaves paths out.
 *
 * @internal part of Miss
 */
final readonly class MissReport
{
    /** Seconds for which requests for a refused page do not wait for a lease, since no page would come of it. */
    private const REFUSAL_REMEMBERED = 10;

    /** @param bool $strict for tests: a page that is not stored because of what it read throws UndeclaredRead */
    public function __construct(
        private Refusals $refusals,
        private Counters $counters,
        private ?LoggerInterface $logger = null,
        private ?SlowRenders $slow = null,
        private ClockInterface $clock = new SystemClock(),
        private bool $strict = false,
    ) {}

    public function count(string $result): void
    {
        $this->counters->add('larder_page_requests_total', labels: ['result' => $result]);
    }

    public function waited(float $seconds): void
    {
        $this->counters->observe('larder_page_wait_duration_seconds', $seconds);
    }

    public function rendered(PagePath $page, string $controller, float $seconds): void
    {
        $this->counters->observe('larder_page_render_duration_seconds', $seconds, ['route' => $controller]);
        $this->slow?->note($page->key, $controller, $seconds, $this->clock->now()->getTimestamp());
    }

    public function refused(PagePath $page, string $reason): void
    {
        $this->refusals->note($page->key, $reason, $this->clock->now()->getTimestamp());
        $this->counters->add('larder_page_refusals_total', labels: ['cause' => RefusalCause::of($reason)->value]);
    }

    public function wasJustRefused(PagePath $page): bool
    {
        $refusal = $this->refusals->of($page->key);

        return $refusal !== null && $this->clock->now()->getTimestamp() - $refusal['at'] < self::REFUSAL_REMEMBERED;
    }

    /** @return Response the answer, which says why the page is not stored */
    public function unstored(PagePath $page, string $controller, Rendering $rendering): Response
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

    /** @return string what the header says */
    public function off(string $reason): string
    {
        $this->logger()->error(
            'Page caching is off: {reason}. Run larder deploy.',
            ['reason' => $reason, 'cause' => 'off ' . $reason],
        );

        return $reason . ': run larder deploy';
    }

    /** @return string what the header says */
    public function unlisted(string $controller): string
    {
        $this->logger()->warning(
            'No page of {controller} is stored: it has #[Reads] and is not in the list of controllers. Add it to '
            . 'Site::$controllers and run larder deploy.',
            ['controller' => $controller, 'cause' => 'unlisted ' . $controller],
        );

        return $controller . ' is not in the list of controllers: add it and run larder deploy';
    }

    private function logger(): LoggerInterface
    {
        return $this->logger ?? new SparingLogger();
    }

    private function log(string $controller, PagePath $page, Rendering $rendering): void
    {
        if ($this->strict && $rendering->publication === null) {
            throw UndeclaredRead::by($controller, (string) $rendering->refusal);
        }
        $hasFailed = $rendering->failure !== null
            || RefusalCause::of((string) $rendering->refusal) === RefusalCause::Failed;
        if (!$hasFailed && self::isMeant($rendering->answer)) {
            return;
        }
        $reason = rtrim((string) $rendering->refusal, '.');
        $shown = $rendering->failure === null ? $reason : self::shown($rendering->failure);
        $this->logger()->log(
            $rendering->failure === null ? LogLevel::WARNING : LogLevel::ERROR,
            'The page {page} of {controller} is not stored: {reason}.{remedy}',
            [
                'page' => $page->key,
                'controller' => $controller,
                'reason' => $reason,
                'remedy' => match ($rendering->publication) {
                    Publication::OtherRelease => ' Run larder deploy, then reload php-fpm.',
                    Publication::Full => ' Raise Limits::$bytes or $routeShare.',
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
}
