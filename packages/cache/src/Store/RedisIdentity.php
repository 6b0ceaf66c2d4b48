<?php

declare(strict_types=1);

namespace Larder\Store;

/**
 * Which data set the server of a connection has, as it said itself: its master_replid, where it is a primary.
 *
 * A server that comes back with an older copy of its data has another one. It is believed as long as the connection is
 * the same one, for a second: a primary that becomes a replica may leave its connections open.
 *
 * @internal
 */
final class RedisIdentity
{
    /** In nanoseconds. */
    private const LASTS = 1_000_000_000;

    private string $id = '';
    private ?object $mark = null;
    private int $until = PHP_INT_MIN;

    /**
     * @param object|null $mark  of the connection that the reply came by
     * @param int         $asked when the question was sent, or before, by hrtime(true)
     */
    public function learn(string $id, ?object $mark, int $asked): void
    {
        $this->id = $id;
        $this->mark = $mark;
        $this->until = $asked + self::LASTS;
    }

    public function forget(): void
    {
        $this->mark = null;
    }

    /** As the last script found it, in its own step. */
    public function last(): string
    {
        return $this->id;
    }

    /** @return string|null null: it has to be asked for */
    public function of(?object $mark): ?string
    {
        return $mark !== null && $mark === $this->mark && hrtime(true) < $this->until ? $this->id : null;
    }
}
