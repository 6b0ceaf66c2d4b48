<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

use Larder\Dependency\ColumnType;
use Larder\Dependency\RecordingPdo;
use Larder\Dependency\Registry;
use Larder\Dependency\SqlLedger;
use Larder\Dependency\Table;
use PDO;

/** Rows that count how often they were changed, in a SQLite file. */
final readonly class Database
{
    public function __construct(private string $directory) {}

    /**
     * @param bool $hasVersions whether the versions lie in it; a connection that does not know them cannot write then
     */
    public function make(int $rows, bool $hasVersions): void
    {
        $connection = $this->open();
        $connection->exec('PRAGMA journal_mode = WAL');
        $connection->exec('CREATE TABLE item (id INTEGER PRIMARY KEY, version INTEGER NOT NULL)');
        $insert = $connection->prepare('INSERT INTO item VALUES (?, 0)');
        for ($row = 0; $row < $rows; ++$row) {
            $insert->execute([$row]);
        }
        if ($hasVersions) {
            self::ledger($connection)->deploy();
        }
    }

    public function open(bool $isBlind = false): RecordingPdo
    {
        $class = $isBlind ? BlindPdo::class : RecordingPdo::class;

        return self::set(new $class($this->name(), self::registry()));
    }

    /** A connection that records nothing. */
    public function openPlain(): PDO
    {
        return self::set(new PDO($this->name()));
    }

    public function openDying(DeathCountdown $countdown): DyingPdo
    {
        return self::set(new DyingPdo($this->name(), self::registry(), $countdown));
    }

    public static function ledger(RecordingPdo $connection): SqlLedger
    {
        return SqlLedger::forValues($connection);
    }

    public static function version(PDO $connection, int $row): int
    {
        $select = 'SELECT version FROM item WHERE id = ' . $row;
        if ($connection instanceof RecordingPdo) {
            $version = $connection->select($select, [], self::registry()->row('item', $row))[0]['version'] ?? null;
        } else {
            $statement = $connection->query($select);
            $version = $statement === false ? null : $statement->fetchColumn();
        }

        return \is_int($version) ? $version : -1;
    }

    public static function registry(): Registry
    {
        return new Registry(new Table('item', 'id', ['id' => ColumnType::Integer]));
    }

    private function name(): string
    {
        return 'sqlite:' . $this->directory . '/rows.sqlite';
    }

    /**
     * @template T of PDO
     *
     * @param T $connection
     *
     * @return T
     */
    private static function set(PDO $connection): PDO
    {
        $connection->exec('PRAGMA synchronous = OFF');
        $connection->exec('PRAGMA busy_timeout = 10000');

        return $connection;
    }
}
