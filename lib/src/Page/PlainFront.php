<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Throwable;

/**
 * The page cache for a front controller in plain PHP, which echoes and calls header().
 *
 *     $site = require 'larder.php';
 *     $database = ($site->connect)();
 *     $controller = new NewsController($database);
 *     Pages::of($site)->plainFront($database)->run(NewsController::class, fn() => $controller->show());
 *
 * What is stored is what was sent. A page is not stored, and is sent whole, if output came before it, or if it was
 * flushed before it was whole. What is echoed after run() is no part of a stored page: it is dropped, and logged.
 */
final readonly class PlainFront
{
    public function __construct(private PageCache $pages) {}

    /**
     * @param class-string    $controller
     * @param Closure(): void $show
     *
     * @throws Throwable what $show throws; then nothing is stored, and sent at most what it flushed
     */
    public function run(string $controller, Closure $show): void
    {
        $request = PageRequest::of($_SERVER);
        if ($request->key !== '') {
            UnkeyedGlobals::hide();
        }
        $hasBegun = EchoedOutput::hasBegun();
        $this->send($this->pages->answer(
            $request,
            $controller,
            static fn(): Response => self::capture($show, $hasBegun),
            $hasBegun ? 'output came before the page' : null,
        ));
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
