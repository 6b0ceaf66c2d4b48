<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Local;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Appending;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\CountingMany;
use Larder\Bench\Subject\ManyKeys;
use PDO;
use PDOStatement;

/** A SQLite file of the run, in WAL mode; each statement is prepared once a connection. */
final class Sqlite implements Appending, CountingMany, ManyKeys
{
    private PDO $pdo;

    /** @var array<string, PDOStatement> by SQL */
    private array $statements = [];

    /** @param bool $create whether connect() makes the table if there is none */
    public function __construct(private readonly bool $create = true) {}

    public function connect(Context $context): void
    {
        $this->pdo = new PDO('sqlite:' . $context->directory . '/subject.sqlite', options: [
            PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
            PDO::ATTR_TIMEOUT => (int) ceil($context->timeout),
        ]);
        if ($this->create) {
            $this->pdo->exec('PRAGMA journal_mode = WAL');
            $this->pdo->exec(
                'CREATE TABLE IF NOT EXISTS pairs (k TEXT NOT NULL PRIMARY KEY, v BLOB NOT NULL) WITHOUT ROWID',
            );
        }
        $this->pdo->exec('PRAGMA synchronous = NORMAL');
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
        // A statement that is not at its end holds its snapshot.
        $select->closeCursor();

        return \is_string($value) ? $value : null;
    }

    public function set(string $key, string $value): void
    {
        $upsert = $this->statement(
            'INSERT INTO pairs (k, v) VALUES (?, ?) ON CONFLICT (k) DO UPDATE SET v = excluded.v',
        );
        $upsert->bindValue(1, $key);
        $upsert->bindValue(2, $value, PDO::PARAM_LOB);
        $upsert->execute();
    }

    public function delete(string $key): void
    {
        $this->statement('DELETE FROM pairs WHERE k = ?')->execute([$key]);
    }

    public function getMany(array $keys): array
    {
        $select = $this->statement('SELECT k, v FROM pairs WHERE k IN (' . self::places(\count($keys)) . ')');
        $select->execute($keys);

        /** @var array<string, string> */
        return $select->fetchAll(PDO::FETCH_KEY_PAIR);
    }

    public function setMany(array $values): void
    {
        $upsert = $this->statement(
            'INSERT INTO pairs (k, v) VALUES ' . self::places(\count($values), '(?, ?)')
                . ' ON CONFLICT (k) DO UPDATE SET v = excluded.v',
        );
        $position = 0;
        foreach ($values as $key => $value) {
            $upsert->bindValue(++$position, (string) $key);
            $upsert->bindValue(++$position, $value, PDO::PARAM_LOB);
        }
        $upsert->execute();
    }

    public function deleteMany(array $keys): void
    {
        $this->statement('DELETE FROM pairs WHERE k IN (' . self::places(\count($keys)) . ')')->execute($keys);
    }

    public function append(string $key, string $suffix): void
    {
        $update = $this->statement('UPDATE pairs SET v = CAST(v || ? AS BLOB) WHERE k = ?');
        $update->bindValue(1, $suffix, PDO::PARAM_LOB);
        $update->bindValue(2, $key);
        $update->execute();
        if ($update->rowCount() !== 1) {
            throw Failed::during('append', $key, 'no such row');
        }
    }

    public function setCounter(string $key, int $value): void
    {
        $this->set($key, (string) $value);
    }

    public function increment(string $key, int $by = 1): int
    {
        return $this->incrementMany([$key], $by)[$key];
    }

    public function decrement(string $key, int $by = 1): int
    {
        return $this->incrementMany([$key], -$by)[$key];
    }

    public function incrementMany(array $keys, int $by = 1): array
    {
        $update = $this->statement(
            'UPDATE pairs SET v = CAST(v AS INTEGER) + ? WHERE k IN (' . self::places(\count($keys))
                . ') RETURNING k, v',
        );
        $update->bindValue(1, $by, PDO::PARAM_INT);
        foreach ($keys as $index => $key) {
            $update->bindValue($index + 2, $key);
        }
        $update->execute();
        $after = $update->fetchAll(PDO::FETCH_KEY_PAIR);
        if (\count($after) !== \count($keys)) {
            throw Failed::during('increment', $keys[0], \sprintf('%d rows of %d', \count($after), \count($keys)));
        }

        /** @var array<string, int> */
        return $after;
    }

    private function statement(string $sql): PDOStatement
    {
        return $this->statements[$sql] ??= $this->pdo->prepare($sql);
    }

    /** @param positive-int $count */
    private static function places(int $count, string $context = '?'): string
    {
        return $context . str_repeat(', ' . $context, $count - 1);
    }
}
