<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Dependency\RecordedReads;
use LogicException;
use Throwable;

/**
 * The page cache for a front controller in plain PHP, which echoes and calls header().
 *
 *     $pages = Pages::of(require 'larder.php');
 *     $database = $pages->connect();
 *     $controller = new NewsController($database);
 *     $pages->plainFront($database)->run(NewsController::class, fn() => $controller->show());
 *
 * What is stored is what was sent. A page is not stored, and is sent whole, if output came before it, or if it was
 * flushed before it was whole. What is echoed after run() is no part of a stored page: it is dropped, and logged.
 */
final readonly class PlainFront
{
    /**
     * @internal Pages makes it.
     *
     * @param (Closure(string, Context): void)|null $part echoes a part, by its name, in a context
     */
    public function __construct(private PageCache $pages, private ?Closure $part = null) {}

    /**
     * @param class-string    $controller
     * @param Closure(Context): void $show gets the visitor's context; what reads it is not stored
     *
     * @throws Throwable what $show throws; then nothing is stored, and sent at most what it flushed
     */
    public function run(string $controller, Closure $show): void
    {
        $request = PageRequest::of($_SERVER);
        $uri = $_SERVER['REQUEST_URI'] ?? '';
        if ($request->part === null && $this->pages->isOfParts(\is_string($uri) ? $uri : '')) {
            $this->send($this->pages->none());

            return;
        }
        if ($request->key !== '') {
            UnkeyedGlobals::hide();
        }
        $hasBegun = EchoedOutput::hasBegun();
        $this->send($this->pages->answer(
            $request,
            $controller,
            fn(RecordedReads $reads): Response => self::capture(
                fn() => $show($this->pages->context($request, $reads)),
                $hasBegun,
            ),
            $hasBegun ? 'output came before the page' : null,
            $this->part === null ? null : fn(PartKind $kind, string $name): Response => $this->part(
                $kind,
                PageRequest::ofPart($name, $request),
            ),
        ));
    }

    /** For a page that nginx does not put together. The headers that the part sets are dropped, as by nginx. */
    private function part(PartKind $kind, PageRequest $request): Response
    {
        $show = $this->part ?? throw new LogicException('Without it, nothing is asked.');
        $hidden = $kind === PartKind::Private ? null : UnkeyedGlobals::hide();
        http_response_code(200);
        try {
            return $this->pages->answer(
                $request,
                null,
                fn(RecordedReads $reads): Response => self::capture(
                    fn() => $show((string) $request->part, $this->pages->context($request, $reads)),
                    false,
                ),
            );
        } finally {
            $hidden?->restore();
        }
    }

    /** @param Closure(): void $show */
    private static function capture(Closure $show, bool $hasBegun): Response
    {
        $echoed = EchoedOutput::of($show);
        $charset = strtolower((string) \ini_get('default_charset'));
        $headers = ['content-type' => [\sprintf('%s; charset=%s', \ini_get('default_mimetype'), $charset)]];
        foreach (headers_list() as $header) {
            [$name, $value] = explode(':', $header, 2) + [1 => ''];
            $name = strtolower($name);
            $headers[$name] = [...($name === 'content-type' ? [] : $headers[$name] ?? []), trim($value)];
        }
        $status = http_response_code();

        return new Response(
            \is_int($status) ? $status : 200,
            $headers,
            $echoed->bytes,
            $echoed->isWhole && !$hasBegun,
        );
    }

    private function send(Response $answer): void
    {
        if (!headers_sent()) {
            header_remove();
            http_response_code($answer->status);
            foreach ($answer->headers as $name => $values) {
                foreach ($values as $value) {
                    header(ucwords($name, '-') . ': ' . $value, false);
                }
            }
        }
        // On the command line nobody reads a Content-Length, and no request ends the buffer.
        if ($answer->isWhole && \PHP_SAPI !== 'cli') {
            ob_start(fn(string $bytes, int $phase): string => $this->last($answer, $bytes, $phase));
        }
        echo $answer->body;
    }

    /** Sees what comes after the body, in all that this request sends or in the first part of it. */
    private function last(Response $answer, string $bytes, int $phase): string
    {
        $late = \strlen($bytes) - \strlen($answer->body);
        if ($answer->isStored) {
            if ($late > 0) {
                $this->pages->droppedLate($late);
            }

            return ($phase & PHP_OUTPUT_HANDLER_START) !== 0 ? substr($bytes, 0, \strlen($answer->body)) : '';
        }
        if (!headers_sent() && isset($answer->headers['content-length'])) {
            ($phase & PHP_OUTPUT_HANDLER_FINAL) !== 0
                ? header('Content-Length: ' . \strlen($bytes))
                : header_remove('Content-Length');
        }

        return $bytes;
    }
}
