<?php

declare(strict_types=1);

namespace Larder\Code;

use Larder\Code\Exception\CodePoolFailed;

/**
 * Keeps bytes by key for all hosts. What it gives back is not trusted: it may be missing, old or somebody else's.
 *
 * It hands out the bytes that were stored and nothing made of them: a client that unserializes would run code of
 * whoever may write to the pool.
 */
interface Pool
{
    /**
     * All in one round trip.
     *
     * @param list<string> $keys
     *
     * @return array<string, string> bytes by key; what is missing is left out
     *
     * @throws CodePoolFailed if a server did not answer in time
     */
    public function fetch(array $keys): array;

    /**
     * Which of these are there, in one round trip.
     *
     * @param list<string> $keys
     *
     * @return list<string>
     *
     * @throws CodePoolFailed
     */
    public function present(array $keys): array;

    /**
     * Stores without an end, all in one round trip.
     *
     * @param array<string, string> $values bytes by key
     *
     * @throws CodePoolFailed if one was not stored
     */
    public function store(array $values): void;

    /**
     * Replaces the value of a key if it is still the one that was read, so that of two who push at once one is told.
     *
     * @param string|null $read null: the key was not there
     *
     * @return bool false: somebody else changed it
     *
     * @throws CodePoolFailed
     */
    public function replace(string $key, ?string $read, string $value): bool;

    /**
     * @param list<string> $keys
     *
     * @return int how many were there
     *
     * @throws CodePoolFailed
     */
    public function remove(array $keys): int;

    /** Round trips that were made so far. */
    public function trips(): int;
}
