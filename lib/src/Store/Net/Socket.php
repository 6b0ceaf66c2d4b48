<?php

declare(strict_types=1);

namespace Larder\Store\Net;

/**
 * An open connection to a server: the system's calls, none of which blocks.
 *
 * @internal
 */
interface Socket
{
    /** @return int|null the bytes that were taken; null: the connection is closed */
    public function write(string $bytes): ?int;

    /**
     * @param positive-int $most
     *
     * @return string|null what has come; null: the connection is closed
     */
    public function read(int $most): ?string;

    /** @return resource|null to wait on; null: what has not come by now does not come */
    public function stream(): mixed;

    public function close(): void;
}
