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
        $database = self::chosen($directory);
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
