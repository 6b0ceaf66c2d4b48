<?php

declare(strict_types=1);

namespace Larder\Page;

/**
 * An open connection to a memcached server: the system's calls, none of which blocks but wait().
 *
 * @internal part of MemcachedPageStore
 */
interface Socket
{
    /** @return int|null the bytes that were taken; null: the connection is closed */
    public function write(string $bytes): ?int;

    /** @return string|null what has come; null: the connection is closed */
    public function read(int $most): ?string;

    /**
     * Waits until there is something to read, or room to write.
     *
     * @param int $deadline hrtime
     *
     * @return bool false: not by then
     */
    public function wait(bool $toWrite, int $deadline): bool;

    public function close(): void;
}
