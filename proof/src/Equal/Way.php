<?php

declare(strict_types=1);

namespace Larder\Proof\Equal;

use Larder\Tests\Support\Sql\Database;
use PDO;

/** How an application is connected. */
enum Way: string
{
    case Emulated = 'emulated';
    case Native = 'native';
    case FoundRows = 'found-rows';
    case Mysqli = 'mysqli';

    /** @return list<self> those that a database has */
    public static function of(Database $database): array
    {
        return match ($database) {
            Database::MariaDb => self::cases(),
            Database::PostgreSql => [self::Emulated, self::Native],
            Database::Sqlite => [self::Native],
        };
    }

    /** @return array<int, bool> PDO's options */
    public function options(): array
    {
        return match ($this) {
            self::Emulated => [PDO::ATTR_EMULATE_PREPARES => true],
            self::Native => [PDO::ATTR_EMULATE_PREPARES => false],
            self::FoundRows => [PDO::MYSQL_ATTR_FOUND_ROWS => true],
            self::Mysqli => [],
        };
    }
}
