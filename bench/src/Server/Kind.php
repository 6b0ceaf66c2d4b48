<?php

declare(strict_types=1);

namespace Larder\Bench\Server;

use Larder\Testbed\Server\MariaDb;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Server\Redis;

/** What a subject needs to be there. */
enum Kind: string
{
    /** Nothing but the run's directory. */
    case None = 'none';
    case Memcached = 'memcached';

    /** The same on a Unix socket, since one memcached does not offer both. */
    case MemcachedUnix = 'memcached-unix';
    case Redis = 'redis';
    case MariaDb = 'mariadb';

    /** nginx and php-fpm with the bench's own scripts, one connect and one test a request. */
    case Fpm = 'fpm';

    /** The example site on nginx, php-fpm and its page store. */
    case Site = 'site';
}
