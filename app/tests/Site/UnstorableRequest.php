<?php

declare(strict_types=1);

namespace App\Tests\Site;

/**
 * A request that must leave nothing in the page store: what it gets, and what the next visitor gets who plainly asks
 * for the page.
 */
final readonly class UnstorableRequest
{
    /**
     * @param string                $marker     in the body
     * @param string                $why        in Cache-Status; empty: there is none
     * @param array<string, string> $headers
     * @param bool                  $stored     the page is in the store before
     * @param int|null              $nextStatus null: the same
     * @param string|null           $nextMarker null: the same
     */
    public function __construct(
        public string $uri,
        public int $status,
        public string $marker,
        public string $why,
        public string $method = 'GET',
        public array $headers = [],
        public string $body = '',
        public bool $stored = false,
        public ?string $nextUri = null,
        public ?int $nextStatus = null,
        public ?string $nextMarker = null,
    ) {}
}
