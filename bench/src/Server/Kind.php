<?php

declare(strict_types=1);

namespace Larder\Bench\Server;

use Larder\Testbed\Server\MariaDb;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Server\Redis;

/** The kind of server that a subject needs. */
enum Kind: string
{
    /** No server: only the directory of the run. */
    case None = 'none';
    case Memcached = 'memcached';

    /** A memcached on a Unix socket: one that listens there has no port. */
    case MemcachedUnix = 'memcached-unix';
    case Redis = 'redis';
    case MariaDb = 'mariadb';
    case PostgreSql = 'postgresql';

    /** nginx and php-fpm with the scripts of the bench: a request connects and does one step. */
    case Fpm = 'fpm';

    /** A site on nginx and php-fpm with its page store. */
    case Site = 'site';
}
