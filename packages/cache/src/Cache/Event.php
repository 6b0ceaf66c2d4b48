<?php

declare(strict_types=1);

namespace Larder\Cache;

/** What became of one request for a value. */
enum Event: string
{
    /** It was fresh. */
    case Hit = 'hit';
    /** The old value was handed out: another process makes it anew, or the caller only looked. */
    case Stale = 'stale';
    /** It was made anew before it was gone. */
    case Refresh = 'refresh';
    /** There was none, and it was made. */
    case Miss = 'miss';
    /** There was none; another process made it meanwhile. */
    case Waited = 'waited';
}
