<?php

declare(strict_types=1);

namespace Larder\Sql\Ledger;

use Larder\Sql\Exception\PageStoreFailed;

/**
 * The pages that a ledger has registered, at one place. The ledger drops them when the data changes that they were made
 * from.
 *
 * They belong to one life of the ledger. A new life begins at each deploy and flush, and when the pages cannot be
 * trusted: its index would never drop those of another ledger, and those of a generation that it has not reached, since
 * it was restored from a backup.
 */
interface RegisteredPages
{
    /** Where the pages lie: on one host, a directory. */
    public function place(): string;

    /**
     * The only place of these pages, where another host or container may have others at the same path. It is made at
     * the first call, and kept where the pages lie.
     *
     * @return string up to 16 letters and digits; empty: all hosts have the same pages at this place
     *
     * @throws PageStoreFailed
     */
    public function host(): string;

    /**
     * Whether pages that were stored where host() gave this can be dropped here: they lie here, or they are gone for
     * sure. Asked if they do not belong to the ledger's life. If not, the change fails.
     */
    public function isHost(string $host): bool;

    /**
     * The pages at another place: one that place() gave, or that this site had before.
     *
     * @throws PageStoreFailed if nobody here knows a store of that place
     */
    public function at(string $place): self;

    /** Whether there may be pages at this place. */
    public function isThere(): bool;

    /** Whether no page is there any more after the host has ended, by whatever cause. */
    public function endWithHost(): bool;

    /**
     * Whether these are the pages of this life of the ledger, which has reached this generation. Called under the write
     * lock.
     *
     * @throws PageStoreFailed
     */
    public function belong(string $ledger, int $generation): bool;

    /**
     * Takes all drafts and all pages out of service, and makes the place belong to a new life of the ledger. Called
     * under the write lock.
     *
     * @param string $release whose pages are served from now on
     * @param bool   $keepsStale the pages were right until now, and may be served for as long as changed ones may be
     *
     * @throws PageStoreFailed
     */
    public function begin(string $ledger, int $generation, string $release, bool $keepsStale = false): void;

    /**
     * Removes the drafts of these pages and then the pages. Returns when all are gone.
     *
     * @param list<RegisteredPage> $pages
     *
     * @throws PageStoreFailed if one is left; then the change must not become visible
     */
    public function drop(array $pages): void;

    /**
     * As drop(), for pages that a change ends. A store may go on serving them for a time that its site states.
     *
     * @param list<RegisteredPage> $pages
     *
     * @throws PageStoreFailed if one is left as a page that counts as right; then the change must not become visible
     */
    public function outdate(array $pages): void;

    /**
     * Takes all drafts and all pages out of service, for good.
     *
     * @throws PageStoreFailed
     */
    public function clear(): void;

    /**
     * Removes what was taken out of service or left by dead renderers. Needs no lock.
     *
     * @param int $most files and directories
     *
     * @throws PageStoreFailed
     */
    public function sweep(int $most): void;
}
