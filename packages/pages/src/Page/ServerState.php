<?php

declare(strict_types=1);

namespace Larder\Page;

/** @internal What a memcached server of pages is for `larder guard`. */
enum ServerState: string
{
    case Up = 'up';

    /** The last question had no answer; after some more it is out. */
    case Slow = 'slow';

    /** It takes no connection, and says so at once: nobody waits for it. */
    case Refuses = 'refuses';

    /** It hangs, and nobody asks it for pages. */
    case Out = 'out';

    /** It was out, and answers: after some more answers it is emptied and taken back. */
    case Returning = 'returning';

    /** Whether nginx and PHP leave it alone. */
    public function isOut(): bool
    {
        return $this === self::Out || $this === self::Returning;
    }
}
