<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Larder\Sql\Schema\ConnectionParameters;
use Larder\Sql\Tracker\MysqliAnswers;
use Larder\Sql\Tracker\MysqliSession;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\RecordingMysqli;
use Larder\Sql\Tracker\RecordingMysqliStatement;
use Larder\Sql\Tracker\UnfollowedMysqli;
use mysqli_result;
use mysqli_sql_exception;
use PDOException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;

/** What a session of mysqli goes through: it is another one, is lost, is read slowly, sees DDL, or has a twin. */
#[CoversClass(RecordingMysqli::class)]
#[CoversClass(RecordingMysqliStatement::class)]
#[CoversClass(MysqliSession::class)]
#[CoversClass(MysqliAnswers::class)]
#[CoversClass(UnfollowedMysqli::class)]
#[CoversClass(ConnectionParameters::class)]
#[RequiresPhpExtension('mysqli')]
#[RequiresPhpExtension('pdo_mysql')]
final class RecordingMysqliSessionTest extends MysqliTestCase
{
    private const INSERT = 'INSERT INTO news (id, category, title) VALUES (%1$d, "net", "%1$d")';

    public function testAnotherUserBeginsAnew(): void
    {
        [$user, $password] = self::account();
        $this->insert(1);
        $this->mysqli->begin_transaction();
        $this->insert(2);
        $this->mysqli->change_user($user, $password, 'bench');
        self::assertFalse($this->mysqli->inTransaction());
        $this->insert(3);

        self::assertSame([3, 1], [$this->mysqli->insert_id, $this->mysqli->affected_rows]);
        self::assertSame([['news:1', 'news'], ['news:2', 'news'], ['news:3', 'news']], $this->told);
        self::assertSame([1, 3], array_column($this->mysqli->own()->rows('SELECT id FROM news'), 'id'));
    }

    public function testAnotherConnectionBeginsAnew(): void
    {
        $this->mysqli->begin_transaction();
        $this->insert(1);
        $this->reconnect();
        self::assertFalse($this->mysqli->inTransaction());
        $this->told = [];
        $this->insert(2);

        self::assertSame([['news:2', 'news']], $this->told);
    }

    public function testAnotherDatabaseIsNotTakenForThePages(): void
    {
        [$user, $password] = self::account();
        $this->insert(4);
        $this->mysqli->change_user($user, $password, 'twin');
        $reads = new RecordedReads($this->mysqli->registry());
        $read = fn(): mixed => $this->mysqli->query('SELECT title FROM news WHERE id = 4');
        $this->mysqli->tracker()->record($reads, $read);

        self::assertNotNull($reads->refusal());
    }

    public function testAUserThatIsRefusedLeavesNothingBehind(): void
    {
        $this->insert(1);
        try {
            $this->mysqli->change_user('nobody', 'nothing', 'bench');
            self::fail('It must be refused.');
        } catch (mysqli_sql_exception $exception) {
            self::assertSame(1045, $exception->getCode());
        }
        $this->reconnect();
        $this->insert(3);

        self::assertSame([3, 1], [$this->mysqli->insert_id, $this->mysqli->affected_rows]);
    }

    public function testWithoutAutocommitATransactionBeginsByItself(): void
    {
        $this->insert(1);
        $this->mysqli->autocommit(false);
        $result = $this->mysqli->query('SELECT title FROM news', MYSQLI_USE_RESULT);
        $this->insert(2);
        $told = $this->told;
        $this->mysqli->autocommit(true);
        $this->insert(3);

        self::assertInstanceOf(mysqli_result::class, $result);
        self::assertSame([['1']], $result->fetch_all());
        self::assertSame([['news:1', 'news'], ['news:2', 'news']], $told);
        self::assertSame([['news:1', 'news'], ['news:2', 'news'], ['news:3', 'news']], $this->told);
    }

    public function testALostConnectionTakesItsTransactionWithIt(): void
    {
        $this->insert(1);
        $this->mysqli->begin_transaction();
        $this->insert(2);
        $this->plain('bench')->query('KILL ' . $this->mysqli->thread_id);
        try {
            $this->insert(3);
            self::fail('It is lost.');
        } catch (mysqli_sql_exception $exception) {
            self::assertContains($exception->getCode(), [2006, 2013]);
        }
        self::assertFalse($this->mysqli->inTransaction());
        $this->reconnect();
        $this->insert(4);

        self::assertSame([4, 1], [$this->mysqli->insert_id, $this->mysqli->affected_rows]);
        self::assertSame([['news:1', 'news'], ['news:2', 'news'], ['news:4', 'news']], $this->told);
    }

