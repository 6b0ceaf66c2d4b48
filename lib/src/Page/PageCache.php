<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Dependency\RecordedReads;
use Larder\Metrics\Counters;
use Larder\Metrics\SparingLogger;
use Psr\Log\LoggerInterface;

/**
 * Answers the requests that nginx found no page for. Those whose page could be stored are a Miss, the others bypass the
 * cache, and load none of its classes.
 */
final class PageCache
{
    private ?Miss $miss = null;

    /**
     * @internal Pages makes it.
     *
     * @param Closure(): Miss $open is called for the first page that could be stored
     */
    public function __construct(
        private readonly Site $site,
        private readonly Counters $counters,
        private readonly Closure $open,
        private readonly ?LoggerInterface $logger,
    ) {}

    /**
     * @param class-string|null                $controller that answers this request
     * @param Closure(RecordedReads): Response $make       calls refuse() if it read what is not part of the page's key
     * @param string|null                      $unstorable why no page can answer this request; null: one may
     */
    public function answer(
        PageRequest $request,
        ?string $controller,
        Closure $make,
        ?string $unstorable = null,
    ): Response {
        $isCandidate = $request->key !== '' && $request->method === 'GET';
        $page = $isCandidate ? $this->site->page($request->key) : null;
        if ($page !== null) {
            $this->miss ??= ($this->open)();

            return $this->miss->answer($page, $request->acceptsGzip, $controller, $make, $unstorable);
        }
        $this->counters->add('larder_page_bypasses_total');

        return $make(new RecordedReads($this->site->registry))->withCacheStatus(
            'fwd=bypass',
            $isCandidate ? 'not a canonical URI' : 'not a request whose page could be stored',
        );
    }

    /**
     * Says that bytes were echoed after a page that is stored without them.
     *
     * @internal for PlainFront
     */
    public function droppedLate(int $bytes): void
    {
        ($this->logger ?? new SparingLogger())->warning(
            '{bytes} bytes were echoed after run() and dropped, since the page is stored without them. Echo them '
                . 'inside.',
            ['bytes' => $bytes, 'cause' => 'output after run()'],
        );
    }
}
