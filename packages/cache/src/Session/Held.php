<?php

declare(strict_types=1);

namespace Larder\Session;

/**
 * What a request has of the session that it opened.
 *
 * @internal
 */
final readonly class Held
{
    /**
     * @param string   $data    as it was stored; empty: there was none
     * @param int|null $lock    lease of the lock; null: opened for reading alone
     * @param int      $until   monotonic nanoseconds at which that lease may end, or later
     * @param int|null $version of the session that was read; null: there was none
     * @param int|null $fence   lease of the session that was not there
     */
    public function __construct(
        public string $id,
        public string $data = '',
        public ?int $lock = null,
        public int $until = 0,
        public ?int $version = null,
        public ?int $fence = null,
    ) {}

    /** Whether the session may be written. */
    public function isLasting(): bool
    {
        return $this->lock !== null && hrtime(true) < $this->until;
    }

    /** After a write: the lock is left, and the session must be read before it can be written again. */
    public function spent(): self
    {
        return new self($this->id, lock: $this->lock);
    }
}
