<?php

declare(strict_types=1);

namespace Larder\Tests\Sql\Locking;

use Closure;
use Fiber;
use Larder\Page\FilePageStore;
use Larder\Sql\Ledger\LedgerVersions;
use Larder\Sql\Ledger\LockingProtocol;
use Larder\Sql\Ledger\Publication;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Schema\Connection;
use Larder\Sql\Schema\Dialect;
use Larder\Sql\Schema\MariaDbDialect;
use Larder\Sql\Schema\Several;
use Larder\Sql\Tracker\OwnStatements;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\TransactionState;
use Larder\Testbed\Server\MariaDb;
use Larder\Testbed\Server\ServerProcess;
use Larder\Testbed\TemporaryDirectory;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use Psr\Log\NullLogger;

#[CoversClass(LockingProtocol::class)]
#[CoversClass(MariaDbDialect::class)]
#[CoversClass(SqlLedger::class)]
final class MariaDbLedgerTest extends LedgerCase
{
    protected static function server(string $directory): ServerProcess
    {
        return new MariaDb($directory);
    }

    protected static function create(ServerProcess $server, string $name): array
    {
        $endpoint = $server->endpoint();
        ['user' => $user, 'password' => $password] = $endpoint->extra;
        $root = new PDO('mysql:unix_socket=' . $endpoint->socket, $user, $password);
        // With it an UPDATE of a row that is newer than one's snapshot is an error.
        $root->exec('SET GLOBAL innodb_snapshot_isolation = ON, GLOBAL innodb_flush_log_at_trx_commit = 1');
        $root->exec('CREATE DATABASE ' . $name);

        return ["mysql:unix_socket={$endpoint->socket};dbname=$name;charset=utf8mb4", $user, $password];
    }

    public function testARegistrationThatTheServerMayForgetIsRefused(): void
    {
        $writer = $this->connect();
        try {
            $writer->change('SET GLOBAL innodb_flush_log_at_trx_commit = 0');
            self::assertSame(Publication::NotDurable, $this->render(4));
            $writer->change('SET GLOBAL innodb_flush_log_at_trx_commit = 2');
            $isInMemory = $this->store()->endWithHost();
            self::assertSame($isInMemory ? Publication::Stored : Publication::NotDurable, $this->render(4));
            // A store elsewhere gets as far as to be told that it is elsewhere, if it is durable enough.
            $rooms = ['/dev/shm' => Publication::OtherPlace, __DIR__ => Publication::NotDurable];
            foreach ($rooms as $room => $expected) {
                $other = new TemporaryDirectory('larder', $room);
                try {
                    self::assertSame($expected, $this->render(4, store: new FilePageStore($other->path . '/p', 'r1')));
                } finally {
                    $other->remove();
                }
            }
        } finally {
            $writer->change('SET GLOBAL innodb_flush_log_at_trx_commit = 1');
        }
    }

    /** What it committed last is lost, and with it the registration that a page would need to be dropped. */
    public function testADatabaseThatIsKilledLosesNoPagesEntry(): void
    {
        $room = new TemporaryDirectory();
        $server = new MariaDb($room->path . '/killed');
        try {
            [$dsn, $user, $password] = self::create($server, 'killed');
            $this->begin($dsn, $user, $password);
            $this->render(5);
            $this->connect()->change('SET GLOBAL innodb_flush_log_at_trx_commit = 0');
            self::assertSame(Publication::NotDurable, $this->render(4));
            $this->connect()->change('SET GLOBAL innodb_flush_log_at_trx_commit = 1');
            self::assertSame(Publication::Stored, $this->render(4));
            $server->kill();
            $server->start();
            self::assertSame([true, true], [$this->stores(4), $this->stores(5)]);
            $this->write(4, 'x');
            $this->write(5, 'x');
            self::assertSame([false, false], [$this->stores(4), $this->stores(5)]);
        } finally {
            $server->stop();
            $room->remove();
        }
    }

    public function testNothingIsStoredWhileAStatementRunsThatCommitsByItself(): void
    {
        $writer = $this->connect();
        $ledger = $this->ledger($writer);
        $versions = new LedgerVersions($this->ledger($this->connect()));
        $stamps = $versions->make(static fn(): int => 1, ['news:4'], null)->stamps;
        self::assertNotNull($stamps);
        $this->render(4);
        $this->render(5);
        $rendered = [];
        $ledger->gate(['news'], function () use ($writer, $versions, $stamps, &$rendered): void {
            self::assertSame([false, false], [$this->stores(4), $this->stores(5)]);
            self::assertSame([false], $versions->hold([$stamps]));
            self::assertNull($versions->make(static fn(): int => 1, ['news:5'], null)->stamps);
            $rendered[] = $this->render(4);
            $rendered[] = $this->render(5, afterwards: static fn() => $writer->change('TRUNCATE news'));
        });

        self::assertSame([Publication::Busy, Publication::Busy], $rendered);
        self::assertSame(Publication::Stored, $this->render(4));
        self::assertSame('none', $this->page(4));
    }

