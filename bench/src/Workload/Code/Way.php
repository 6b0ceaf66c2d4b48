<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Code;

/** How libexec/load-code.php loads the files. */
enum Way: string
{
    /** Not at all: the floor. */
    case None = 'none';

    /** From a local directory. */
    case Include = 'include';

    /** Before the first request, by opcache.preload. */
    case Preloaded = 'preloaded';

    /** By `eval` of what memcached gives, as the source does. */
    case Pool = 'pool';

    /** From a release that the pool delivered: `Larder\Code\Loader`. */
    case Release = 'release';
}
