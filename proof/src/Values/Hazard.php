<?php

declare(strict_types=1);

namespace Larder\Proof\Values;

/** What goes wrong in a trial. Gates do not cover a lost gate together with a writer that dies after COMMIT. */
enum Hazard: string
{
    /** Writers die at any step. */
    case Deaths = 'deaths';
    /**
     * Items are lost, the store is cleared and its server restarted; writers die only before they check their gates.
     */
    case Losses = 'losses';
    /** Both, where the versions are kept in the database. */
    case Both = 'both';
}
