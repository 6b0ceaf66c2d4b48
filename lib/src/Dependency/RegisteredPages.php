<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Larder\Exception\PageStoreFailed;

/** The pages that a ledger has registered. The ledger drops them when the data changes that they were made from. */
interface RegisteredPages
{
    /**
     * Makes the pages belong to the ledger. Called under the write lock before a page is published or dropped.
     *
     * Pages of another ledger cannot be trusted, nor pages of a generation that this ledger has not reached (it was
     * restored from a backup): its index would never drop them.
     *
     * @return bool false: there were such pages, and all have been removed
     *
     * @throws PageStoreFailed
     */
    public function claim(string $ledger, int $generation): bool;

    /** The highest generation of a page that is known to have been published. */
    public function highest(): int;

    /**
     * Removes the drafts of these pages and then the pages. Returns when all are gone.
     *
     * @param list<RegisteredPage> $pages
     *
     * @throws PageStoreFailed if one is left; then the change must not become visible
     */
    public function drop(array $pages): void;

    /**
     * Removes all drafts and all pages.
     *
     * @throws PageStoreFailed
     */
    public function clear(): void;

    /**
     * Makes the pages of this release the ones that are served. Called under the write lock.
     *
     * @throws PageStoreFailed
     */
    public function release(string $release): void;
}
