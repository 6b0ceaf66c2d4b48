<?php

declare(strict_types=1);

namespace Larder\Cache;

/** When the caller that is to make a value anew does so, while the old one can still be handed out. */
enum Refresh
{
    /** Before remember() returns: this caller gets the new value. */
    case Inline;
    /**
     * After the response: this caller gets the old value too. Under php-fpm the client has its response by then; in
     * other programs it is done by Cache::runDeferred(), or at the end of the program.
     */
    case AfterResponse;
}
