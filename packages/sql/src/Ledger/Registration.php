<?php

declare(strict_types=1);

namespace Larder\Sql\Ledger;

use Larder\Sql\Tracker\RecordedReads;

/** @internal What the ledger must know of a finished draft to register its page. */
final readonly class Registration
{
    /**
     * @param string   $draft   a name that no other draft ever has
     * @param string   $route   the controller, whose share of the store the page takes
     * @param int      $bytes   on disk, with the twin
     * @param int|null $expires Unix time after which nobody asks for the page (policy ttl); null: policy exact
     * @param int      $cap     bytes that the route's pages may take
     * @param int      $total   bytes that all pages may take
     */
    public function __construct(
        public string $page,
        public string $draft,
        public string $route,
        public int $bytes,
        public RecordedReads $reads,
        public ?int $expires,
        public int $cap,
        public int $total,
    ) {}
}
