<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Dependency\RegisteredPages;
use Larder\Exception\PageStoreFailed;

/** Where finished pages lie for nginx to serve. */
interface PageStore extends RegisteredPages
{
    /**
     * Writes the page and its compressed twin completely. Nobody is served a draft.
     *
     * @throws PageStoreFailed
     */
    public function draft(PagePath $page, string $body): Draft;

    /**
     * Gives the draft the generation that the page will have. Called under the write lock, before anybody else can know
     * the draft.
     *
     * @throws PageStoreFailed
     */
    public function stamp(Draft $draft, int $generation): void;

    /**
     * Makes the draft the page.
     *
     * @return bool false: a change took the draft away
     *
     * @throws PageStoreFailed
     */
    public function publish(Draft $draft, int $generation): bool;

    public function discard(Draft $draft): void;

    public function read(PagePath $page, bool $gzip): ?StoredPage;
}
