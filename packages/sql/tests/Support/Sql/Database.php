<?php

declare(strict_types=1);

namespace Larder\Tests\Support\Sql;

use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\MariaDbDialect;
use Larder\Sql\Schema\PostgreSqlDialect;
use Larder\Sql\Schema\SqliteDialect;

/** A kind of database whose SQL is made at random. */
enum Database: string
{
    case Sqlite = 'sqlite';
    case MariaDb = 'mariadb';
    case PostgreSql = 'postgresql';

    public function dialect(): Dialect
    {
        return match ($this) {
            self::Sqlite => new SqliteDialect(),
            self::MariaDb => new MariaDbDialect(),
            self::PostgreSql => new PostgreSqlDialect(),
        };
    }

    public function words(): Words
    {
        return match ($this) {
            self::Sqlite => new SqliteWords(),
            self::MariaDb => new MariaDbWords(),
            self::PostgreSql => new PostgreSqlWords(),
        };
    }

    public function schema(Choices $choices): Schema
    {
        return match ($this) {
            self::Sqlite => (new SchemaMaker($choices))->make(),
            self::MariaDb => (new ServerSchemaMaker($choices, new MariaDbTables($choices)))->make(),
            self::PostgreSql => (new ServerSchemaMaker($choices, new PostgreSqlTables($choices)))->make(),
        };
    }

    /** @return Theme|null that all of a schema is about, in every second one */
    public function theme(int $seed): ?Theme
    {
        $themes = Themes::of($this);

        return $seed % 2 === 0 ? null : $themes[intdiv($seed, 2) % \count($themes)];
    }
}
