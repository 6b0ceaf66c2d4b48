<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Dependency\RecordedReads;
use Psr\Http\Message\ResponseFactoryInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Psr\Http\Server\MiddlewareInterface;
use Psr\Http\Server\RequestHandlerInterface;

/**
 * The page cache as PSR-15 middleware. Stands after routing, which puts the controller's class into the attribute CONTROLLER,
 * and before everything that renders.
 */
final readonly class Middleware implements MiddlewareInterface
{
    public const CONTROLLER = 'larder.controller';

    public function __construct(
        private PageCache $pages,
        private ResponseFactoryInterface $responses,
        private StreamFactoryInterface $streams,
    ) {}

    public function process(ServerRequestInterface $request, RequestHandlerInterface $handler): ResponseInterface
    {
        $controller = $request->getAttribute(self::CONTROLLER);
        $answer = $this->pages->answer(
            PageRequest::of($request->getServerParams()),
            \is_string($controller) && class_exists($controller) ? $controller : null,
            static function (RecordedReads $reads) use ($request, $handler): Answer {
                $response = $handler->handle(new GuardedRequest($request, $reads));
                self::refuseStrays($reads);

                return self::answer($response);
            },
        );
        $response = $this->responses->createResponse($answer->status);
        foreach ($answer->headers as $name => $values) {
            $response = $response->withHeader(ucwords($name, '-'), $values);
        }

        return $response->withBody($this->streams->createStream($answer->body));
    }

    /** What the application sent past the PSR-7 response would be missing from every hit. */
    private static function refuseStrays(RecordedReads $reads): void
    {
        if (headers_sent()) {
            $reads->refuse('output was sent before the answer was complete');
        }
        foreach (headers_list() as $header) {
            if (stripos($header, 'set-cookie:') === 0) {
                $reads->refuse('a cookie was set beside the answer');
            }
        }
    }

    private static function answer(ResponseInterface $response): Answer
    {
        $headers = [];
        foreach ($response->getHeaders() as $name => $values) {
            $headers[strtolower((string) $name)] = array_values($values);
        }

        return new Answer($response->getStatusCode(), $headers, (string) $response->getBody());
    }
}