    public function testARenderBesideSuchAStatementIsNotStoredWhenItIsOver(): void
    {
        $writer = $this->connect();
        $ledger = $this->ledger($writer);
        foreach ([['news'], null] as $tables) {
            self::assertSame(Publication::Changed, $this->render(4, afterwards: static fn() => $ledger->gate(
                $tables,
                static fn(): int => $writer->change("UPDATE news SET title = 'x' WHERE id = 4"),
            )));
        }
        self::assertSame(Publication::Stored, $this->render(4));
    }

    public function testARenderThatReadWhileSuchAStatementRanIsNotStoredAfterIt(): void
    {
        foreach ([['news'], null] as $tables) {
            $writer = $this->connect();
            $published = [];
            $render = new Fiber(function () use (&$published): void {
                $published[] = $this->render(4, afterwards: Fiber::suspend(...));
            });
            $this->ledger($writer)->gate($tables, static function () use ($render, $writer): void {
                $render->start();
                $writer->change("UPDATE news SET title = CONCAT(title, '.') WHERE id = 4");
            });
            if ($tables === null) {
                // Its life is over too. What is looked at here are the versions.
                self::assertSame(Publication::Changed, $this->render(5));
            }
            $render->resume();
            self::assertSame([Publication::Changed], $published);
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
        $writer->exec('TRUNCATE news');
        self::assertSame([false, false], [$this->stores(4), $this->stores(5)]);
        $this->render(4);
        self::assertTrue($this->stores(4));
        $writer->exec('ALTER TABLE comment ADD other INT');
        self::assertFalse($this->stores(4));
    }

    public function testWhatRunsByItselfIsToldWhenItIsOver(): void
    {
        $told = $this->telling();
        $writer = $this->plain();
        $ledger = $this->ledger($writer, announced: $told->announced(...));
        $this->render(4);
        $writer->exec('TRUNCATE news');
        self::assertSame([['', ['/news/4']], 'after nothing'], $told->take());

        $writer->exec('ALTER TABLE comment ADD other INT');
        self::assertSame([['', null], 'after nothing'], $told->take());

        $ledger->gate(['comment'], static function () use ($told): void {
            self::assertSame([], $told->take(), 'The statement has not changed anything yet.');
        });
        self::assertSame([['', []], 'after nothing'], $told->take());
    }

    public function testAWriterBesideSuchAStatementDropsEverything(): void
    {
        $writer = $this->connect();
        $this->ledger($this->connect())->gate(['comment'], function (): void {
            $everything = fn(): array => $this->ledger->state()->read([Dialect::EVERYTHING])['versions'];
            $before = $everything();
            $this->write(4, 'x');
            self::assertNotSame($before, $everything());
        });
        self::assertSame('x', $writer->value('SELECT title FROM news WHERE id = 4'));
    }

    /** Two who lock in two orders can meet, and the server ends one of them. */
    public function testAllLockPagesThenEdgesThenRoutes(): void
    {
        $this->render(4);
        $this->render(5);
        $control = $this->connect();
        $control->change("SET GLOBAL log_output = 'TABLE', GLOBAL general_log = ON");
        try {
            self::assertSame(Publication::Stored, $this->render(4, cap: 20_000), 'It evicts one, and replaces one.');
            $this->ledger()->flush();
            $second = $this->connect()->second();
            $second->transaction(fn() => $this->index($second)->add(['b' => 2, 'a' => 1]));
        } finally {
            $control->change('SET GLOBAL general_log = OFF');
        }
        $log = $control->rows("SELECT CONVERT(argument USING utf8mb4) AS said FROM mysql.general_log"
            . " WHERE command_type = 'Query'");
        $control->change('TRUNCATE mysql.general_log');
        $order = '';
        // Several that were sent at once are one entry.
        foreach (explode('; ', implode('; ', array_column($log, 'said'))) as $said) {
            $locks = '/^(?:INSERT|DELETE|UPDATE|SELECT(?=.* FOR UPDATE)).*?'
                . '\blarder_(.)(?:age|dge|oute)\b(?:.*\'([ab])\')?/s';
            $order .= match (true) {
                $said === 'COMMIT' => ' ',
                preg_match($locks, $said, $found) === 1 => $found[1] . ($found[2] ?? ''),
                default => '',
            };
        }
        self::assertSame('pepppper per rarb', trim((string) preg_replace('/ +/', ' ', $order)));
    }

    /** What is known of the schema comes with the statement that begins the snapshot. */
    public function testARenderOpensLarderSConnectionOnlyToStoreItsPage(): void
    {
        $first = $this->connect();
        $first->tracker()->schema()->table('news');
        [$dsn, $user, $password] = $this->database;
        $connection = new class ($dsn, $this->registry, user: $user, password: $password) extends Writer {
            public int $opened = 0;

            protected function ownStatements(TransactionState $state, ?Several $several, Closure $open): OwnStatements
            {
                return parent::ownStatements($state, $several, function () use ($open): PDO {
                    ++$this->opened;

                    return $open();
                });
            }
        };
        $opened = null;
        $publication = $this->render(
            4,
            connection: $connection,
            afterwards: static function () use ($connection, &$opened): void {
                self::assertSame('news', $connection->tracker()->schema()->table('news')?->name);
                $opened = $connection->opened;
            },
        );

        self::assertSame([Publication::Stored, 0, 1], [$publication, $opened, $connection->opened]);
    }

    /** Its own texts are in the application's character set, and a name of a set would be another one. */
    public function testASessionInAnotherCharacterSetKnowsTheSameSets(): void
    {
        $this->connect()->change('CREATE TABLE `é` (id INT PRIMARY KEY, code INT)');
        $this->connect()->change("INSERT INTO larder_set (id, tbl, columns) VALUES (1, 'é', 'code')");
        [$dsn, $user, $password] = $this->database;
        foreach (['utf8mb4', 'latin1'] as $charset) {
            $connection = new RecordingPdo(
                str_replace('charset=utf8mb4', "charset=$charset", $dsn),
                logger: new NullLogger(),
                user: $user,
                password: $password,
            );
            $sets = $this->ledger($connection)->snapshot(
                new RecordedReads($connection->registry()),
                static fn(): ?array => $connection->tracker()->schema()->table('é')?->sets,
            );

            self::assertSame([['code']], $sets, $charset);
        }
    }

    public function testAResultWithinAResultDoesNotEndTheSnapshot(): void
    {
        $connection = $this->connect();
        $ledger = $this->ledger($connection);
        $read = fn(): mixed => $connection->value('SELECT title FROM news WHERE id = 4');
        $titles = $ledger->snapshot(new RecordedReads($this->registry), function () use ($ledger, $read): array {
            $inner = $ledger->snapshot(new RecordedReads($this->registry), $read);
            $this->write(4, 'new');

            return [$inner, $read()];
        });

        self::assertSame(['four', 'four'], $titles);
        self::assertFalse($connection->tracker()->inSnapshot());
        self::assertSame('new', $read());
    }

    public function testAGateIsOpenedByWhoFindsThatItsOwnerIsGone(): void
    {
        $writer = $this->connect();
        $thread = $writer->value('SELECT CAST(CONNECTION_ID() AS CHAR)');
        self::assertIsString($thread);
        $writer->rows($this->dialect()->ownerLock() ?? '');
        $writer->change("INSERT INTO larder_gate VALUES (7, '$thread')");
        $schema = $this->ledger->state()->read()['schema'];
        self::assertSame(Publication::Busy, $this->render(4));
        self::assertSame($schema, $this->ledger->state()->read()['schema'], 'It is alive.');
        $this->connect()->change('KILL ' . $thread);
        // The lock goes a moment later.
        for ($i = 0; $i < 50 && $this->ledger->state()->read()['isGated']; ++$i) {
            self::assertSame(Publication::Busy, $this->render(4));
            usleep(10_000);
        }

        self::assertNotSame($schema, $this->ledger->state()->read()['schema']);
        self::assertSame(Publication::Changed, $this->render(4), 'The first one begins anew.');
        self::assertSame(Publication::Stored, $this->render(4));
    }

    protected function rowByRow(RecordingPdo $connection): array
    {
        $connection->setAttribute(PDO::MYSQL_ATTR_USE_BUFFERED_QUERY, false);

        return [];
    }

    protected function byDefault(string $level): void
    {
        $this->connect()->change('SET GLOBAL TRANSACTION ISOLATION LEVEL ' . $level);
    }

    protected function usualLevel(): string
    {
        return 'REPEATABLE READ';
    }

    protected function close(Connection $connection): void
    {
        $id = current($connection->rows('SELECT CONNECTION_ID()')[0] ?? [null]);
        self::assertIsInt($id);
        $control = $this->connect();
        $control->change('KILL ' . $id);
        $is = 'SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE ID = ' . $id;
        for ($i = 0; $i < 500 && $control->value($is) !== 0; ++$i) {
            usleep(1000);
        }
    }
}
