<?php

declare(strict_types=1);

namespace Larder\Tests\Dependency\Locking;

use Larder\Dependency\Database\Connection;
use Larder\Dependency\Database\PostgreSqlDialect;
use Larder\Dependency\Protocol\LockingProtocol;
use Larder\Dependency\Publication;
use Larder\Dependency\SqlLedger;
use Larder\Testbed\Server\PostgreSql;
use Larder\Testbed\Server\ServerProcess;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;

#[CoversClass(LockingProtocol::class)]
#[CoversClass(PostgreSqlDialect::class)]
#[CoversClass(SqlLedger::class)]
final class PostgreSqlLedgerTest extends LedgerCase
{
    protected static function server(string $directory): ServerProcess
    {
        return new PostgreSql($directory, ['fsync' => 'off']);
    }

    protected static function create(ServerProcess $server, string $name): array
    {
        ['user' => $user, 'dsn' => $dsn] = $server->endpoint()->extra;
        (new PDO($dsn, $user))->exec('CREATE SCHEMA ' . $name);

        return ["$dsn;options=-csearch_path=$name", $user, ''];
    }

    public function testARegistrationIsDurableWhateverTheSessionsOfTheServerAre(): void
    {
        $this->connect()->change('ALTER ROLE larder SET synchronous_commit = off');
        try {
            self::assertSame('off', $this->connect()->value('SHOW synchronous_commit'));
            self::assertSame(Publication::Stored, $this->render(4));
        } finally {
            $this->connect()->change('ALTER ROLE larder SET synchronous_commit = on');
        }
    }

    public function testWhatRunsByItselfIsMadeKnown(): void
    {
        $writer = $this->plain();
        $this->ledger($writer);
        $this->render(4);
        $this->render(5);
        $writer->exec("UPDATE news SET title = 'x' WHERE id = 4");
        self::assertSame([false, true], [$this->stores(4), $this->stores(5)]);
        $this->render(4);
        self::assertTrue($this->stores(4));
        $writer->exec('ALTER TABLE comment ADD other INT');
        self::assertSame([false, false], [$this->stores(4), $this->stores(5)]);
    }

    protected function isolated(string $level): string
    {
        return 'SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL ' . $level;
    }

    protected function byDefault(string $level): void
    {
        $this->connect()->change("ALTER ROLE larder SET default_transaction_isolation = '" . strtolower($level) . "'");
    }

    protected function usualLevel(): string
    {
        return 'READ COMMITTED';
    }

    protected function close(Connection $connection): void
    {
        $id = current($connection->rows('SELECT pg_backend_pid()')[0] ?? [null]);
        self::assertIsInt($id);
        $this->connect()->rows("SELECT pg_terminate_backend($id, 1000)");
    }
}
