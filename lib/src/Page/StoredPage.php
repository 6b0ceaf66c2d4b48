<?php

declare(strict_types=1);

namespace Larder\Page;

/** One form of a page in the page store: plain or compressed. */
final readonly class StoredPage
{
    public function __construct(
        public string $bytes,
        public int $generation,
        public bool $gzip,
    ) {}

    /** The ETag that nginx makes of a file: modification time and length in hexadecimal (ngx_http_set_etag). */
    public function etag(): string
    {
        return \sprintf('"%x-%x"', $this->generation, \strlen($this->bytes));
    }
}
