<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

/** What goes wrong. Not both at a time: a gate that is lost and a writer that dies after COMMIT are the one hole that gates have. */
enum Phase: string
{
    /** Writers die at any step. */
    case Deaths = 'deaths';
    /** Items are lost at any time, the store is cleared and its server restarted; writers die before they look at their gates only. */
    case Losses = 'losses';
    /** Both, where the versions lie in the database. */
    case Both = 'both';
}
