<?php

declare(strict_types=1);

namespace Larder\Dependency;

/** How an attempt to publish a result ended. */
enum Publication: string
{
    case Stored = 'stored';
    /** Something it was made from changed since it was read, or its draft was taken away. */
    case Changed = 'changed meanwhile';
    /** This process runs a release, or knows a registry, that is not the ledger's. */
    case OtherRelease = 'made by another release';
    /** No room, even after the route's oldest pages went. */
    case Full = 'page store is full';
    /** The write lock could not be had in time. */
    case Busy = 'ledger is busy';
}
