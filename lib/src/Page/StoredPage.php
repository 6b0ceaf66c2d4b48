<?php

declare(strict_types=1);

namespace Larder\Page;

/** One form of a page in the page store: plain or compressed. */
final readonly class StoredPage
{
    /**
     * @param string                      $bytes   the body
     * @param string                      $etag    with which nginx sends it
     * @param array<string, list<string>> $headers of the page, by name in lower case, beside those that all pages have
     * @param bool                        $isShell nginx puts its parts in
     */
    public function __construct(
        public string $bytes,
        public bool $gzip,
        public string $etag,
        public int $status = 200,
        public array $headers = [],
        public bool $isShell = false,
    ) {}

    /** What is kept of an answer where the store keeps no heads: the key has its status, and a redirect no body. */
    public function at(PagePath $page): self
    {
        return match (true) {
            $page->status === null => $this,
            $page->isRedirect() => new self('', false, '', $page->status, ['location' => [$this->bytes]]),
            default => new self($this->bytes, $this->gzip, $this->etag, $page->status, $this->headers),
        };
    }

    /**
     * Answers as nginx will answer with the same page, so that a miss and the hits after it agree.
     *
     * @param string                      $status  of the cache
     * @param array<string, list<string>> $headers beside those of the page
     */
    public function answer(Area $area, string $status, array $headers = []): Response
    {
        $own = [
            'content-type' => $this->headers['content-type'] ?? [$area->type],
            'vary' => ['Accept-Encoding'],
            ...($this->etag === '' ? [] : ['etag' => [$this->etag]]),
            'cache-control' => ['no-cache'],
            'cache-status' => ['larder; ' . $status],
        ];
        if ($this->gzip) {
            $own['content-encoding'] = ['gzip'];
        }
        $own += $this->headers + $headers;

        return (new Response($this->status, $own, $this->bytes, true, true, $this->isShell))->withLength();
    }

    /**
     * A file, with the ETag that nginx makes of it: modification time and length in hexadecimal (ngx_http_set_etag).
     *
     * @param int $generation its modification time
     */
    public static function ofFile(string $bytes, int $generation, bool $gzip, bool $isShell = false): self
    {
        $etag = \sprintf('"%x-%x"', $generation, \strlen($bytes));

        return new self($bytes, $gzip, $etag, isShell: $isShell);
    }
}
