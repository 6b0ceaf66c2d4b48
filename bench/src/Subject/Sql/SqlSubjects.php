<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Sql;

use Closure;
use Larder\Bench\Result\Role;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\ConnectPerCall;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Subject;

final readonly class SqlSubjects
{
    /** @return list<Definition> */
    public static function all(): array
    {
        $text = static fn(): MariaDb => new MariaDb();
        $prepared = static fn(): MariaDb => new MariaDb(prepared: true);
        $handler = static fn(): MariaDbHandler => new MariaDbHandler();
        $socket = static fn(): HandlerSocket => new HandlerSocket();
        $existing = static fn(): MariaDb => new MariaDb(create: false);
        $connecting = static fn(): ConnectPerCall => new ConnectPerCall($existing, $text);
        $idle = static fn(): ConnectPerCall => new ConnectPerCall($existing, asks: false);

        return [
            self::row('mariadb', 'MariaDB, text', MariaDb::class, $text, [
                'protocol' => 'text: PDO puts the values into the statement',
            ]),
            self::row('mariadb-prepared', 'MariaDB, prepared', MariaDb::class, $prepared, [
                'protocol' => 'binary: prepared by the server, once a connection',
                'tuned' => 'ATTR_EMULATE_PREPARES off, statements kept',
            ]),
            self::row('mariadb-handler', 'MariaDB, HANDLER', MariaDbHandler::class, $handler, [
                'protocol' => 'binary: reads by a prepared HANDLER statement, writes by prepared SQL',
                'note' => 'as long as it is open nobody can alter the table',
            ]),
            self::row('handlersocket', 'MariaDB, HandlerSocket', HandlerSocket::class, $socket, [
                'client' => 'this bench\'s own, on PHP\'s streams',
                'protocol' => 'HandlerSocket text; a set is an update, and an insert where that changed no row',
                'nodelay' => 'on',
                'time-outs' => 'connect, and each reply: that of the bench (5 s)',
                'note' => 'a plugin of maturity "beta", which MariaDB loads only when told to; as long as it is '
                    . 'connected nobody can alter the table',
            ]),
            self::row('mariadb-connect', 'MariaDB, connecting each time', ConnectPerCall::class, $connecting, [
                'protocol' => 'text',
                'persistent' => 'no: connects for each call',
            ]),
            self::row('mariadb-connect-only', 'MariaDB, connection alone', ConnectPerCall::class, $idle, [
                'protocol' => 'text',
                'note' => 'connects, authenticates and closes',
            ], Role::Floor),
        ];
    }

    /**
     * @param class-string<Subject>  $class
     * @param Closure(): Subject     $make
     * @param array<string, string>  $terms
     */
    private static function row(
        string $id,
        string $title,
        string $class,
        Closure $make,
        array $terms,
        Role $role = Role::Contender,
    ): Definition {
        return new Definition($id, $title, $class, $make, Kind::MariaDb, $role, [
            'client' => 'PDO, mysqlnd of PHP ' . PHP_VERSION,
            'transport' => 'TCP',
            'persistent' => 'no',
            'nodelay' => 'on, its default',
            'compression' => 'none',
            'time-outs' => 'connect: that of the bench (5 s); read: mysqlnd.net_read_timeout = 10',
            ...$terms,
        ], ['pdo_mysql'], ini: ['mysqlnd.net_read_timeout' => '10']);
    }
}
