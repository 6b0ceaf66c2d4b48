<?php

declare(strict_types=1);

namespace Larder\Tests\Support;

/** A request of PartRequests, byte for byte. */
final readonly class PartRequest
{
    /**
     * @param string      $bytes  with WHO for the visitor's word
     * @param string|null $page   the page that it may be a request for; null: none, so there are no parts in the answer
     * @param string      $status expression for the status
     */
    public function __construct(
        public string $bytes,
        public ?string $page = null,
        public string $status = '404',
    ) {}
}