    public function testACommitOnALostConnectionFails(): void
    {
        $this->mysqli->begin_transaction();
        $this->insert(1);
        $this->plain('bench')->query('KILL ' . $this->mysqli->thread_id);
        try {
            $this->mysqli->commit();
            self::fail('It is lost.');
        } catch (mysqli_sql_exception $exception) {
            self::assertContains($exception->getCode(), [2006, 2013]);
        }
        $this->told = [];
        $this->reconnect();
        $this->insert(2);

        self::assertSame([['news:2', 'news']], $this->told);
    }

    public function testRowsMayStayAtTheServer(): void
    {
        $this->insert(1);
        $this->insert(2);
        $this->mysqli->query('SELECT 1');
        $result = $this->mysqli->query('SELECT id FROM news ORDER BY id', MYSQLI_USE_RESULT);
        self::assertInstanceOf(mysqli_result::class, $result);
        self::assertEquals([1], $result->fetch_row());
        try {
            $this->insert(3);
            self::fail('Rows are unread.');
        } catch (mysqli_sql_exception $exception) {
            self::assertSame(UnfollowedMysqli::OUT_OF_SYNC, $exception->getCode());
        }
        self::assertSame([['2']], $result->fetch_all());
        $result->free();
        $this->insert(4);

        self::assertSame([['news:1', 'news'], ['news:2', 'news'], ['news:4', 'news']], $this->told);
    }

    public function testAPreparedStatementIsFollowedByTheSchemaOfItsRun(): void
    {
        $this->insert(4);
        $this->insert(5);
        $id = 4;
        $delete = $this->mysqli->prepare('DELETE FROM news WHERE id = ?');
        $read = $this->mysqli->prepare('SELECT title FROM news WHERE id = ?');
        self::assertNotFalse($delete);
        self::assertNotFalse($read);
        $delete->bind_param('i', $id);
        $read->bind_param('i', $id);
        $delete->execute();
        $this->mysqli->query('CREATE TABLE remark (id INT PRIMARY KEY, news_id INT NOT NULL,'
            . ' FOREIGN KEY (news_id) REFERENCES news (id) ON DELETE CASCADE)');
        $this->mysqli->query('INSERT INTO remark VALUES (50, 5)');
        // The gate has let the ledger hear what is written.
        $this->follow($this->mysqli);
        $this->told = [];
        $id = 5;
        $delete->execute();
        $this->mysqli->query('DROP TABLE remark');
        $this->mysqli->query('ALTER TABLE news DROP PRIMARY KEY, MODIFY id INT NOT NULL');
        $reads = new RecordedReads($this->mysqli->registry());
        $this->mysqli->tracker()->record($reads, static fn(): mixed => [$read->execute(), $read->get_result()]);

        self::assertEqualsCanonicalizing(['news:5', 'news', 'remark:50', 'remark'], $this->told()[0] ?? []);
        self::assertContains('news', $reads->names());
    }

    public function testTwoConnectionsAreFollowedEachByItself(): void
    {
        $other = $this->connect();
        $this->follow($other);
        $this->mysqli->begin_transaction();
        $this->insert(1);
        $other->query(\sprintf(self::INSERT, 2));
        self::assertSame([false, true], [$other->inTransaction(), $this->mysqli->inTransaction()]);
        $this->mysqli->commit();
        $other->begin_transaction();
        $other->query(\sprintf(self::INSERT, 3));
        unset($other);
        $this->insert(4);

        $told = array_map(static fn(int $id): array => ["news:$id", 'news'], [1, 2, 3, 4]);
        self::assertSame($told, $this->told);
    }

    public function testAFailureOfAnOwnStatementKeepsItsNumber(): void
    {
        $this->insert(1);
        try {
            $this->mysqli->own()->change("INSERT INTO news (id, category, title) VALUES (1, ?, 'x')", ["it's"]);
            self::fail('The key is taken.');
        } catch (PDOException $exception) {
            self::assertSame(1062, $exception->errorInfo[1] ?? null);
        }
    }

    private function insert(int $id): void
    {
        $this->mysqli->query(\sprintf(self::INSERT, $id));
    }

    /** @return list<list<string>> */
    private function told(): array
    {
        return $this->told;
    }

    private function reconnect(): void
    {
        [$user, $password] = self::account();
        $this->mysqli->real_connect(null, $user, $password, 'bench', null, self::$endpoint->socket);
    }
}
