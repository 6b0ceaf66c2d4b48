<?php

declare(strict_types=1);

namespace Larder\Dependency;

/** How an attempt to publish a page ended. */
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
    /** The write lock was not free in time. */
    case Busy = 'ledger is busy';
}
