<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

enum DatabaseKind: string
{
    case Sqlite = 'sqlite';
    case MariaDb = 'mariadb';
    case PostgreSql = 'postgresql';

    /** @return list<string> */
    public static function names(): array
    {
        return array_column(self::cases(), 'value');
    }
}
