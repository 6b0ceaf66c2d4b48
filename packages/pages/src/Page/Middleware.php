<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Sql\Tracker\RecordedReads;
use LogicException;
use Psr\Http\Message\ResponseFactoryInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Psr\Http\Server\MiddlewareInterface;
use Psr\Http\Server\RequestHandlerInterface;

/**
 * The page cache as PSR-15 middleware. It stands after routing, which sets the attribute CONTROLLER to the controller's
 * class, and before everything that renders. It sets the attribute CONTEXT, by which a render reads the Context of the
 * visitor.
 */
final readonly class Middleware implements MiddlewareInterface
{
    public const CONTROLLER = 'larder.controller';

    /** Attribute with a Context. */
    public const CONTEXT = 'larder.context';

    /** The attribute of a request for a part that PHP itself puts into a page. A client cannot set it. */
    private const PART = 'larder.part';

    /**
     * @internal Pages makes it.
     *
     * @param (Closure(ServerRequestInterface): ResponseInterface)|null $whole the whole application, with its routing
     */
    public function __construct(
        private PageCache $pages,
        private ResponseFactoryInterface $responses,
        private StreamFactoryInterface $streams,
        private ?Closure $whole = null,
    ) {}

    public function process(ServerRequestInterface $request, RequestHandlerInterface $handler): ResponseInterface
    {
        $controller = $request->getAttribute(self::CONTROLLER);
        $inner = $request->getAttribute(self::PART);
        $asked = $inner instanceof PageRequest ? $inner : PageRequest::of($request->getServerParams());
        if ($asked->part === null && $this->pages->isOfParts($request->getUri()->getPath())) {
            return $this->response($this->pages->none());
        }
        $hasBegun = EchoedOutput::hasBegun();
        $answer = $this->pages->answer(
            $asked,
            \is_string($controller) && class_exists($controller) ? $controller : null,
            function (RecordedReads $reads) use ($request, $handler, $asked, $hasBegun): Response {
                $hidden = $asked->key === '' ? null : UnkeyedGlobals::hide();
                try {
                    $known = $request->withAttribute(self::CONTEXT, $this->pages->context($asked, $reads));

                    return self::handle($handler, new GuardedRequest($known, $reads), $reads, $hasBegun);
                } finally {
                    $hidden?->restore();
                }
            },
            $hasBegun ? 'output came before the page' : null,
            $this->whole === null
                ? null
                : fn(PartKind $kind, string $name, string $uri): Response => $this->part(
                    $request,
                    $kind,
                    PageRequest::ofPart($name, $asked),
                    $uri,
                ),
        );

        return $this->response($answer);
    }

    /** Asks the application for a part of the page that $request was for, with what nginx would pass. */
    private function part(ServerRequestInterface $request, PartKind $kind, PageRequest $asked, string $uri): Response
    {
        if ($this->whole === null) {
            throw new LogicException('Without the application, nothing is asked.');
        }
        $inner = $request->withMethod('GET')
            ->withUri($request->getUri()->withPath($uri)->withQuery(''), true)
            ->withQueryParams([])
            ->withParsedBody(null)
            ->withUploadedFiles([])
            ->withBody($this->streams->createStream())
            ->withAttribute(self::PART, $asked);
        if ($kind === PartKind::Private) {
            return self::answer(($this->whole)($inner), null, true);
        }
        foreach (array_keys($inner->getHeaders()) as $header) {
            $inner = $inner->withoutHeader((string) $header);
        }
        $hidden = UnkeyedGlobals::hide();
        try {
            return self::answer(($this->whole)($inner->withCookieParams([])), null, true);
        } finally {
            $hidden->restore();
        }
    }

    private function response(Response $answer): ResponseInterface
    {
        $response = $this->responses->createResponse($answer->status);
        foreach ($answer->headers as $name => $values) {
            $response = $response->withHeader(ucwords($name, '-'), $values);
        }

        return $response->withBody($this->streams->createStream($answer->body));
    }

    private static function handle(
        RequestHandlerInterface $handler,
        ServerRequestInterface $request,
        RecordedReads $reads,
        bool $hasBegun,
    ): Response {
        $response = null;
        $echoed = EchoedOutput::of(static function () use ($handler, $request, &$response): void {
            $response = $handler->handle($request);
        });
        if (!$response instanceof ResponseInterface) {
            throw new LogicException('The handler returned, so there is a response.');
        }
        if ($echoed->bytes !== '') {
            $reads->refuse('output was sent beside the answer');
        }

        return self::answer($response, $echoed, $echoed->isWhole && !$hasBegun);
    }

    /** @param EchoedOutput|null $echoed stands first, as it would without Larder */
    private static function answer(ResponseInterface $response, ?EchoedOutput $echoed, bool $isWhole): Response
    {
        $headers = [];
        foreach ($response->getHeaders() as $name => $values) {
            $headers[strtolower((string) $name)] = array_values($values);
        }
        foreach (headers_sent() ? [] : self::takeSentHeaders() as $name => $values) {
            $headers[$name] = $name === 'content-type'
                ? $headers[$name] ?? $values
                : [...$headers[$name] ?? [], ...$values];
        }

        return new Response($response->getStatusCode(), $headers, $echoed?->bytes . $response->getBody(), $isWhole);
    }

    /**
     * Removes the headers that header(), setcookie() or session_start() set, and returns them. They become part of the
     * response, so that StoreRules sees them: hits would not have them.
     *
     * @return array<string, list<string>>
     */
    private static function takeSentHeaders(): array
    {
        $headers = [];
        foreach (headers_list() as $header) {
            [$name, $value] = explode(':', $header, 2) + [1 => ''];
            if (strtolower($name) !== 'x-powered-by') {
                $headers[strtolower($name)][] = trim($value);
                header_remove($name);
            }
        }

        return $headers;
    }
}
