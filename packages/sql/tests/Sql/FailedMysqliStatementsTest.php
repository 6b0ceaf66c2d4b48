<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Closure;
use Larder\Cache;
use Larder\Sql\Ledger\LedgerVersions;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\RecordingMysqli;
use Larder\Sql\Tracker\RecordingMysqliStatement;
use Larder\Store\ArrayStore;
use mysqli_result;
use mysqli_sql_exception;
use mysqli_stmt;
use PDOException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;

/** What is made although a statement of a mysqli failed is not stored, by an exception and by `false`. */
#[CoversClass(RecordingMysqli::class)]
#[CoversClass(RecordingMysqliStatement::class)]
#[RequiresPhpExtension('mysqli')]
#[RequiresPhpExtension('pdo_mysql')]
final class FailedMysqliStatementsTest extends MysqliTestCase
{
    /** It fails when it is run. */
    private const FAILS = 'SELECT title FROM news WHERE id = (SELECT n.id FROM news n)';

    /** It fails at its second row. */
    private const FAILS_LATE = 'SELECT title, (SELECT n.id FROM news n WHERE n.id >= news.id) FROM news'
        . ' ORDER BY id DESC';

    /** It fails when it is prepared. */
    private const FAILS_EARLY = 'SELECT nothing FROM news';

    /** @return iterable<string, array{Closure(RecordingMysqli): mixed}> */
    public static function ways(): iterable
    {
        yield 'query' => [static fn(RecordingMysqli $mysqli): mixed => $mysqli->query(self::FAILS)];
        yield 'query, unbuffered' => [
            static fn(RecordingMysqli $mysqli): mixed => $mysqli->query(self::FAILS_LATE, MYSQLI_USE_RESULT),
        ];
        yield 'real_query' => [static fn(RecordingMysqli $mysqli): mixed => $mysqli->real_query(self::FAILS)];
        yield 'multi_query' => [static fn(RecordingMysqli $mysqli): mixed => $mysqli->multi_query(self::FAILS)];
        yield 'multi_query, the second' => [static function (RecordingMysqli $mysqli): mixed {
            $mysqli->multi_query('SELECT id FROM news WHERE id = 4; ' . self::FAILS);

            return $mysqli->next_result();
        }];
        yield 'execute_query' => [static fn(RecordingMysqli $mysqli): mixed => $mysqli->execute_query(self::FAILS)];
        yield 'select' => [static fn(RecordingMysqli $mysqli): mixed => $mysqli->select(self::FAILS)];
        yield 'exec' => [static fn(RecordingMysqli $mysqli): mixed => $mysqli->exec(self::FAILS)];
        yield 'prepare' => [static fn(RecordingMysqli $mysqli): mixed => $mysqli->prepare(self::FAILS_EARLY)];
        yield 'prepare of a statement' => [
            static fn(RecordingMysqli $mysqli): mixed => $mysqli->stmt_init()->prepare(self::FAILS_EARLY),
        ];
        yield 'execute' => [
            static fn(RecordingMysqli $mysqli): mixed => self::prepared($mysqli, self::FAILS)->execute(),
        ];
        $late = [
            'fetch' => static fn(mysqli_stmt $late): mixed => [$late->fetch(), $late->fetch()],
            'get_result' => static fn(mysqli_stmt $late): mixed => $late->get_result(),
            'store_result' => static fn(mysqli_stmt $late): mixed => $late->store_result(),
        ];
        foreach ($late as $how => $fetch) {
            yield "$how, at a later row" => [static function (RecordingMysqli $mysqli) use ($fetch): mixed {
                $statement = self::prepared($mysqli, self::FAILS_LATE);
                $statement->execute();
                $made = $fetch($statement);
                $statement->close();

                return $made;
            }];
        }
        yield 'select_db' => [static fn(RecordingMysqli $mysqli): mixed => $mysqli->select_db('nowhere')];
        yield 'set_charset' => [static fn(RecordingMysqli $mysqli): mixed => $mysqli->set_charset('nowhere')];
        yield 'change_user' => [
            static fn(RecordingMysqli $mysqli): mixed => $mysqli->change_user('nobody', 'wrong', 'bench'),
        ];
        yield 'a first statement, and a second try' => [static function (RecordingMysqli $mysqli): mixed {
            try {
                $mysqli->query(self::FAILS);
            } catch (mysqli_sql_exception) {
            }

            return $mysqli->query('SELECT title FROM news WHERE id = 4');
        }];
    }

