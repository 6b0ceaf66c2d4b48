<?php

declare(strict_types=1);

namespace Larder\Page;

/** A response that belongs to no framework. */
final readonly class Response
{
    /**
     * @param array<string, list<string>> $headers by name in lower case
     * @param bool $isWhole  false: the visitor gets output beside the body
     * @param bool $isStored whether the page store has just this body, or gets it when the visitor has it
     * @param bool $isShell  the body has includes of parts, which are not put in yet
     */
    public function __construct(
        public int $status,
        public array $headers,
        public string $body,
        public bool $isWhole = true,
        public bool $isStored = false,
        public bool $isShell = false,
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

    /** The same with a longer body. */
    public function withMore(string $text): self
    {
        return $this->having($this->headers, $this->body . $text, $this->isShell);
    }

    /** The same as a shell, whose includes stand in the body. */
    public function shell(string $body): self
    {
        return $this->having($this->headers, $body, true);
    }

    /** The same with its parts in place. */
    public function whole(string $body): self
    {
        return $this->having($this->headers, $body, false);
    }

    public function with(string $name, string $value): self
    {
        $headers = [strtolower($name) => [$value]] + $this->headers;

        return $this->having($headers, $this->body, $this->isShell);
    }

    /** @param array<string, list<string>> $headers */
    private function having(array $headers, string $body, bool $isShell): self
    {
        return new self($this->status, $headers, $body, $this->isWhole, $this->isStored, $isShell);
    }
}
