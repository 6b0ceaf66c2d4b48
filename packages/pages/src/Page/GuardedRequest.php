<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Sql\Tracker\RecordedReads;
use Psr\Http\Message\MessageInterface;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Message\StreamInterface;
use Psr\Http\Message\UriInterface;

/**
 * Refuses to store the page when the render reads what is not part of the page's key: headers, cookies, server
 * parameters, the body.
 *
 * The response is right for this visitor, so it is sent, but it may be wrong for the next one. A render may read the
 * method, the URI, the query (nginx passes only a canonical one) and the attributes that routing set.
 *
 * @internal
 */
final readonly class GuardedRequest implements ServerRequestInterface
{
    public function __construct(
        private ServerRequestInterface $request,
        private RecordedReads $reads,
    ) {}

    public function getHeaders(): array
    {
        return $this->refused('all headers')->getHeaders();
    }

    public function hasHeader(string $name): bool
    {
        return $this->refused('the header ' . $name)->hasHeader($name);
    }

    public function getHeader(string $name): array
    {
        return $this->refused('the header ' . $name)->getHeader($name);
    }

    public function getHeaderLine(string $name): string
    {
        return $this->refused('the header ' . $name)->getHeaderLine($name);
    }

    /** @return array<array-key, mixed> */
    public function getServerParams(): array
    {
        return $this->refused('the server parameters')->getServerParams();
    }

    /** @return array<array-key, mixed> */
    public function getCookieParams(): array
    {
        return $this->refused('the cookies')->getCookieParams();
    }

    public function getBody(): StreamInterface
    {
        return $this->refused('the request body')->getBody();
    }

    /** @return array<array-key, mixed> */
    public function getUploadedFiles(): array
    {
        return $this->refused('the uploaded files')->getUploadedFiles();
    }

    /** @return array<array-key, mixed>|object|null */
    public function getParsedBody(): array|object|null
    {
        return $this->refused('the request body')->getParsedBody();
    }

    public function getProtocolVersion(): string
    {
        return $this->refused('the protocol version')->getProtocolVersion();
    }

    public function getRequestTarget(): string
    {
        return $this->request->getRequestTarget();
    }

    public function getMethod(): string
    {
        return $this->request->getMethod();
    }

    public function getUri(): UriInterface
    {
        return $this->request->getUri();
    }

    /** @return array<array-key, mixed> */
    public function getQueryParams(): array
    {
        return $this->request->getQueryParams();
    }

    /** @return array<array-key, mixed> */
    public function getAttributes(): array
    {
        return $this->request->getAttributes();
    }

    public function getAttribute(string $name, $default = null): mixed
    {
        return $this->request->getAttribute($name, $default);
    }

    public function withProtocolVersion(string $version): MessageInterface
    {
        return new self($this->request->withProtocolVersion($version), $this->reads);
    }

    /** @param string|array<string> $value */
    public function withHeader(string $name, $value): MessageInterface
    {
        return new self($this->request->withHeader($name, $value), $this->reads);
    }

    /** @param string|array<string> $value */
    public function withAddedHeader(string $name, $value): MessageInterface
    {
        return new self($this->request->withAddedHeader($name, $value), $this->reads);
    }

    public function withoutHeader(string $name): MessageInterface
    {
        return new self($this->request->withoutHeader($name), $this->reads);
    }

    public function withBody(StreamInterface $body): MessageInterface
    {
        return new self($this->request->withBody($body), $this->reads);
    }

    public function withRequestTarget(string $requestTarget): RequestInterface
    {
        return new self($this->request->withRequestTarget($requestTarget), $this->reads);
    }

    public function withMethod(string $method): RequestInterface
    {
        return new self($this->request->withMethod($method), $this->reads);
    }

    public function withUri(UriInterface $uri, bool $preserveHost = false): RequestInterface
    {
        return new self($this->request->withUri($uri, $preserveHost), $this->reads);
    }

    /** @param array<array-key, mixed> $cookies */
    public function withCookieParams(array $cookies): ServerRequestInterface
    {
        return new self($this->request->withCookieParams($cookies), $this->reads);
    }

    /** @param array<array-key, mixed> $query */
    public function withQueryParams(array $query): ServerRequestInterface
    {
        return new self($this->request->withQueryParams($query), $this->reads);
    }

    /** @param array<array-key, mixed> $uploadedFiles */
    public function withUploadedFiles(array $uploadedFiles): ServerRequestInterface
    {
        return new self($this->request->withUploadedFiles($uploadedFiles), $this->reads);
    }

    /** @param array<array-key, mixed>|object|null $data */
    public function withParsedBody($data): ServerRequestInterface
    {
        return new self($this->request->withParsedBody($data), $this->reads);
    }

    public function withAttribute(string $name, $value): ServerRequestInterface
    {
        return new self($this->request->withAttribute($name, $value), $this->reads);
    }

    public function withoutAttribute(string $name): ServerRequestInterface
    {
        return new self($this->request->withoutAttribute($name), $this->reads);
    }

    private function refused(string $what): ServerRequestInterface
    {
        $this->reads->refuse(\sprintf('the render read %s, which the key does not hold', $what));

        return $this->request;
    }
}
