<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

use Larder\Sql\Schema\Registry;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\Server\MariaDb;
use PDO;
use Random\Engine\Mt19937;
use Random\Randomizer;

/** A real MariaDB. No statement waits for a lock, so that one process can play all. */
final class MariaDbDatabase implements ExploredDatabase
{
    private const TABLES = [
        'news', 'larder_ledger', 'larder_lock', 'larder_raise', 'larder_gate', 'larder_page', 'larder_edge',
        'larder_place', 'larder_set', 'larder_route',
    ];

    private readonly MariaDb $server;

    private readonly RecordingPdo $control;

    private readonly PDO $plain;

    /** @var array<string, Randomizer> by process, so that what one draws does not hang on the others */
    private array $random = [];

    /** @var array<string, DrivenMariaDb> */
    private array $connections = [];

    /** @var array<string, list<array<string, mixed>>> */
    private array $first = [];

    public function __construct(string $directory, private readonly Registry $registry)
    {
        $this->server = new MariaDb($directory, [], [
            'innodb-flush-log-at-trx-commit' => '1',
            'innodb-flush-method' => 'nosync',
            'innodb-buffer-pool-size' => '64M',
        ]);
        ['dsn' => $dsn, 'user' => $user, 'password' => $password] = $this->server->endpoint()->extra;
        $this->plain = new PDO($dsn, $user, $password);
        $this->plain->exec('CREATE TABLE news (id INT PRIMARY KEY, value INT NOT NULL)');
        $this->plain->exec('INSERT INTO news VALUES (4, 0)');
        $this->control = new RecordingPdo($dsn, $registry, user: $user, password: $password);
    }

    public function keep(): void
    {
        $this->first = $this->tables();
    }

    public function reset(): void
    {
        $this->random = [];
        $now = $this->tables();
        foreach ($this->first as $table => $rows) {
            if ($now[$table] === $rows && $table !== 'larder_page') {
                continue;
            }
            $this->plain->exec('DELETE FROM ' . $table);
            foreach ($rows as $row) {
                $this->plain->prepare(\sprintf(
                    'INSERT INTO %s VALUES (%s)',
                    $table,
                    implode(', ', array_fill(0, \count($row), '?')),
                ))->execute(array_values($row));
            }
        }
        // A number that was drawn and rolled back is gone.
        $this->plain->exec('ALTER TABLE larder_page AUTO_INCREMENT = 1');
    }

    public function connection(ExploredProcess $process): DrivenMariaDb
    {
        ['dsn' => $dsn, 'user' => $user, 'password' => $password] = $this->server->endpoint()->extra;

        return $this->connections[$process->name] ??= new DrivenMariaDb($dsn, $this->registry, $user, $password);
    }

    public function control(): RecordingPdo
    {
        return $this->control;
    }

    public function random(string $process): Randomizer
    {
        return $this->random[$process] ??= new Randomizer(new Mt19937(crc32($process)));
    }

    public function look(): array
    {
        $tables = $this->tables();
        $value = $tables['news'][0]['value'] ?? 0;
        $statement = $this->plain->prepare(
            'SELECT l.generation + p.id AS generation FROM larder_ledger l JOIN larder_page p JOIN larder_edge e'
                . ' ON e.page = p.id WHERE p.page = ? AND e.name = ?',
        );
        $statement->execute([Storage::KEY, $this->registry->row('news', 4)->name]);
        $generation = $statement->fetchColumn();
        // Its rows are several for a route, at random.
        unset($tables['larder_route']);

        return [
            'value' => \is_int($value) ? $value : 0,
            'registered' => \is_int($generation) ? $generation : null,
            'text' => json_encode($tables, JSON_THROW_ON_ERROR),
        ];
    }

    public function remove(): void
    {
        $this->connections = [];
        $this->server->stop();
    }

    /** @return array<string, list<array<string, mixed>>> */
    private function tables(): array
    {
        $tables = [];
        foreach (self::TABLES as $table) {
            $statement = $this->plain->prepare('SELECT * FROM ' . $table);
            $statement->execute();
            /** @var list<array<string, mixed>> $rows */
            $rows = $statement->fetchAll(PDO::FETCH_ASSOC);
            $tables[$table] = $rows;
        }

        return $tables;
    }
}
