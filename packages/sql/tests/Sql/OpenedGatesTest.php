<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Closure;
use Larder\Cache;
use Larder\Sql\Ledger\LedgerVersions;
use Larder\Sql\Ledger\LockingProtocol;
use Larder\Sql\Ledger\NoPages;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Schema\MariaDbDialect;
use Larder\Sql\Tracker\RecordingMysqli;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Store\ArrayStore;
use Larder\Tests\Support\TestLog;
use mysqli;
use mysqli_result;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use Psr\Log\LoggerInterface;
use Psr\Log\NullLogger;

/** A ledger of values alone stores values again after each statement that commits by itself, and whoever has died. */
#[CoversClass(LockingProtocol::class)]
#[CoversClass(NoPages::class)]
#[CoversClass(LedgerVersions::class)]
#[RequiresPhpExtension('mysqli')]
#[RequiresPhpExtension('pdo_mysql')]
final class OpenedGatesTest extends MysqliTestCase
{
    private const TWO = "UPDATE news SET title = 'new' WHERE id = 4; UPDATE news SET title = 'other' WHERE id = 5";

    private SqlLedger $ledger;

    private Cache $cache;

    private TestLog $log;

    private int $computes = 0;

    protected function setUp(): void
    {
        parent::setUp();
        $plain = $this->plain('bench');
        $plain->query("INSERT INTO news (id, category, title) VALUES (4, 'net', 'four'), (5, 'net', 'five')");
        $plain->query('CREATE PROCEDURE sets() BEGIN SELECT 1; SELECT 2; UPDATE news SET title = "new" WHERE id = 4;'
            . ' SELECT 3; END');
        $this->log = new TestLog();
        $this->ledger = SqlLedger::forValues($this->open($this->log));
        $this->cache = new Cache(new ArrayStore(), new LedgerVersions($this->ledger), log: new NullLogger());
    }

    /** @return iterable<string, array{Closure(RecordingPdo): mixed}> what leaves rows that nobody has read */
    public static function pdo(): iterable
    {
        $unbuffered = static fn(RecordingPdo $pdo): RecordingPdo => $pdo->setAttribute(
            PDO::MYSQL_ATTR_USE_BUFFERED_QUERY,
            false,
        ) ? $pdo : self::fail('It can be set.');
        yield 'two statements' => [static fn(RecordingPdo $pdo): mixed => $pdo->query(self::TWO)];
        yield 'two statements, prepared' => [static function (RecordingPdo $pdo): mixed {
            $statement = $pdo->prepare(self::TWO);
            $statement->execute();

            return $statement;
        }];
        yield 'two statements by exec' => [static fn(RecordingPdo $pdo): mixed => $pdo->exec(self::TWO)];
        yield 'two queries' => [static fn(RecordingPdo $pdo): mixed => $pdo->query('SELECT 1; SELECT 2')];
        yield 'two settings' => [static fn(RecordingPdo $pdo): mixed => $pdo->query('SET @a = 1; SET @b = 2')];
        yield 'a procedure' => [static fn(RecordingPdo $pdo): mixed => $pdo->query('CALL sets()')];
        yield 'a procedure, row by row' => [
            static fn(RecordingPdo $pdo): mixed => $unbuffered($pdo)->query('CALL sets()'),
        ];
        yield 'a table' => [static fn(RecordingPdo $pdo): mixed => $pdo->exec('TRUNCATE news')];
    }

    /** @param Closure(RecordingPdo): mixed $way */
    #[DataProvider('pdo')]
    public function testValuesAreStoredWhileTheWriterStillHasItsRows(Closure $way): void
    {
        self::assertTrue($this->isStored());
        $writer = $this->open();
        $ledger = SqlLedger::forValues($writer);
        $rows = $way($writer);
        self::assertSame([0, true], [$this->gates(), $this->isStored()]);
        unset($rows, $ledger);
        self::assertSame([], $this->log->lines());
    }

    /** @return iterable<string, array{Closure(RecordingMysqli): mixed}> */
    public static function mysqli(): iterable
    {
        yield 'a procedure' => [static fn(RecordingMysqli $mysqli): mixed => $mysqli->query('CALL sets()')];
        yield 'a procedure, prepared' => [
            static fn(RecordingMysqli $mysqli): mixed => $mysqli->execute_query('CALL sets()'),
        ];
        yield 'two statements' => [static fn(RecordingMysqli $mysqli): mixed => $mysqli->multi_query(self::TWO)];
        yield 'a table' => [static fn(RecordingMysqli $mysqli): mixed => $mysqli->query('TRUNCATE news')];
    }

