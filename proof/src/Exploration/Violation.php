<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

/** What must not be so in any state, since nginx may be asked between any two steps. */
enum Violation: string
{
    /** A page shows another value than the committed one. */
    case Stale = 'stale';
    /** A page that nobody rendered, such as an empty one. */
    case Torn = 'torn';
    /** A page that the index does not hold under the name of its row, so that no change would drop it. */
    case Unregistered = 'unregistered';
    /** A page whose mtime is not its registered generation, so that its ETag could be another version's. */
    case Mistimed = 'mistimed';
    /** A page of a generation that its server was not told before, so that a ledger that lost it would keep it. */
    case Unmarked = 'unmarked';
    /** A stub that does not end by itself, so that the page is made no more. */
    case Stuck = 'stuck';
}
