<?php

declare(strict_types=1);

namespace Larder\Proof\Exact;

use Larder\Sql\Schema\Registry;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\Server\MariaDb;
use PDO;
use PDOException;

/** Databases of one MariaDB. */
final readonly class MariaDbHost implements Host
{
    private MariaDb $server;

    private Endpoint $endpoint;

    private PDO $connection;

    public function __construct(string $directory)
    {
        $this->server = new MariaDb("$directory/mariadb", [], [
            'innodb-flush-log-at-trx-commit' => '1',
            'innodb-flush-method' => 'nosync',
            'innodb-buffer-pool-size' => '64M',
            'innodb-file-per-table' => '0',
            'table-open-cache' => '400',
        ]);
        $this->endpoint = $this->server->endpoint();
        $this->connection = $this->open($this->endpoint->extra['database'], []);
        // Whoever holds a table of a database that goes, holds it for good.
        $this->connection->exec('SET SESSION lock_wait_timeout = 1');
    }

    public function create(string $name, array $statements): void
    {
        $this->connection->exec("CREATE DATABASE $name");
        $connection = $this->open($name, []);
        foreach ($statements as $statement) {
            Trial::try($connection, $statement);
        }
    }

    public function remove(string $name): void
    {
        Trial::try($this->connection, "DROP DATABASE IF EXISTS $name");
    }

    public function connect(string $name, array $attributes = []): PDO
    {
        return $this->open($name, $attributes);
    }

    public function recording(string $name, Registry $registry, Causes $causes, array $attributes = []): SteppedPdo
    {
        ['user' => $user, 'password' => $password] = $this->endpoint->extra;

        return new SteppedPdo($this->dsn($name), $registry, $causes, $attributes, $user, $password);
    }

    public function watch(string $name, array $attributes = []): Watch
    {
        $connection = $this->open($name, $attributes);
        $watch = $this->open($name, []);
        $watch->exec('CREATE TABLE larder_touched (name VARCHAR(64), was LONGTEXT) CHARACTER SET utf8mb4');
        foreach ($this->tables($watch) as $table) {
            $columns = WatchedCopy::names($watch, "SELECT column_name FROM information_schema.columns WHERE"
                . " table_schema = DATABASE() AND table_name = '$table' ORDER BY ordinal_position");
            foreach (['INSERT' => ['NEW'], 'UPDATE' => ['OLD', 'NEW'], 'DELETE' => ['OLD']] as $event => $rows) {
                $inserts = '';
                foreach ($rows as $row) {
                    $values = array_map(
                        static fn(string $column): string => "CONVERT($row.`$column` USING utf8mb4)",
                        $columns,
                    );
                    $inserts .= "INSERT INTO larder_touched VALUES ('$table', json_array(" . implode(', ', $values)
                        . ')); ';
                }
                Trial::try($watch, "CREATE TRIGGER touched_{$table}_$event AFTER $event ON `$table` FOR EACH ROW BEGIN "
                    . "$inserts END");
            }
        }

        return new LoggedCopy($this, $connection, $watch, static fn(PDO $watch): array => array_map(
            static fn(string $trigger): string => "DROP TRIGGER $trigger",
            WatchedCopy::names($watch, 'SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = '
                . "DATABASE() AND trigger_name LIKE 'touched\\_%'"),
        ));
    }

    public function tables(PDO $connection): array
    {
        return WatchedCopy::names($connection, 'SELECT table_name FROM information_schema.tables WHERE table_schema = '
            . "DATABASE() AND table_type <> 'VIEW' AND table_name NOT LIKE 'larder!_%' ESCAPE '!' ORDER BY table_name");
    }

    public function overlaps(): bool
    {
        return true;
    }

    public function impatience(): array
    {
        return ['SET SESSION innodb_lock_wait_timeout = 0, lock_wait_timeout = 0'];
    }

    public function code(PDOException $exception): string
    {
        $code = $exception->errorInfo[1] ?? 1;

        return \is_scalar($code) ? (string) $code : '';
    }

    public function knowsLastId(): bool
    {
        return true;
    }

    public function stop(): void
    {
        $this->server->stop();
    }

    /** @param array<int, mixed> $attributes */
    private function open(string $name, array $attributes): PDO
    {
        ['user' => $user, 'password' => $password] = $this->endpoint->extra;

        return new PDO($this->dsn($name), $user, $password, $attributes);
    }

    private function dsn(string $name): string
    {
        return \sprintf('mysql:unix_socket=%s;dbname=%s;charset=utf8mb4', $this->endpoint->socket, $name);
    }
}
