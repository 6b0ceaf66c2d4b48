<?php

declare(strict_types=1);

namespace Larder\Sql\Schema;

use PDO;
use PDOException;
use PDOStatement;

/** @internal PDO's drivers that Larder knows: the dialect of each, and how a statement of any of them runs. */
final readonly class Drivers
{
    public const NAMES = ['sqlite', 'mysql', 'pgsql'];

    /** @param string $driver with which a DSN begins; SQLite's for what is unknown, which then says what it wants */
    public static function dialect(string $driver): Dialect
    {
        return match ($driver) {
            'mysql' => new MariaDbDialect(),
            'pgsql' => new PostgreSqlDialect(),
            default => new SqliteDialect(),
        };
    }

    /**
     * Executes a statement; integers, booleans and null are bound as such.
     *
     * @param array<array-key, scalar|null> $parameters
     *
     * @throws PDOException
     */
    public static function executed(PDOStatement $statement, array $parameters): PDOStatement
    {
        foreach ($parameters as $name => $value) {
            $statement->bindValue(\is_int($name) ? $name + 1 : $name, $value, match (true) {
                \is_int($value), \is_bool($value) => PDO::PARAM_INT,
                $value === null => PDO::PARAM_NULL,
                default => PDO::PARAM_STR,
            });
        }
        $statement->execute();

        return $statement;
    }
}
