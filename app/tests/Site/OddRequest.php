<?php

declare(strict_types=1);

namespace App\Tests\Site;

/** A request of OddRequests, byte for byte. */
final readonly class OddRequest
{
    /**
     * @param string      $bytes  with WHO for the visitor's word
     * @param string|null $stores the page that may be in the store then, without that word; null: none
     * @param string      $next   what the next visitor asks for, beside /trap/mirror
     * @param string|null $answer expression for the whole answer
     */
    public function __construct(
        public string $bytes,
        public ?string $stores = null,
        public string $next = '/trap/mirror',
        public ?string $answer = null,
    ) {}
}
