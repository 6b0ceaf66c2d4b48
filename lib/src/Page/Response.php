<?php

declare(strict_types=1);

namespace Larder\Page;

/** A response that belongs to no framework. */
final readonly class Response
{
    /**
     * @param array<string, list<string>> $headers by name in lower case
     * @param bool $isWhole  false: the visitor gets output beside the body
     * @param bool $isStored whether the page store has just this body
     */
    public function __construct(
        public int $status,
        public array $headers,
        public string $body,
        public bool $isWhole = true,
        public bool $isStored = false,
    ) {}

    public function header(string $name): ?string
    {
        $values = $this->headers[strtolower($name)] ?? [];

        return $values === [] ? null : implode(', ', $values);
    }

    /**
     * Adds the Content-Length, if the body is all that is sent. Without it nginx takes the end of the FastCGI
     * connection for the end of the body: when a worker died in the middle, the visitor would get half a page and not
     * notice.
     */
    public function withLength(): self
    {
        return !$this->isWhole || $this->status < 200 || \in_array($this->status, [204, 304], true)
            ? $this
            : $this->with('content-length', (string) \strlen($this->body));
    }

    /** Adds the header that says why this is not the page that is stored, as RFC 9211 has it, and the length. */
    public function withCacheStatus(string $status, string $reason): self
    {
        $detail = addcslashes(preg_replace('/[^\x20-\x7e]/', ' ', $reason) ?? '', '"\\');

        return $this->withLength()->with('cache-status', \sprintf('larder; %s; detail="%s"', $status, $detail));
    }

    public function with(string $name, string $value): self
    {
        $headers = [strtolower($name) => [$value]] + $this->headers;

        return new self($this->status, $headers, $this->body, $this->isWhole, $this->isStored);
    }
}
