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

    /** Sites that the bench makes: pages in files on SQLite, or in memcached on a server's database; pages of parts. */
    case FilesSite = 'files-site';
    case MariaDbSite = 'mariadb-site';
    case PostgreSqlSite = 'postgresql-site';
    case PartsSite = 'parts-site';
    case MemcachedPartsSite = 'memcached-parts-site';

    /** A Varnish that drops what a site's changes purge. */
    case Varnish = 'varnish';
}
