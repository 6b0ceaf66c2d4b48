<?php

declare(strict_types=1);

namespace Larder\Page;

use Closure;
use Larder\Dependency\Publication;
use Larder\Exception\LarderException;
use LogicException;

/** The result of one render: the response to send, and whether it was stored or why not, or that it will be later. */
final readonly class Rendering
{
    /** @param (Closure(): self)|null $store see unfinished() */
    public function __construct(
        public Response $answer,
        public ?Publication $publication,
        public ?string $refusal,
        private ?StoredPage $identity = null,
        private ?StoredPage $gzip = null,
        public ?LarderException $failure = null,
        public ?Closure $store = null,
    ) {}

    public static function refused(Response $answer, string $reason): self
    {
        return new self($answer, null, $reason);
    }

    public static function failed(Response $answer, LarderException $failure): self
    {
        return new self($answer, null, $failure->getMessage(), failure: $failure);
    }

    /** @param Closure(): self $store stores it, once the visitor has the answer */
    public static function unfinished(Response $answer, Closure $store): self
    {
        return new self($answer, null, null, store: $store);
    }

    public function isStored(): bool
    {
        return $this->publication === Publication::Stored;
    }

    public function stored(bool $gzip): StoredPage
    {
        return ($gzip ? $this->gzip : $this->identity)
            ?? throw new LogicException('Nothing was stored; ask isStored() first.');
    }
}
