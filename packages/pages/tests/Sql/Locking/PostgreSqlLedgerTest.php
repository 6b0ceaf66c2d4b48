<?php

declare(strict_types=1);

namespace Larder\Tests\Sql\Locking;

use Larder\Dependency\Change;
use Larder\Sql\Ledger\LockingProtocol;
use Larder\Sql\Ledger\Publication;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Schema\Connection;
use Larder\Sql\Schema\OneText;
use Larder\Sql\Schema\PostgreSqlDialect;
use Larder\Sql\Schema\SecondConnection;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\Process\WorkerPool;
use Larder\Testbed\Server\PostgreSql;
use Larder\Testbed\Server\ServerProcess;
use PDO;
use PDOException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;

#[CoversClass(LockingProtocol::class)]
#[CoversClass(OneText::class)]
#[CoversClass(PostgreSqlDialect::class)]
#[CoversClass(SecondConnection::class)]
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

    /** A statement that locks has a snapshot from before the lock, and so would have all that are one with it. */
    public function testWhatFollowsALockInOneTextSeesWhatWasCommittedBeforeIt(): void
    {
        [$dsn, $user] = $this->database;
        $lock = (new PostgreSqlDialect())->locks([7], false, true);
        $waiting = "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 7 AND granted = %s";
        $seen = static function (PDO $look, string $granted) use ($waiting): void {
            $waits = $look->prepare(\sprintf($waiting, $granted));
            do {
                $waits->execute();
            } while ($waits->fetchColumn() !== 1);
        };
        $holder = new WorkerPool(static function () use ($dsn, $user, $lock, $seen): void {
            $pdo = new PDO($dsn, $user);
            $pdo->beginTransaction();
            $pdo->query($lock);
            $seen(new PDO($dsn, $user), 'false');
            $pdo->exec('INSERT INTO larder_raise (slot, raise) VALUES (7, 77)');
            $pdo->commit();
        });
        $dialect = new PostgreSqlDialect(patience: '20s');
        $second = new SecondConnection(static fn(): PDO => new PDO($dsn, $user), $dialect);
        $holder->fill(1);
        $seen(new PDO($dsn, $user), 'true');
        [$locked, $raises] = $second->transaction(static fn(): array => $second->together([
            [$lock, []],
            ['SELECT raise FROM larder_raise WHERE slot = ?', [7]],
        ]));
        $holder->end(20.0);
        self::assertSame([[['s' => 7]], [['raise' => 77]]], [$locked, $raises]);
    }

    /** The same of a render that asks for its slots while a writer has them, and gets them after its COMMIT. */
    public function testARenderThatWaitsForAWriterSeesWhatThatHasRaised(): void
    {
        [$dsn, $user] = $this->database;
        $waiting = 'SELECT COUNT(*) FROM pg_locks WHERE NOT granted AND locktype = ?';
        $writers = new WorkerPool(function () use ($dsn, $user, $waiting): void {
            $look = new PDO($dsn, $user);
            $ledger = $this->ledger($this->connect(), announced: static function () use ($look, $waiting): null {
                $look->exec("UPDATE comment SET id = 2");
                do {
                    $waits = $look->prepare($waiting);
                    $waits->execute(['advisory']);
                } while ($waits->fetchColumn() === 0);

                return null;
            });
            $ledger->transaction(static function (Change $change) use ($ledger): void {
                $ledger->connection()->own()->change("UPDATE news SET title = 'x' WHERE id = 4");
                $change->name('news:4', trust: true);
            });
        });
        $plain = new PDO($dsn, $user);
        $plain->exec('INSERT INTO comment VALUES (1)');
        self::assertSame(Publication::Changed, $this->render(4, afterwards: static function () use (
            $writers,
            $plain,
        ): void {
            $writers->fill(1);
            $raised = $plain->prepare('SELECT id FROM comment');
            do {
                self::assertSame([], $writers->reap());
                $raised->execute();
            } while ($raised->fetchColumn() !== 2);
        }));
        $writers->end(20.0);
        self::assertFalse($this->stores(4));
    }

    public function testASnapshotThatIsExportedIsReadAsItIs(): void
    {
        $first = $this->connect();
        $second = $first->second();
        $count = 'SELECT COUNT(*) AS n FROM news';
        $reads = new RecordedReads($this->registry);
        $first->tracker()->snapshot($reads, function () use ($first, $second, $count): void {
            (new PDO($this->database[0], $this->database[1]))->exec("INSERT INTO news VALUES (6, 'six')");
            $snapshot = $first->tracker()->exportedSnapshot() ?? '';
            self::assertSame([['n' => 2]], $second->rowsOf($snapshot, $count));
            self::assertSame([['n' => 3]], $second->rows($count));
        }, static fn() => null);
        self::assertNull($first->tracker()->exportedSnapshot());
    }

    #[TestWith(["'"])]
    #[TestWith(["\\"])]
    #[TestWith(["\\' OR 1 = 1 --"])]
    #[TestWith(["'; \\'?\\\\"])]
    #[TestWith(['$1 :name ?? é 😀'])]
    #[TestWith([-5])]
    #[TestWith([PHP_INT_MAX])]
    #[TestWith([null])]
    public function testAValueInATextIsItselfWhateverTheSessionIsSetTo(string|int|null $value): void
    {
        foreach (['on', 'off'] as $are) {
            $this->connect()->change('ALTER ROLE larder SET client_encoding = ' . ($are === 'on' ? 'UTF8' : 'LATIN1'));
            $second = $this->connect()->second();
            $this->connect()->change('ALTER ROLE larder RESET client_encoding');
            $second->transaction(static function () use ($second, $are, $value): void {
                $second->change("SET LOCAL standard_conforming_strings = $are");
                $second->change('SET LOCAL escape_string_warning = off');
                $rows = [['v' => $value]];
                self::assertSame($rows, $second->rows('SELECT ? AS v', [$value]));
                $ask = ['SELECT ? AS v', [$value]];
                self::assertSame([$rows, [], $rows, $rows], $second->together([
                    $ask, ['SET LOCAL jit = off', []], $ask, $ask,
                ], 2));
            });
        }
    }

    public function testATextThatIsNotUtf8IsRefused(): void
    {
        $this->expectException(PDOException::class);
        $this->expectExceptionMessage('not UTF-8');
        $this->connect()->second()->rows('SELECT ? AS v', ["\xc3'"]);
    }

    protected function isolated(string $level): string
    {
        return 'SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL ' . $level;
    }

    #[TestWith(['exec'])]
    #[TestWith(['query'])]
    #[TestWith(['prepare'])]
    public function testATextWithASavepointIsRefusedOutsideOfATransaction(string $method): void
    {
        $writer = $this->connect();
        // Else PostgreSQL refuses any text of two statements.
        $writer->setAttribute(PDO::ATTR_EMULATE_PREPARES, true);
        $text = 'DELETE FROM news WHERE id = 4; SAVEPOINT s';
        try {
            match ($method) {
                'exec' => $writer->exec($text),
                'query' => $writer->query($text),
                default => $writer->prepare($text)->execute(),
            };
            self::fail('PostgreSQL has taken it.');
        } catch (PDOException $exception) {
            self::assertSame('25P01', $exception->getCode());
        }
        self::assertFalse($writer->inTransaction());
        self::assertCount(1, $writer->select('SELECT id FROM news WHERE id = 4'));
    }

    /** PostgreSQL answers the COMMIT of a transaction that has failed by a ROLLBACK. */
    public function testNothingIsDoneAfterACommitThatRollsBack(): void
    {
        $told = $this->telling();
        $writer = $this->connect();
        $ledger = $this->ledger($writer, announced: $told->announced(...));
        $writer->beginTransaction();
        $change = $ledger->open();
        $writer->exec("UPDATE news SET title = 'x' WHERE id = 4");
        $change->name('news:4', trust: true);
        $ledger->change($change);
        try {
            $writer->exec('SELECT 1 / 0');
            self::fail('It divides by 0.');
        } catch (PDOException) {
            $writer->exec('COMMIT');
        }

        self::assertSame([['news:4', []]], $told->take());
        self::assertSame('four', $writer->value('SELECT title FROM news WHERE id = 4'));
    }

    protected function rowByRow(RecordingPdo $connection): array
    {
        return [PDO::ATTR_CURSOR => PDO::CURSOR_SCROLL];
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
