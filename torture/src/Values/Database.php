<?php

declare(strict_types=1);

namespace Larder\Torture\Values;

use Larder\Dependency\ColumnType;
use Larder\Dependency\RecordingPdo;
use Larder\Dependency\Registry;
use Larder\Dependency\SqlLedger;
use Larder\Dependency\Table;

/** Rows that count how often they were changed, in a SQLite file. */
final readonly class Database
{
    public function __construct(private string $directory) {}

    public function make(int $rows): void
    {
        $connection = $this->open();
        $connection->exec('PRAGMA journal_mode = WAL');
        $connection->exec('CREATE TABLE item (id INTEGER PRIMARY KEY, version INTEGER NOT NULL)');
        $connection->exec(\sprintf('WITH RECURSIVE n(id) AS (SELECT 0 UNION ALL SELECT id + 1 FROM n WHERE id < %d) INSERT INTO item SELECT id, 0 FROM n', $rows - 1));
        self::ledger($connection)->deploy();
    }

    public function open(): RecordingPdo
    {
        return self::set(new RecordingPdo($this->name(), self::registry()));
    }

    public function openMortal(Fuse $fuse): MortalPdo
    {
        return self::set(new MortalPdo($this->name(), self::registry(), $fuse));
    }

    public static function ledger(RecordingPdo $connection): SqlLedger
    {
        return new SqlLedger($connection, new NoPages(), 'torture');
    }

    public static function version(RecordingPdo $connection, int $row): int
    {
        $version = $connection->run('SELECT version FROM item WHERE id = ?', [$row])->fetchColumn();

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
     * @template T of RecordingPdo
     *
     * @param T $connection
     *
     * @return T
     */
    private static function set(RecordingPdo $connection): RecordingPdo
    {
        $connection->exec('PRAGMA synchronous = OFF');
        $connection->exec('PRAGMA busy_timeout = 10000');

        return $connection;
    }
}