    /** @param Closure(RecordingMysqli): mixed $way */
    #[DataProvider('mysqli')]
    public function testValuesAreStoredWhileAMysqliStillHasItsRows(Closure $way): void
    {
        $writer = $this->connect();
        $ledger = SqlLedger::forValues($writer);
        $rows = $way($writer);
        self::assertSame([0, true], [$this->gates(), $this->isStored()]);
        unset($rows, $ledger);
    }

    public function testAValueFindsTheGateOfAnOwnerThatIsGone(): void
    {
        $owner = $this->closed();
        self::assertFalse($this->isStored(), 'its statement runs');
        self::assertSame([], $this->log->lines());
        $this->kill($owner);
        $this->remember();
        self::assertSame([0, true], [$this->gates(), $this->isStored()]);
        self::assertCount(1, $this->log->lines());
        self::assertStringContainsString('found closed without its owner', $this->log->lines()[0]);
        $this->kill($this->closed());
        $this->remember();
        self::assertSame([0, true, 1], [$this->gates(), $this->isStored(), \count($this->log->lines())], 'said once');
    }

    public function testAValueThatIsThereFindsItToo(): void
    {
        self::assertTrue($this->isStored());
        $this->kill($this->closed());
        self::assertFalse($this->cache->has('k'));
        self::assertSame(0, $this->gates());
    }

    public function testAChangeFindsItToo(): void
    {
        $writer = $this->open($this->log);
        SqlLedger::forValues($writer);
        $owner = $this->closed();
        $writer->exec("UPDATE news SET title = 'new' WHERE id = 4");
        self::assertSame(1, $this->gates());
        $this->kill($owner);
        $writer->exec("UPDATE news SET title = 'newer' WHERE id = 4");
        self::assertSame(0, $this->gates());
    }

    public function testAGateThatCouldNotBeOpenedIsOpenToAllThoughItsOwnerLives(): void
    {
        $log = new TestLog();
        $writer = $this->open($log);
        $ledger = SqlLedger::forValues($writer);
        $plain = $this->plain('bench');
        for ($times = 1; $times <= 2; ++$times) {
            $ledger->gate(null, static fn(): mixed => $plain->query(
                "INSERT INTO larder_page (page, draft, `release`, route, bytes) VALUES ('/a', 'd', 'r', 'r', 1)",
            ));
            self::assertSame([$times, false], [$this->gates(), $this->isStored()]);
            $plain->query('DELETE FROM larder_page');
        }
        $this->remember();
        self::assertSame([0, true], [$this->gates(), $this->isStored()]);
        self::assertCount(1, $log->lines());
        self::assertStringContainsString('could not be opened: ', $log->lines()[0]);
        self::assertFalse($writer->inTransaction());
    }

    private function open(LoggerInterface $logger = new NullLogger()): RecordingPdo
    {
        [$user, $password] = self::account();
        $dsn = 'mysql:unix_socket=' . self::$endpoint->socket . ';dbname=bench;charset=utf8mb4';

        return new RecordingPdo($dsn, logger: $logger, user: $user, password: $password);
    }

    /** A connection that closes a gate, as one that runs a statement which commits by itself. */
    private function closed(): mysqli
    {
        $owner = $this->plain('bench');
        $owner->query((new MariaDbDialect())->ownerLock());
        $owner->query("INSERT INTO larder_gate VALUES (7, '$owner->thread_id')");

        return $owner;
    }

    private function kill(mysqli $owner): void
    {
        $plain = $this->plain('bench');
        $plain->query('KILL ' . $owner->thread_id);
        // The server takes its locks a moment later.
        $lock = "SELECT IS_FREE_LOCK('larder_gate_$owner->thread_id')";
        for ($i = 0; $i < 1000 && self::value($plain, $lock) !== '1'; ++$i) {
            usleep(10_000);
        }
    }

    private function gates(): int
    {
        return (int) self::value($this->plain('bench'), 'SELECT COUNT(*) FROM larder_gate');
    }

    private static function value(mysqli $connection, string $sql): string
    {
        $result = $connection->query($sql);
        self::assertInstanceOf(mysqli_result::class, $result);
        $value = $result->fetch_column();

        return \is_string($value) ? $value : '';
    }

    private function remember(): void
    {
        $connection = $this->ledger->connection();
        $this->cache->remember('k', function () use ($connection): array {
            ++$this->computes;

            return $connection->select('SELECT title FROM news WHERE id = 4');
        });
    }

    /** Whether the second of two questions gets what the first one made. */
    private function isStored(): bool
    {
        $this->cache->delete('k');
        $before = $this->computes;
        $this->remember();
        $this->remember();

        return $this->computes === $before + 1;
    }
}
