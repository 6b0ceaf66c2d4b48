<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Sql;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Appending;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\CountingMany;
use Larder\Bench\Subject\ManyKeys;
use PDO;
use PDOStatement;

/** Rows by SQL: as text, or prepared by the server once a connection. */
final class MariaDb implements Appending, CountingMany, ManyKeys
{
    private PDO $pdo;

    /** @var array<string, PDOStatement> by SQL */
    private array $statements = [];

    /** @param bool $create whether connect() makes the table if there is none */
    public function __construct(
        private readonly bool $prepared = false,
        private readonly bool $create = true,
    ) {}

    public function connect(Context $context): void
    {
        $this->pdo = Database::connect($context, !$this->prepared);
        if ($this->create) {
            Database::createTable($this->pdo);
        }
    }

    public function close(): void
    {
        $this->statements = [];
        unset($this->pdo);
    }

    public function get(string $key): ?string
    {
        $select = $this->statement('SELECT v FROM pairs WHERE k = ?');
        $select->execute([$key]);
        $value = $select->fetchColumn();

        return \is_string($value) ? $value : null;
    }

    public function set(string $key, string $value): void
    {
        $this->statement(
            'INSERT INTO pairs (k, v) VALUES (?, ?) ON DUPLICATE KEY UPDATE v = VALUES(v)',
        )->execute([$key, $value]);
    }

    public function delete(string $key): void
    {
        $this->statement('DELETE FROM pairs WHERE k = ?')->execute([$key]);
    }

    public function getMany(array $keys): array
    {
        $select = $this->statement('SELECT k, v FROM pairs WHERE k IN (?' . str_repeat(', ?', \count($keys) - 1) . ')');
        $select->execute($keys);

        /** @var array<string, string> */
        return $select->fetchAll(PDO::FETCH_KEY_PAIR);
    }

    public function setMany(array $values): void
    {
        // Rows are locked as they are listed: two that list them in different orders wait for each other.
        ksort($values, SORT_STRING);
        $row = [];
        foreach ($values as $key => $value) {
            $row[] = (string) $key;
            $row[] = $value;
        }
        $this->statement(
            'INSERT INTO pairs (k, v) VALUES (?, ?)' . str_repeat(', (?, ?)', \count($values) - 1)
                . ' ON DUPLICATE KEY UPDATE v = VALUES(v)',
        )->execute($row);
    }

    public function deleteMany(array $keys): void
    {
        $this->statement(
            'DELETE FROM pairs WHERE k IN (?' . str_repeat(', ?', \count($keys) - 1) . ')',
        )->execute($keys);
    }

    public function append(string $key, string $suffix): void
    {
        $update = $this->statement('UPDATE pairs SET v = CONCAT(v, ?) WHERE k = ?');
        $update->execute([$suffix, $key]);
        if ($update->rowCount() !== 1) {
            throw Failed::during('append', $key, 'no such row');
        }
    }

    public function setCounter(string $key, int $value): void
    {
        $this->set($key, (string) $value);
    }

    /** One round trip: the value comes back with the acknowledgement, where the id of an insert would be. */
    public function increment(string $key, int $by = 1): int
    {
        $update = $this->statement('UPDATE pairs SET v = LAST_INSERT_ID(CAST(v AS SIGNED) + ?) WHERE k = ?');
        $update->bindValue(1, $by, PDO::PARAM_INT);
        $update->bindValue(2, $key);
        $update->execute();
        if ($update->rowCount() !== 1) {
            throw Failed::during('increment', $key, 'no such row');
        }

        return (int) $this->pdo->lastInsertId();
    }

    public function decrement(string $key, int $by = 1): int
    {
        return $this->increment($key, -$by);
    }

    public function incrementMany(array $keys, int $by = 1): array
    {
        // An UPDATE of MariaDB cannot return rows, an INSERT can.
        $upsert = $this->statement(
            'INSERT INTO pairs (k, v) VALUES (?, ?)' . str_repeat(', (?, ?)', \count($keys) - 1)
                . ' ON DUPLICATE KEY UPDATE v = CAST(v AS SIGNED) + CAST(VALUES(v) AS SIGNED) RETURNING k, v',
        );
        sort($keys, SORT_STRING);
        $row = [];
        foreach ($keys as $key) {
            $row[] = $key;
            $row[] = (string) $by;
        }
        $upsert->execute($row);
        /** @var array<string, string> $after */
        $after = $upsert->fetchAll(PDO::FETCH_KEY_PAIR);

        return array_map(intval(...), $after);
    }

    private function statement(string $sql): PDOStatement
    {
        return $this->statements[$sql] ??= $this->pdo->prepare($sql);
    }
}
