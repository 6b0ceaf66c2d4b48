<?php

declare(strict_types=1);

namespace Larder\Sql\Ledger;

/** @internal How an attempt to publish a page ended. */
enum Publication: string
{
    case Stored = 'stored';
    /** What it was made from changed since it was read, or its draft was removed. */
    case Changed = 'changed meanwhile';
    /** This process has another release or another registry than the ledger. */
    case OtherRelease = 'made by another release';
    /** This process has another page directory than the one that was deployed. */
    case OtherPlace = 'another page directory was deployed';
    /** There is no room, even without the route's oldest pages. */
    case Full = 'page store is full';
    /** A lock was not free in time, or a statement runs that commits by itself. */
    case Busy = 'ledger is busy';
    /**
     * MariaDB may forget the registration when its server ends: innodb_flush_log_at_trx_commit is 0; or it is 2, and
     * the pages do not end together with that host, in a tmpfs beside the server's socket.
     */
    case NotDurable = 'innodb_flush_log_at_trx_commit must be 1';
}
