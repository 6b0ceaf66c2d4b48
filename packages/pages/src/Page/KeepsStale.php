<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Sql\Exception\PageStoreFailed;

/**
 * A page store that may serve a changed page for the seconds of its area, while one process makes the new one.
 *
 * All that it does here costs nothing where no area has such seconds.
 *
 * @internal
 */
interface KeepsStale
{
    /**
     * Tells that this process makes the page anew, so that nobody else is asked to.
     *
     * @return bool whether there is a stale page for the others
     *
     * @throws PageStoreFailed
     */
    public function claim(PagePath $page): bool;

    /**
     * Tells that the page was not stored, so the next who asks for it makes it.
     *
     * @throws PageStoreFailed
     */
    public function giveBack(PagePath $page): void;

    /**
     * @return StoredPage|null null: the page is not stale, or the seconds of its area are over
     *
     * @throws PageStoreFailed
     */
    public function stale(PagePath $page, bool $gzip): ?StoredPage;
}
