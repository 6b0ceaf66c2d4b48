<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Dependency\RecordedReads;
use Throwable;

/**
 * The page cache for a front controller in plain PHP, which echoes and calls header().
 *
 *     $site = require 'larder.php';
 *     $database = ($site->connect)();
 *     $controller = new NewsController($database);
 *     Pages::of($site)->plainFront($database)->run(NewsController::class, fn() => $controller->show());
 */
final readonly class PlainFront
{
    public function __construct(private PageCache $pages) {}

    /**
     * @param class-string    $controller
     * @param Closure(): void $show
     *
     * @throws Throwable what $show throws; then nothing is stored and nothing sent
     */
    public function run(string $controller, Closure $show): void
    {
        $request = PageRequest::of($_SERVER);
        if ($request->key !== '') {
            UnkeyedGlobals::hide();
        }
        $answer = $this->pages->answer(
            $request,
            $controller,
            static fn(RecordedReads $reads): Response => self::capture($show),
        );
        header_remove();
        http_response_code($answer->status);
        foreach ($answer->headers as $name => $values) {
            foreach ($values as $value) {
                header(ucwords($name, '-') . ': ' . $value, false);
            }
        }
        echo $answer->body;
    }

    /** @param Closure(): void $show */
    private static function capture(Closure $show): Response
    {
        $body = EchoedOutput::of($show);
        $charset = strtolower((string) \ini_get('default_charset'));
        $headers = ['content-type' => [\sprintf('%s; charset=%s', \ini_get('default_mimetype'), $charset)]];
        foreach (headers_list() as $header) {
            [$name, $value] = explode(':', $header, 2) + [1 => ''];
            $name = strtolower($name);
            $headers[$name] = [...($name === 'content-type' ? [] : $headers[$name] ?? []), trim($value)];
        }
        $status = http_response_code();

        return new Response(\is_int($status) ? $status : 200, $headers, $body);
    }
}
