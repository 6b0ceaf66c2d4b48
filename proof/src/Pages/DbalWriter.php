<?php

declare(strict_types=1);

namespace Larder\Proof\Pages;

use Closure;
use Doctrine\DBAL\Configuration;
use Doctrine\DBAL\Connection;
use Doctrine\DBAL\DriverManager;
use Larder\Bridge\Doctrine\RecordingMiddleware;
use Larder\Dependency\Registry;
use Larder\Page\Pages;
use Larder\Page\Site;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;

/** By a connection of Doctrine DBAL, as an ORM has it. */
final readonly class DbalWriter implements Writer
{
    private Connection $connection;

    public function __construct(Site $site, Database $database, Registry $registry)
    {
        $server = [
            'host' => $database->part('host'),
            'port' => (int) $database->part('port'),
            'dbname' => $database->part('dbname'),
            'user' => (string) $database->user,
            'password' => (string) $database->password,
        ];
        $configuration = new Configuration();
        $configuration->setMiddlewares([new RecordingMiddleware(Pages::of($site)->follow(...), $registry)]);
        $this->connection = DriverManager::getConnection(match ($database->kind) {
            DatabaseKind::Sqlite => ['driver' => 'pdo_sqlite', 'path' => $database->name],
            DatabaseKind::MariaDb => [
                'driver' => 'pdo_mysql', 'unix_socket' => $database->part('unix_socket'), 'charset' => 'utf8mb4',
            ] + $server,
            DatabaseKind::PostgreSql => ['driver' => 'pdo_pgsql'] + $server,
        }, $configuration);
        if ($database->kind === DatabaseKind::Sqlite) {
            $this->connection->executeStatement('PRAGMA busy_timeout = 5000');
            $this->connection->executeStatement('PRAGMA synchronous = NORMAL');
        }
    }

    public function value(string $sql, array $parameters = []): mixed
    {
        if (!str_starts_with($sql, 'SELECT')) {
            $this->connection->executeStatement($sql, $parameters);

            return false;
        }

        return $this->connection->fetchOne($sql, $parameters);
    }

    public function transaction(Closure $change): void
    {
        $this->connection->transactional($change);
    }
}
