<?php

declare(strict_types=1);

namespace Larder\Proof\Equal;

use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Tracker\RecordingMysqli;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\Server\MariaDb;
use Larder\Testbed\Server\PostgreSql;
use Larder\Tests\Support\Sql\Database;
use Larder\Tests\Support\Sql\MysqliTwin;
use Larder\Tests\Support\Sql\PdoTwin;
use Larder\Tests\Support\Sql\TwinConnections;
use LogicException;
use mysqli;
use PDO;
use PDOException;
use Psr\Log\NullLogger;

/**
 * Two databases of the same content, one for each of two connections. Each has a server of its own, so that names of
 * locks, and what is said of the database, are the same.
 */
final class Pair
{
    private const NAME = 'twin';

    /** @var list<MariaDb|PostgreSql> */
    private array $servers = [];

    public function __construct(private readonly Database $database, private readonly string $directory)
    {
        foreach ([0, 1] as $number) {
            if ($database === Database::MariaDb) {
                $this->servers[] = new MariaDb("$directory/$number", [], [
                    'innodb-flush-log-at-trx-commit' => '1',
                    'innodb-flush-method' => 'nosync',
                    'innodb-buffer-pool-size' => '64M',
                    'lock-wait-timeout' => '5',
                    // Plans follow from them, and whether a value is compared from these.
                    'innodb-stats-auto-recalc' => '0',
                ]);
            } elseif ($database === Database::PostgreSql) {
                $this->servers[] = new PostgreSql("$directory/$number", [
                    'fsync' => 'off',
                    'full_page_writes' => 'off',
                    'jit' => 'off',
                    'autovacuum' => 'off',
                ]);
            }
        }
    }

    /**
     * Empties both and makes this in them. Connections of before are of no use then.
     *
     * @param list<string> $schema
     */
    public function create(array $schema): void
    {
        foreach ([0, 1] as $number) {
            if ($this->database === Database::Sqlite) {
                foreach (['', '-journal', '-wal', '-shm'] as $end) {
                    @unlink("$this->directory/$number$end");
                }
            } elseif ($this->database === Database::MariaDb) {
                $this->connect($number, '')->exec('DROP DATABASE IF EXISTS ' . self::NAME);
                $this->connect($number, '')->exec('CREATE DATABASE ' . self::NAME . ' CHARACTER SET utf8mb4');
            } else {
                $this->connect($number, '')->exec('DROP DATABASE IF EXISTS ' . self::NAME . ' WITH (FORCE)');
                $this->connect($number, '')->exec('CREATE DATABASE ' . self::NAME);
            }
            $connection = $this->connect($number);
            foreach ($schema as $statement) {
                try {
                    $connection->exec($statement);
                } catch (PDOException) {
                    // Of what is made at random, not all is possible.
                }
            }
        }
        $ours = $this->recording([]);
        SqlLedger::forValues($ours)->deploy();
    }

    /** @param list<string> $tables */
    public function twins(Way $way, array $tables): TwinConnections
    {
        $isMysqli = $way === Way::Mysqli;
        $ours = $isMysqli ? $this->recordingMysqli() : $this->recording($way->options());
        SqlLedger::forValues($ours);

        return new TwinConnections(
            $isMysqli
                ? new MysqliTwin($this->mysqli())
                : new PdoTwin($this->connect(0, options: $way->options()), hasLedger: true),
            $ours instanceof RecordingMysqli ? new MysqliTwin($ours) : new PdoTwin($ours, hasLedger: true),
            $ours,
            $tables,
            false,
        );
    }

    /** @param array<int, mixed> $options */
    public function connect(int $number, string $name = self::NAME, array $options = []): PDO
    {
        return new PDO($this->dsn($number, $name), ...$this->account($number), options: $options);
    }

    public function stop(): void
    {
        foreach ($this->servers as $server) {
            $server->stop();
        }
    }

    /** @param array<int, mixed> $options */
    private function recording(array $options): RecordingPdo
    {
        [$user, $password] = $this->account(1);

        return new RecordingPdo(
            $this->dsn(1, self::NAME),
            options: $options,
            logger: new NullLogger(),
            user: $user,
            password: $password,
        );
    }

    private function mysqli(): mysqli
    {
        [$user, $password] = $this->account(0);

        return new mysqli(null, $user, $password, self::NAME, null, $this->endpoint(0)->socket);
    }

    private function recordingMysqli(): RecordingMysqli
    {
        [$user, $password] = $this->account(1);
        $socket = $this->endpoint(1)->socket;

        return new RecordingMysqli(null, $user, $password, self::NAME, null, $socket, logger: new NullLogger());
    }

    private function dsn(int $number, string $name): string
    {
        return match ($this->database) {
            Database::Sqlite => "sqlite:$this->directory/$number",
            Database::MariaDb => \sprintf(
                'mysql:unix_socket=%s;dbname=%s;charset=utf8mb4',
                $this->endpoint($number)->socket,
                $name,
            ),
            Database::PostgreSql => $name === ''
                ? $this->endpoint($number)->extra['dsn']
                : (string) preg_replace('/dbname=\w+/', "dbname=$name", $this->endpoint($number)->extra['dsn']),
        };
    }

    /** @return array{string|null, string|null} */
    private function account(int $number): array
    {
        $extra = $this->database === Database::Sqlite ? [] : $this->endpoint($number)->extra;

        return [$extra['user'] ?? null, $extra['password'] ?? null];
    }

    private function endpoint(int $number): Endpoint
    {
        return ($this->servers[$number] ?? throw new LogicException('It has no server.'))->endpoint();
    }
}
