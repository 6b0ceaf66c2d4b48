<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Larder\Dependency\Name;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Tracker\RecordingMysqli;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\Server\MariaDb;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\NotingAnnouncer;
use mysqli;
use PHPUnit\Framework\TestCase;
use Psr\Log\NullLogger;

/** A MariaDB with news, and a RecordingMysqli whose changes are noted. */
abstract class MysqliTestCase extends TestCase
{
    protected static TemporaryDirectory $directory;

    protected static MariaDb $server;

    protected static Endpoint $endpoint;

    protected RecordingMysqli $mysqli;

    /** @var list<list<string>> what each transaction made known */
    protected array $told = [];

    public static function setUpBeforeClass(): void
    {
        self::$directory = new TemporaryDirectory();
        self::$server = new MariaDb(self::$directory->path . '/server', []);
        self::$endpoint = self::$server->endpoint();
    }

    public static function tearDownAfterClass(): void
    {
        self::$server->stop();
        self::$directory->remove();
    }

    protected function setUp(): void
    {
        mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
        foreach (['bench', 'twin'] as $database) {
            $plain = $this->plain('mysql');
            $plain->query("DROP DATABASE IF EXISTS $database");
            $plain->query("CREATE DATABASE $database CHARACTER SET utf8mb4");
            $plain->select_db($database);
            $plain->query('CREATE TABLE news (id INT AUTO_INCREMENT PRIMARY KEY,'
                . ' category VARCHAR(20) COLLATE utf8mb4_bin NOT NULL, title VARCHAR(20) NOT NULL UNIQUE,'
                . ' views INT NOT NULL DEFAULT 0, price DECIMAL(6, 2), weight DOUBLE)');
        }
        $this->mysqli = $this->connect();
        SqlLedger::forValues($this->mysqli)->deploy();
        $this->follow($this->mysqli);
    }

    protected function tearDown(): void
    {
        mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
    }

    /** Lets what it makes known be noted in $told, and what commits by itself run behind the ledger's gates. */
    protected function follow(RecordingMysqli $connection): void
    {
        NotingAnnouncer::besideLedger($connection, function (array $names): void {
            if ($names !== []) {
                $this->told[] = array_map(static fn(Name $name): string => $name->name, $names);
            }
        });
    }

    /** @return array{string, string} user and password */
    protected static function account(): array
    {
        return [self::$endpoint->extra['user'] ?? '', self::$endpoint->extra['password'] ?? ''];
    }

    protected function connect(): RecordingMysqli
    {
        [$user, $password] = self::account();
        $socket = self::$endpoint->socket;

        return new RecordingMysqli(null, $user, $password, 'bench', null, $socket, logger: new NullLogger());
    }

    protected function plain(string $database): mysqli
    {
        [$user, $password] = self::account();

        return new mysqli(null, $user, $password, $database, null, self::$endpoint->socket);
    }
}
