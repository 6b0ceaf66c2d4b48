<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

/** A client of the model: which server it speaks to, what it believes of it, and the compute that it has under way. */
final readonly class RedisClient
{
    /**
     * @param int                       $node    0: the first primary; 1: its replica
     * @param int|null                  $tag     what the server said that it is; null: it is not connected
     * @param array{int, int, int}|null $compute state of the database, version and word that it began with
     */
    public function __construct(
        public int $node = 0,
        public ?int $tag = null,
        public ?array $compute = null,
    ) {}

    public function connected(int $node, int $tag): self
    {
        return new self($node, $tag, $this->compute);
    }

    public function disconnected(): self
    {
        return new self($this->node, null, $this->compute);
    }

    /** @param array{int, int, int}|null $compute */
    public function computing(?array $compute): self
    {
        return new self($this->node, $this->tag, $compute);
    }
}
