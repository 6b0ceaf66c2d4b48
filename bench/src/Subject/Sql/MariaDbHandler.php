<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Sql;

use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\KeyValue;
use PDO;
use PDOStatement;

/**
 * Reads by MariaDB's HANDLER statement, which leaves out the optimizer; it can be prepared there. Writes are prepared
 * SQL, as it has none.
 */
final class MariaDbHandler implements KeyValue
{
    private PDO $pdo;

    private PDOStatement $read;

    private PDOStatement $write;

    private PDOStatement $delete;

    public function connect(Context $context): void
    {
        $this->pdo = Database::connect($context, false);
        Database::createTable($this->pdo);
        // Stays open as long as the connection, and keeps others from altering the table.
        $this->pdo->exec('HANDLER pairs OPEN');
        $this->read = $this->pdo->prepare('HANDLER pairs READ `PRIMARY` = (?)');
        $this->write = $this->pdo->prepare(
            'INSERT INTO pairs (k, v) VALUES (?, ?) ON DUPLICATE KEY UPDATE v = VALUES(v)',
        );
        $this->delete = $this->pdo->prepare('DELETE FROM pairs WHERE k = ?');
    }

    public function close(): void
    {
        unset($this->read, $this->write, $this->delete, $this->pdo);
    }

    public function get(string $key): ?string
    {
        $this->read->execute([$key]);
        // It always returns all columns.
        $value = $this->read->fetchColumn(1);

        return \is_string($value) ? $value : null;
    }

    public function set(string $key, string $value): void
    {
        $this->write->execute([$key, $value]);
    }

    public function delete(string $key): void
    {
        $this->delete->execute([$key]);
    }
}
