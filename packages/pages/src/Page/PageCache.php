<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Metrics\Counters;
use Larder\Metrics\SparingLogger;
use Larder\Page\Exception\ContextsUnavailable;
use Larder\Page\Exception\UndeclaredRead;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Tracker\RecordedReads;
use Psr\Log\LoggerInterface;
use Throwable;

/**
 * Answers the requests that nginx found no page for. Those whose page could be stored are a Miss, the others bypass the
 * cache, and load none of its classes.
 *
 * A page with parts is put together by nginx if it is stored, and by PHP if not.
 *
 * @internal
 */
final class PageCache
{
    /** Where nginx puts the parts into a stored page, below the path of the site; behind it stands the key. */
    public const SHELLS = '/@larder';

    /**
     * @internal Pages makes it.
     *
     * @param (Closure(): (Miss|null))|null $open is called for each page that could be stored; null: none is. It
     *     returns null if there is no connection
     * @param Parts|null $parts that the pages call; null: nobody has them yet
     */
    public function __construct(
        private readonly Site $site,
        private readonly Counters $counters,
        private readonly ?Closure $open,
        private readonly ?LoggerInterface $logger,
        private ?Parts $parts,
    ) {}

    /**
     * @param class-string|null                $controller that answers this request
     * @param Closure(RecordedReads): Response $make       calls refuse() if it read what is not part of the page's key
     * @param string|null                      $unstorable why no page can answer this request; null: one may
     * @param (Closure(PartKind, string, string): Response)|null $partOf answers for a part, by its kind, name and URI,
     *     where nginx does not ask for it; null: parts that nginx does not put in are empty
     */
    public function answer(
        PageRequest $request,
        ?string $controller,
        Closure $make,
        ?string $unstorable = null,
        ?Closure $partOf = null,
    ): Response {
        if ($request->part !== null) {
            return $this->part($request, $request->part, $controller, $make, $unstorable);
        }
        $answer = $this->unassembled(
            $request,
            $controller,
            function (RecordedReads $reads) use ($make, $request): Response {
                // Most sites have no parts.
                $answer = $this->parts === null && $this->site->urls->parts === []
                    ? $make($reads)
                    : $this->parts()->page($reads, $make);
                if ($answer->isShell && $request->whole === '') {
                    $reads->refuse('nginx knows no parts: print its configuration anew and load it');
                }

                return $answer;
            },
            $unstorable,
        );

        return $answer->isShell ? $this->assembled($request, $answer, $partOf) : $answer;
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

    /**
     * Whether a URI is where the parts are. No visitor may ask for it.
     *
     * @internal for Middleware and PlainFront
     */
    public function isOfParts(string $path): bool
    {
        $place = rtrim($this->site->urls->path, '/') . self::SHELLS;
        // As a router may take it.
        $plain = (string) preg_replace('~/{2,}~', '/', rawurldecode(explode('?', $path, 2)[0]));

        return $this->site->urls->parts !== [] && str_starts_with($plain . '/', $place . '/');
    }

    /**
     * The visitor's context, for what is being made.
     *
     * @internal for Middleware and PlainFront
     *
     * @param RecordedReads $reads of a page, or of a part for all: they may not be stored once it is read
     */
    public function context(PageRequest $request, RecordedReads $reads): Context
    {
        $part = $request->part === null ? null : $this->site->urls->part($request->part);
        if ($part !== null && $part->kind !== PartKind::ForAll) {
            return new Context(PagePath::of($request->key)->context ?? $this->contextOf($request));
        }

        return new Context($this->contextOf($request), static fn(string $call) => $reads->refuse(
            \sprintf('the render read the context by %s, which the key does not hold', $call),
        ));
    }

    /** @internal for Middleware and PlainFront */
    public function none(): Response
    {
        return (new Response(404, ['content-type' => ['text/plain; charset=utf-8']], "There is no such page.\n"))
            ->withCacheStatus('fwd=bypass', 'a part is no page');
    }

    private function parts(): Parts
    {
        return $this->parts ??= new Parts($this->site);
    }

    private function contextOf(PageRequest $request): string
    {
        $contexts = $this->site->visitors->contexts;
        if ($contexts === null || $request->cookies === null) {
            return $request->context;
        }
        try {
            return $contexts->read($request->cookies, time());
        } catch (ContextsUnavailable $failed) {
            ($this->logger ?? new SparingLogger())->error(
                'Every visitor is anonymous: {reason}',
                ['reason' => $failed->getMessage(), 'exception' => $failed, 'cause' => 'contexts'],
            );

            return '';
        }
    }

    /**
     * @param class-string|null                $controller
     * @param Closure(RecordedReads): Response $make
     */
    private function unassembled(
        PageRequest $request,
        ?string $controller,
        Closure $make,
        ?string $unstorable,
    ): Response {
        if ($this->open === null) {
            return $make(self::unstoredReads());
        }
        $isCandidate = $request->key !== '' && $request->method === 'GET';
        $page = $isCandidate ? $this->site->urls->page($request->key) : null;
        if ($page !== null) {
            $miss = ($this->open)();
            if ($miss !== null) {
                $answer = $miss->answer($page, $request->acceptsGzip, $controller, $make, $unstorable);

                return $answer->isStored ? $answer : $this->unmarked($answer);
            }
        }
        $this->counters->add('larder_page_requests_total', labels: ['result' => 'bypass']);

        $answer = $this->unmarked($make(self::unstoredReads()));

        return $answer->withCacheStatus(
            'fwd=bypass',
            match (true) {
                $page !== null => 'the site has no connection to its database',
                $isCandidate => 'not a canonical URI',
                default => 'not a request whose page could be stored',
            },
        );
    }

    /** Of what is not stored, nothing is recorded: no connection knows them, so they need none of its tables. */
    private static function unstoredReads(): RecordedReads
    {
        return new RecordedReads(new Registry());
    }

    /** An edge may not keep what is no stored page. */
    private function unmarked(Response $answer): Response
    {
        return $this->site->serving->edge === null ? $answer : (new EdgeMarks($this->site))->removed($answer);
    }

    /**
     * @param class-string|null                $controller
     * @param Closure(RecordedReads): Response $make
     */
    private function part(
        PageRequest $request,
        string $name,
        ?string $controller,
        Closure $make,
        ?string $unstorable,
    ): Response {
        try {
            if ($this->site->urls->part($name) === null) {
                return $this->none();
            }
            $answer = $this->unassembled(
                $request,
                $controller,
                function (RecordedReads $reads) use ($name, $make): Response {
                    $answer = $this->parts()->part($name, $reads, $make);

                    // An empty file has no time of its own, and an empty value is none.
                    $isEmpty = $answer->body === '' && $answer->status === 200;

                    return $answer->whole($isEmpty ? "\n" : SsiText::inert($answer->body));
                },
                $unstorable,
            );
        } catch (UndeclaredRead $strict) {
            throw $strict;
        } catch (Throwable $failed) {
            return $this->failed($name, $failed->getMessage(), $failed);
        }

        return $this->judged($name, $answer);
    }

    private function judged(string $name, Response $answer): Response
    {
        return match (true) {
            $answer->status === 200 => $answer,
            \in_array($answer->status, [204, 404, 410], true) => self::nothing(),
            default => $this->failed($name, 'its status is ' . $answer->status),
        };
    }

    private function failed(string $name, string $reason, ?Throwable $failed = null): Response
    {
        ($this->logger ?? new SparingLogger())->error(
            'The part {part} is left empty: {reason}',
            ['part' => $name, 'reason' => $reason, 'exception' => $failed, 'cause' => "part $name $reason"],
        );

        return self::nothing();
    }

    private static function nothing(): Response
    {
        return (new Response(200, ['content-type' => [Area::HTML], 'cache-control' => ['no-store']], ''))->withLength();
    }

    /** @param (Closure(PartKind, string, string): Response)|null $partOf */
    private function assembled(PageRequest $request, Response $shell, ?Closure $partOf): Response
    {
        if ($shell->isStored) {
            return $this->sentTo($shell, rtrim($this->site->urls->path, '/') . self::SHELLS . strtr(
                PagePath::SHELL . $request->key,
                ['%' => '%25', '?' => '%3F'],
            ));
        }
        if ($request->key !== '' && $request->whole !== '' && $this->parts()->differ($shell)) {
            // Here PHP has neither the visitor's cookies nor his context.
            return $this->sentTo($shell, $request->whole);
        }
        $bodies = [];
        foreach ($this->parts()->of($shell) as $name => $part) {
            try {
                $bodies[$name] = $partOf === null
                    ? $this->failed($name, 'nothing makes it where nginx does not ask for it')->body
                    : $this->judged($name, $partOf($part->kind, $name, $this->site->urls->partUri($name)))->body;
            } catch (UndeclaredRead $strict) {
                throw $strict;
            } catch (Throwable $failed) {
                $bodies[$name] = $this->failed($name, $failed->getMessage(), $failed)->body;
            }
        }
        $answer = $this->parts()->assembled($shell, static fn(string $name): string => $bodies[$name] ?? '');
        $headers = $answer->headers;
        unset($headers['etag'], $headers['last-modified'], $headers['content-length']);
        $control = $headers['cache-control'] ?? ['no-cache'];
        $headers['cache-control'] = $control === ['no-cache'] ? ['private, no-cache'] : $control;

        return (new Response($answer->status, $headers, $answer->body, $answer->isWhole))->withLength();
    }

    /** Lets nginx answer in another location. */
    private function sentTo(Response $answer, string $place): Response
    {
        $headers = ['x-accel-redirect' => [$place]]
            + array_intersect_key($answer->headers, ['content-type' => 0, 'cache-status' => 0]);

        return new Response(200, $headers, '', $answer->isWhole);
    }
}
