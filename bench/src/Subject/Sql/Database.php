<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Sql;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Context;
use Larder\Testbed\Server\Endpoint;
use PDO;

/** Connections to MariaDB, and the one table that all its subjects work on. */
final readonly class Database
{
    public static function server(Context $context): Endpoint
    {
        return $context->endpoints[0] ?? throw Failed::connecting('MariaDB', 'no server is there');
    }

    /** @param bool $emulate the statement's text goes over the wire with its values, at each execution */
    public static function connect(Context $context, bool $emulate): PDO
    {
        $server = self::server($context);
        $where = $server->port > 0
            ? \sprintf('host=%s;port=%d', $server->host, $server->port)
            : 'unix_socket=' . $server->socket;

        // "binary": nothing that quotes or compares a value takes its bytes for characters.
        return new PDO(
            \sprintf('mysql:%s;dbname=%s;charset=binary', $where, $server->extra['database'] ?? ''),
            $server->extra['user'] ?? null,
            $server->extra['password'] ?? null,
            [
                PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
                PDO::ATTR_EMULATE_PREPARES => $emulate,
                PDO::ATTR_TIMEOUT => (int) ceil($context->timeout),
                PDO::MYSQL_ATTR_FOUND_ROWS => true,
            ],
        );
    }

    public static function createTable(PDO $pdo): void
    {
        $pdo->exec(
            'CREATE TABLE IF NOT EXISTS pairs (k VARBINARY(200) NOT NULL PRIMARY KEY, v MEDIUMBLOB NOT NULL) ENGINE = '
                . 'InnoDB',
        );
    }
}
