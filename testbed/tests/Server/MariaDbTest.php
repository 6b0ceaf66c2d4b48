<?php

declare(strict_types=1);

namespace Larder\Testbed\Tests\Server;

use Larder\Testbed\Net\Exchange;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\Server\MariaDb;
use Larder\Testbed\TemporaryDirectory;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;

#[CoversClass(MariaDb::class)]
#[RequiresPhpExtension('pdo_mysql')]
final class MariaDbTest extends TestCase
{
    private static ?TemporaryDirectory $scratch = null;
    private static ?MariaDb $server = null;

    public static function setUpBeforeClass(): void
    {
        self::$scratch = new TemporaryDirectory('lbt', sys_get_temp_dir());
        chmod(self::$scratch->path, 0o755);
        self::$server = new MariaDb(self::$scratch->path . '/d');
    }

    public static function tearDownAfterClass(): void
    {
        self::$server?->stop();
        self::$server = null;
        self::$scratch?->remove();
    }

    public function testSocketAndPortLeadToTheSameEmptyDatabase(): void
    {
        $endpoint = self::endpoint();
        foreach (["unix_socket={$endpoint->socket}", "host=127.0.0.1;port={$endpoint->port}"] as $where) {
            $row = self::row(
                self::connect($where),
                'SELECT DATABASE(), @@innodb_flush_log_at_trx_commit, @@query_cache_size, @@bind_address, @@log_bin',
            );
            self::assertSame(['bench', 2, 0, '127.0.0.1', 0], $row);
        }
        self::assertCount(1, $endpoint->pids);
        self::assertStringContainsString('flush_log_at_trx_commit=2', self::server()->version());
        self::assertStringContainsString('HandlerSocket', self::server()->version());
        self::assertStringContainsString('--no-defaults', self::server()->command());
    }

    public function testHandlerSocketReadsAndWritesWhatSqlSees(): void
    {
        $endpoint = self::endpoint();
        $database = self::connect("unix_socket={$endpoint->socket}");
        $database->exec('CREATE TABLE pair (k VARBINARY(100) PRIMARY KEY, v VARBINARY(400) NOT NULL) ENGINE=InnoDB');
        $greeting = "A\t1\t{$endpoint->extra['handlersocket-secret']}\nP\t1\tbench\tpair\tPRIMARY\tk,v\n";
        self::assertSame(
            "0\t1\n0\t1\n0\t1\n",
            Exchange::with(
                'tcp://127.0.0.1:' . $endpoint->extra['handlersocket-write'],
                $greeting . "1\t+\t2\ta\tx\n",
                "0\t1\n0\t1\n0\t1\n",
            ),
        );
        self::assertSame(
            "0\t1\n0\t1\n0\t2\ta\tx\n",
            Exchange::with('tcp://127.0.0.1:' . $endpoint->extra['handlersocket'], $greeting . "1\t=\t1\ta\n", "\tx\n"),
        );
        self::assertSame(['x'], self::row($database, "SELECT v FROM pair WHERE k = 'a'"));
        self::assertSame(
            "3\t1\tunauth\n",
            Exchange::with(
                'tcp://127.0.0.1:' . $endpoint->extra['handlersocket'],
                "P\t1\tbench\tpair\tPRIMARY\tk,v\n",
                "\n",
            ),
        );
    }

    public function testNobodyGetsInWithoutThePassword(): void
    {
        $endpoint = self::endpoint();
        $this->expectException(\PDOException::class);
        new PDO("mysql:host=127.0.0.1;port={$endpoint->port};dbname=bench", 'bench', '');
    }

    public function testPasswordAndSecretAreNotInTheReport(): void
    {
        $endpoint = self::endpoint();
        self::assertStringNotContainsString($endpoint->extra['password'] ?? '', self::server()->command());
        self::assertStringNotContainsString($endpoint->extra['handlersocket-secret'] ?? '', self::server()->command());
    }

    public function testAnOptionReplacesTheUsualOneAndWithoutPortsThereIsTheSocketAlone(): void
    {
        $options = ['innodb-flush-log-at-trx-commit' => '1', 'loose-option-of-another-version' => 'ON'];
        $server = new MariaDb((self::$scratch->path ?? '') . '/socket', [], $options);
        try {
            $extra = $server->endpoint()->extra;
            $database = new PDO($extra['dsn'] ?? '', $extra['user'] ?? '', $extra['password'] ?? '');
            $facts = 'SELECT DATABASE(), @@innodb_flush_log_at_trx_commit, @@skip_networking, @@character_set_client';
            self::assertSame(['bench', 1, 1, 'utf8mb4'], self::row($database, $facts));
            self::assertArrayNotHasKey('handlersocket', $extra);
            self::assertSame(0, $server->endpoint()->port);
            self::assertStringContainsString('flush_log_at_trx_commit=1', $server->version());
        } finally {
            $server->stop();
        }
    }

    private static function server(): MariaDb
    {
        return self::$server ?? throw new \LogicException('setUpBeforeClass() starts it.');
    }

    private static function endpoint(): Endpoint
    {
        return self::server()->endpoint();
    }

    private static function connect(string $where): PDO
    {
        return new PDO(
            "mysql:{$where};dbname=bench",
            'bench',
            self::endpoint()->extra['password'] ?? '',
            [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION],
        );
    }

    /** @return array<array-key, mixed> */
    private static function row(PDO $database, string $sql): array
    {
        $statement = $database->query($sql);
        self::assertNotFalse($statement);
        $row = $statement->fetch(PDO::FETCH_NUM);
        self::assertIsArray($row);

        return $row;
    }
}
