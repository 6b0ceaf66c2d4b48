<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

/** @internal The dialect of each of PDO's drivers that Larder knows. */
final readonly class Dialects
{
    /** @param string $driver with which a DSN begins; SQLite's for what is unknown, which then says what it wants */
    public static function of(string $driver): Dialect
    {
        return match ($driver) {
            'mysql' => new MariaDbDialect(),
            'pgsql' => new PostgreSqlDialect(),
            default => new SqliteDialect(),
        };
    }
}
