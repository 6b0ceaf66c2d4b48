<?php

declare(strict_types=1);

namespace Larder\Page;

/** One representation of a page as it lies in the page store. */
final readonly class StoredPage
{
    public function __construct(
        public string $bytes,
        public int $generation,
        public bool $gzip,
    ) {}

    /** As nginx makes it of a file: modification time and length in hexadecimal (ngx_http_set_etag). */
    public function etag(): string
    {
        return \sprintf('"%x-%x"', $this->generation, \strlen($this->bytes));
    }
}