    /** @param Closure(RecordingMysqli): mixed $way */
    #[DataProvider('ways')]
    public function testAResultIsNotStored(Closure $way): void
    {
        $this->mysqli->query("INSERT INTO news (id, category, title) VALUES (4, 'net', 'Four'), (5, 'net', 'Five')");
        foreach ([MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT, MYSQLI_REPORT_OFF] as $mode) {
            mysqli_report($mode);
            $connection = $this->connect();
            $reads = new RecordedReads($connection->registry());
            $connection->tracker()->snapshot($reads, static function () use ($connection, $way): void {
                try {
                    $way($connection);
                } catch (mysqli_sql_exception|PDOException) {
                    return;
                }
            }, static fn() => null);
            self::assertMatchesRegularExpression(
                '/^a statement failed \(SQLSTATE [0-9A-Z]{5}\)$/D',
                $reads->refusal() ?? 'none',
                "mode $mode",
            );
            self::assertTrue($reads->hasFailed());
        }
    }

    public function testWhatEndsWithoutAFailureIsNone(): void
    {
        $this->mysqli->query("INSERT INTO news (id, category, title) VALUES (4, 'net', 'Four')");
        foreach ([MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT, MYSQLI_REPORT_OFF] as $mode) {
            mysqli_report($mode);
            $reads = new RecordedReads($this->mysqli->registry());
            $this->mysqli->tracker()->snapshot($reads, function (): void {
                $statement = self::prepared($this->mysqli, 'SELECT id FROM news WHERE id = 4');
                $statement->execute();
                self::assertSame([true, null], [$statement->fetch(), $statement->fetch()]);
                $statement->free_result();
                $statement->execute();
                self::assertTrue($statement->store_result());
                self::assertFalse($statement->next_result());
                $statement->free_result();
                self::assertInstanceOf(mysqli_result::class, $this->mysqli->query('SELECT id FROM news WHERE id = 4'));
                self::assertTrue($this->mysqli->real_query('SELECT id FROM news WHERE id = 4'));
                self::assertInstanceOf(mysqli_result::class, $this->mysqli->store_result());
                self::assertFalse($this->mysqli->next_result());
                // It does nothing since PHP 8.2, and PHP 8.4 says so.
                self::assertTrue(PHP_VERSION_ID >= 80400 || $this->mysqli->ping());
            }, static fn() => null);
            self::assertNull($reads->refusal(), "mode $mode");
        }
    }

    public function testAConnectionThatWasLostAndMadeAnewStoresAgain(): void
    {
        $connection = $this->connect();
        $cache = new Cache(new ArrayStore(), new LedgerVersions(SqlLedger::forValues($connection)));
        $made = static fn(): mixed => $cache->remember(
            'k',
            static fn(): int => \count($connection->select('SELECT title FROM news WHERE id = 4')),
        );
        $made();
        self::assertTrue($cache->has('k'));
        $this->plain('bench')->query('KILL ' . $connection->thread_id);
        $cache->delete('k');
        try {
            $made();
            self::fail('The connection was lost.');
        } catch (mysqli_sql_exception) {
            self::assertFalse($cache->has('k'));
        }
        [$user, $password] = self::account();
        $connection->real_connect(null, $user, $password, 'bench', null, self::$endpoint->socket);
        self::assertSame(0, $made());
        self::assertTrue($cache->has('k'));
        $connection->query("INSERT INTO news (id, category, title) VALUES (4, 'net', 'Four')");
        self::assertFalse($cache->has('k'));
    }

    private static function prepared(RecordingMysqli $mysqli, string $sql): mysqli_stmt
    {
        $statement = $mysqli->prepare($sql);
        self::assertInstanceOf(mysqli_stmt::class, $statement);

        return $statement;
    }
}
