<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Exception\LarderException;
use Larder\Sql\Ledger\Publication;
use LogicException;

/**
 * The result of one render: the response to send, and whether it was stored or why not, or what is still to store.
 *
 * @internal
 */
final readonly class Rendering
{
    /** @param Made|null $made what Renderer::store() stores, once the visitor has the answer; null: nothing is left */
    public function __construct(
        public Response $answer,
        public ?Publication $publication,
        public ?string $refusal,
        private ?StoredPage $identity = null,
        private ?StoredPage $gzip = null,
        public ?LarderException $failure = null,
        public ?Made $made = null,
    ) {}

    public static function refused(Response $answer, string $reason): self
    {
        return new self($answer, null, $reason);
    }

    public static function failed(Response $answer, LarderException $failure): self
    {
        return new self($answer, null, $failure->getMessage(), failure: $failure);
    }

    public static function unfinished(Made $made): self
    {
        return new self($made->answer, null, null, made: $made);
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
