<?php

declare(strict_types=1);

namespace Larder\Bridge\Doctrine;

use Closure;
use Doctrine\DBAL\Driver;
use Doctrine\DBAL\Driver\Middleware;
use Larder\Dependency\RecordingPdo;
use Larder\Dependency\Registry;
use Psr\Log\LoggerInterface;

/**
 * Lets the connections of Doctrine DBAL 4 be recording ones:
 * `$configuration->setMiddlewares([new RecordingMiddleware(…)])`.
 *
 * It stands in for the drivers `pdo_sqlite`, `pdo_mysql` and `pdo_pgsql`, and takes their parameters. Whatever the ORM
 * or a console command then reads and writes is seen. Larder gets the same connection:
 *
 *     new Site(…, connect: static fn() => $entities->getConnection()->getNativeConnection())
 */
final readonly class RecordingMiddleware implements Middleware
{
    /**
     * @param Closure(RecordingPdo): mixed|null $opened gets each new connection before it is used:
     *     `Pages::of($site)->follow(...)` lets what it writes drop the pages of a site
     * @param Registry                          $registry tables that are declared; the others are as in the schema
     * @param LoggerInterface|null              $logger of RecordingPdo
     */
    public function __construct(
        private ?Closure $opened = null,
        private Registry $registry = new Registry(),
        private ?LoggerInterface $logger = null,
    ) {}

    public function wrap(Driver $driver): Driver
    {
        return new RecordingDriver($driver, $this->registry, $this->opened, $this->logger);
    }
}
