<?php

declare(strict_types=1);

namespace Larder\Proof\Exact;

use Larder\Sql\Schema\Registry;
use PDO;
use PDOException;

/** Databases that are files of a directory. */
final readonly class SqliteHost implements Host
{
    public function __construct(private string $directory) {}

    public function create(string $name, array $statements): void
    {
        $connection = new PDO($this->dsn($name));
        $all = ['PRAGMA journal_mode = WAL', 'PRAGMA synchronous = OFF', 'BEGIN', ...$statements, 'COMMIT'];
        foreach ($all as $statement) {
            Trial::try($connection, $statement);
        }
    }

    public function remove(string $name): void
    {
        foreach (['', '-wal', '-shm'] as $end) {
            @unlink("$this->directory/$name$end");
        }
    }

    public function connect(string $name, array $attributes = []): PDO
    {
        $connection = new PDO($this->dsn($name), options: $attributes);
        $connection->exec('PRAGMA synchronous = OFF');

        return $connection;
    }

    public function recording(string $name, Registry $registry, Causes $causes, array $attributes = []): SteppedPdo
    {
        $connection = new SteppedPdo($this->dsn($name), $registry, $causes, $attributes);
        $connection->exec('PRAGMA synchronous = OFF');

        return $connection;
    }

    public function watch(string $name, array $attributes = []): Watch
    {
        return new WatchedCopy($this, $this->connect($name, $attributes));
    }

    public function tables(PDO $connection): array
    {
        return WatchedCopy::names($connection, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE"
            . " 'larder\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name");
    }

    public function overlaps(): bool
    {
        return false;
    }

    public function impatience(): array
    {
        return [];
    }

    public function code(PDOException $exception): string
    {
        // BEGIN in a transaction and COMMIT without one are errors of PDO on one connection, of SQLite on the other.
        $code = $exception->errorInfo[1] ?? 1;

        return \is_scalar($code) ? (string) $code : '';
    }

    public function knowsLastId(): bool
    {
        return true;
    }

    public function stop(): void {}

    private function dsn(string $name): string
    {
        return "sqlite:$this->directory/$name";
    }
}
