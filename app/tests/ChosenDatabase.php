<?php

declare(strict_types=1);

namespace App\Tests;

use App\Database as SiteDatabase;
use App\Import\Importer;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;

/** The database that the tests use: LARDER_DATABASE in their environment is sqlite, mariadb or postgresql. */
final readonly class ChosenDatabase
{
    /**
     * With the site's tables, which are empty.
     *
     * @param string $directory for the file or the server; made if need be
     */
    public static function start(string $directory): Database
    {
        $database = self::chosen($directory);
        self::importer($database);

        return $database;
    }

    /** With sixty short items. */
    public static function withItems(string $directory): Database
    {
        return self::filled(self::chosen($directory));
    }

    /** The same on a server of this kind, which keeps a log for who follows it. */
    public static function followed(DatabaseKind $kind, string $directory): Database
    {
        $database = self::filled(Database::start($kind, $directory, true));
        if ($kind === DatabaseKind::PostgreSql) {
            foreach (['news', 'comment', 'word'] as $table) {
                $database->connect()->exec("ALTER TABLE $table REPLICA IDENTITY FULL");
            }
        }

        return $database;
    }

    private static function filled(Database $database): Database
    {
        self::importer($database)->import(
            [__DIR__ . '/fixtures/Packages'],
            [__DIR__ . '/fixtures/Translation-en'],
            1000,
            static function (): void {},
        );

        return $database;
    }

    private static function chosen(string $directory): Database
    {
        $kind = (string) getenv('LARDER_DATABASE');

        return Database::start(DatabaseKind::from($kind === '' ? 'sqlite' : $kind), $directory);
    }

    private static function importer(Database $database): Importer
    {
        return Importer::create(new SiteDatabase($database->name, $database->user, $database->password));
    }
}
