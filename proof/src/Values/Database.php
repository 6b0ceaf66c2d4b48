<?php

declare(strict_types=1);

namespace Larder\Proof\Values;

use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Table;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\Server\Database as Place;
use Larder\Testbed\Server\DatabaseKind;
use PDO;

/** Rows that count how often they were changed. */
final readonly class Database
{
    private Place $place;

    /** @param string $directory for the file or the server; made if need be */
    public function __construct(DatabaseKind $kind, string $directory)
    {
        $this->place = Place::start($kind, $directory);
    }

    public function stop(): void
    {
        $this->place->stop();
    }

    /**
     * @param bool $hasVersions whether the versions lie in it; a connection that does not know them cannot write then
     */
    public function make(int $rows, bool $hasVersions): void
    {
        $connection = $this->open();
        if ($this->place->kind === DatabaseKind::Sqlite) {
            $connection->exec('PRAGMA journal_mode = WAL');
        }
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

        return $this->set(
            new $class($this->place->dsn, self::registry(), user: $this->place->user, password: $this->place->password),
        );
    }

    /** A connection that records nothing. */
    public function openPlain(): PDO
    {
        return $this->set($this->place->connect());
    }

    public function openDying(DeathCountdown $countdown): DyingPdo
    {
        return $this->set(new DyingPdo($this->place, self::registry(), $countdown));
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

    /** Begins a transaction whose reads all see the state of the first one. */
    public function begin(): string
    {
        return $this->place->kind === DatabaseKind::PostgreSql ? 'BEGIN ISOLATION LEVEL REPEATABLE READ' : 'BEGIN';
    }

    /**
     * @template T of PDO
     *
     * @param T $connection
     *
     * @return T
     */
    private function set(PDO $connection): PDO
    {
        if ($this->place->kind === DatabaseKind::Sqlite) {
            $connection->exec('PRAGMA synchronous = OFF');
            $connection->exec('PRAGMA busy_timeout = 10000');
        }

        return $connection;
    }
}
