<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Sql\Exception\PageStoreFailed;
use Larder\Sql\Ledger\RegisteredPages;

/**
 * Where finished pages lie for nginx to serve.
 *
 * A draft is what a change can take away before it is a page: its publish() then fails.
 * Larder\Testing\PageStoreContract says what each store must do.
 */
interface PageStore extends RegisteredPages
{
    /**
     * Whether hits have the status and the headers of the answer; false: what nginx itself adds. Then an answer of
     * another status than 200 comes with a key that says so, PagePath::$status, and a redirect with its Location as its
     * body.
     */
    public function keepsHeads(): bool;

    /** @return string|null why this page is none for the store, whatever else it has; null: it may have it */
    public function objection(PagePath $page, Response $answer): ?string;

    /**
     * Makes the page and its compressed twin completely. Nobody is served a draft.
     *
     * @throws PageStoreFailed
     */
    public function draft(PagePath $page, Response $answer): Draft;

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

    /** The page that a draft becomes with this generation, as read() gives it and nginx serves it. */
    public function made(Draft $draft, int $generation, bool $gzip): StoredPage;

    /** @throws PageStoreFailed */
    public function read(PagePath $page, bool $gzip): ?StoredPage;
}
