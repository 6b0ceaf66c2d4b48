<?php

declare(strict_types=1);

namespace Larder\Store;

/**
 * A connection to one Redis server, by another project's client. It has one request under way at a time. Deadlines are
 * by hrtime(true).
 *
 * @internal
 */
interface RedisConnection
{
    /** @throws RedisFailure */
    public function open(int $until): void;

    public function isOpen(): bool;

    /**
     * Stands for the open connection: as long as it is the same object, so is the process at the other end. Null: the
     * client may connect anew within a call, and nothing shows it.
     */
    public function mark(): ?object;

    /**
     * @param non-empty-list<string> $command
     *
     * @return mixed the reply: a string, an integer, true for OK, or a list of such. What is nil is false or null. An
     *     error reply that asks for a script's text is "NOSCRIPT"
     *
     * @throws RedisFailure after which the connection has to be closed, unless the server is well
     */
    public function ask(array $command, int $until): mixed;

    /** A reply that comes later is not read. */
    public function close(): void;
}
