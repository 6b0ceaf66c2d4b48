<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Larder\Exception\PageStoreFailed;

/** Where finished results lie, as far as a ledger must know: it takes them away when what they were made from changes. */
interface RegisteredPages
{
    /**
     * Makes this place belong to the ledger. Called under the write lock before anything is placed or dropped.
     *
     * A place that belongs to another ledger, or that holds results of a generation this ledger has not reached (it was
     * restored from a backup), cannot be trusted: nothing in the index would ever drop what lies there.
     *
     * @return bool false: it was such a place, and has been emptied
     *
     * @throws PageStoreFailed
     */
    public function claim(string $ledger, int $generation): bool;

    /** The highest generation that was ever placed here, as far as the place remembers. */
    public function highest(): int;

    /**
     * Takes away every draft, then every result. Returns when all are gone.
     *
     * @param list<RegisteredPage> $results
     *
     * @throws PageStoreFailed if anything is left: the change must not become visible
     */
    public function drop(array $results): void;

    /**
     * Takes away every draft and every result.
     *
     * @throws PageStoreFailed
     */
    public function clear(): void;

    /**
     * Makes results of this release the ones that are served. Called under the write lock.
     *
     * @throws PageStoreFailed
     */
    public function release(string $release): void;
}
