<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Sql;

use Closure;
use Larder\Bench\Subject\Context;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\Server\Endpoint;
use PDO;
use PDOException;

/** Connections to the database of a chart: the server that its parameter `database` names, or a SQLite file. */
final readonly class Connections
{
    /** What fetches as a connection of Larder's does. */
    public const OPTIONS = [
        PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION,
        PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC,
    ];

    public function __construct(private Context $context) {}

    /** The server; null: it is a file. */
    public function server(): ?Endpoint
    {
        $servers = array_filter(
            $this->context->endpoints,
            static fn(Endpoint $server): bool => isset($server->extra['dsn']),
        );

        return array_values($servers)[0] ?? null;
    }

    /** @param array<int, mixed> $options */
    public function open(array $options = []): PDO
    {
        return new PDO(...$this->place(), options: $options + self::OPTIONS);
    }

    /** @param array<int, mixed> $options */
    public function recording(array $options = []): RecordingPdo
    {
        [$dsn, $user, $password] = $this->place();

        return new RecordingPdo($dsn, user: $user, password: $password, options: $options + self::OPTIONS);
    }

    /** @return string of PDO: mysql, pgsql or sqlite */
    public function driver(): string
    {
        return (string) strstr($this->place()[0], ':', true);
    }

    /** @return array{string, string|null, string|null} DSN, user and password */
    public function place(): array
    {
        $extra = $this->server()->extra ?? ['dsn' => "sqlite:{$this->context->directory}/bench.sqlite"];

        return [$extra['dsn'], $extra['user'] ?? null, $extra['password'] ?? null];
    }

    /**
     * Makes a table, unless it is there, and Larder's own beside it.
     *
     * @param string                           $columns `id INTEGER PRIMARY KEY, …`
     * @param int                              $rows    with keys from 1
     * @param Closure(int): list<int|string> $row     the row with a key
     */
    public function make(string $table, string $columns, int $rows, Closure $row): void
    {
        $pdo = $this->open();
        if ($this->driver() === 'sqlite') {
            $pdo->exec('PRAGMA journal_mode = WAL');
        }
        try {
            $pdo->query("SELECT 1 FROM $table WHERE id = 1");

            return;
        } catch (PDOException) {
            $pdo->exec("CREATE TABLE $table ($columns)");
        }
        $pdo->beginTransaction();
        $values = '(?' . str_repeat(', ?', \count($row(1)) - 1) . ')';
        $insert = $pdo->prepare("INSERT INTO $table VALUES $values");
        for ($id = 1; $id <= $rows; ++$id) {
            $insert->execute($row($id));
        }
        $pdo->commit();
        $pdo->exec(match ($this->driver()) {
            'mysql' => "ANALYZE TABLE $table",
            'pgsql' => "VACUUM ANALYZE $table",
            default => "ANALYZE $table",
        });
        SqlLedger::forValues($this->recording())->deploy();
    }
}
