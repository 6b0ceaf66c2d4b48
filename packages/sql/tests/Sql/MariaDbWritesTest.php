<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Larder\Exception\NoTransaction;
use Larder\Sql\Reading\MariaDbWrite;
use Larder\Sql\Reading\ServerWrite;
use Larder\Sql\Schema\TableFacts;
use Larder\Sql\Tracker\LockedImages;
use Larder\Sql\Tracker\LockingChange;
use Larder\Sql\Tracker\LockingRunner;
use Larder\Sql\Tracker\Transaction;
use Larder\Sql\Tracker\Writes;
use Larder\Testbed\Process\Fork;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\Server\MariaDb;
use Larder\Tests\Support\Sql\Database;
use PDO;
use PDOException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;

#[CoversClass(ServerWrite::class)]
#[CoversClass(MariaDbWrite::class)]
#[CoversClass(TableFacts::class)]
#[CoversClass(LockedImages::class)]
#[CoversClass(LockingChange::class)]
#[CoversClass(Writes::class)]
#[CoversClass(LockingRunner::class)]
#[CoversClass(Transaction::class)]
#[RequiresPhpExtension('pdo_mysql')]
final class MariaDbWritesTest extends ServerWritesTestCase
{
    private const CHILD = 'ALTER TABLE comment ADD FOREIGN KEY (news_id) REFERENCES news (id) ON DELETE ';

    protected static function kind(): Database
    {
        return Database::MariaDb;
    }

    protected static function server(string $directory): array
    {
        $server = new MariaDb($directory);

        return [$server->endpoint(), $server->stop(...)];
    }

    protected static function dsn(Endpoint $endpoint, string $database = ''): string
    {
        return \sprintf('mysql:unix_socket=%s;dbname=%s', $endpoint->socket, $database === '' ? 'bench' : $database);
    }

    protected static function upsert(): string
    {
        return 'INSERT INTO comment (id, news_id) VALUES (%d, %d) ON DUPLICATE KEY UPDATE news_id = VALUES(news_id)';
    }

    protected static function schema(): array
    {
        return [
            'SET SESSION foreign_key_checks = 0',
            'DROP VIEW IF EXISTS latest',
            'DROP TABLE IF EXISTS comment, news, other, scratch, setting, larder_ledger, ' . str_repeat('é', 64),
            'DROP FUNCTION IF EXISTS writes',
            'DROP FUNCTION IF EXISTS mine',
            'DROP FUNCTION IF EXISTS `trim`',
            'DROP PROCEDURE IF EXISTS change_all',
            'CREATE TABLE news (id INT AUTO_INCREMENT PRIMARY KEY, category VARCHAR(20) COLLATE utf8mb4_bin,'
                . ' author VARCHAR(20), title VARCHAR(30) UNIQUE, views INT NOT NULL DEFAULT 0)',
            "INSERT INTO news VALUES (4, 'net', 'Bob', 'four', 0), (5, 'web', 'Eve', 'five', 0),"
                . " (6, NULL, 'Bob', 'six', 0)",
            'CREATE TABLE comment (id INT AUTO_INCREMENT PRIMARY KEY, news_id INT, text VARCHAR(20))',
            "INSERT INTO comment VALUES (1, 4, 'first'), (2, 4, 'more'), (3, 5, 'other')",
            'CREATE TABLE other (id INT AUTO_INCREMENT PRIMARY KEY, a INT)',
            'CREATE TABLE larder_ledger (one INT)',
            'SET SESSION foreign_key_checks = 1',
        ];
    }

    protected static function settings(): array
    {
        return ["SET SESSION sql_mode = 'PAD_CHAR_TO_FULL_LENGTH'", 'SET NAMES gbk', "SET sql_mode = 'ORACLE'"];
    }

    public static function writes(): iterable
    {
        $four = self::FOUR;
        $five = self::FIVE;
        yield 'UPDATE by key to the same value' => [["UPDATE news SET title = 'four' WHERE id = 4"], []];
        yield 'the old set and the new one' => [
            ["UPDATE `news` SET category = 'mail' WHERE news.id = 4 AND author = 'Bob' -- WHERE"],
            [...$four, 'news?category=mail'],
        ];
        yield 'UPDATE of several rows, of which one is the same' => [
            ["UPDATE news SET views = 1 WHERE id IN (4, 5) OR title = 'nine'"],
            [...$four, ...$five],
        ];
        yield 'a column of its own WHERE' => [["UPDATE news SET category = 'x' WHERE category = 'net'"], ['news!']];
        yield 'a column of its own WHERE, by key' => [
            ["UPDATE news SET category = 'x' WHERE id = 4 AND category = 'net'"],
            [...$four, 'news?category=x'],
        ];
        yield 'the clock and a subquery in a value' => [
            ["UPDATE news SET title = CONCAT(NOW(), (SELECT COUNT(*) FROM comment)) WHERE id = 4"],
            $four,
        ];
        yield 'INSERT with a number' => [
            ["INSERT INTO news (title, category) VALUES ('x', 'net')"],
            ['news', 'news:7', 'news?author', 'news?category=net'],
        ];
        $children = ['comment', 'comment:1', 'comment:2', 'comment?news_id=4'];
        yield 'ON DELETE CASCADE' => [
            ['DELETE FROM news WHERE id = 4'],
            [...$four, ...$children],
            [self::CHILD . 'CASCADE'],
        ];
        yield 'ON DELETE SET NULL' => [
            ['DELETE FROM news WHERE id = 4'],
            [...$four, ...$children, 'comment?news_id'],
            [self::CHILD . 'SET NULL'],
        ];
        yield 'a BEFORE trigger' => [
            ["UPDATE news SET title = 'x' WHERE id = 4"],
            ['news!'],
            ['CREATE TRIGGER b BEFORE UPDATE ON news FOR EACH ROW SET NEW.category = 1'],
        ];
        yield 'another table by a trigger' => [
            ["UPDATE news SET title = 'four' WHERE id = 4"],
            ['other!'],
            ['CREATE TRIGGER a AFTER UPDATE ON news FOR EACH ROW INSERT INTO other (a) VALUES (1)'],
        ];
        yield 'a trigger that nothing fires' => [
            ["UPDATE news SET title = 'four' WHERE id = 99"],
            [],
            ['CREATE TRIGGER a AFTER UPDATE ON news FOR EACH ROW INSERT INTO other (a) VALUES (1)'],
        ];
        foreach ([
            'the key assigned' => 'UPDATE news SET id = 9 WHERE id = 4',
            'IGNORE' => "UPDATE IGNORE news SET title = 'x' WHERE id = 4",
            'LIMIT' => "UPDATE news SET title = 'x' LIMIT 1",
            'another name' => "UPDATE news n SET n.title = 'x' WHERE n.id = 4",
            'the clock' => "UPDATE news SET title = 'x' WHERE id = 4 AND NOW() > '2000-01-01'",
            'a word of the clock' => "UPDATE news SET title = 'x' WHERE id = 4 AND CURRENT_DATE > '2000-01-01'",
            'a variable' => "UPDATE news SET title = 'x' WHERE id = @a OR id = 4",
            'a subquery' => 'DELETE FROM news WHERE id IN (SELECT 4)',
            'DELETE with LIMIT' => 'DELETE FROM news ORDER BY id LIMIT 1',
            'INSERT ... SELECT' => "INSERT INTO news (title) SELECT 'x'",
            'INSERT of several rows with numbers' => "INSERT INTO news (title) VALUES ('x'), ('y')",
            'INSERT without columns' => "INSERT INTO news VALUES (8, 'a', 'b', 'c', 1)",
            'a key that is calculated' => 'INSERT INTO news (id) VALUES (4 + 4)',
            'INSERT ... SET' => "INSERT INTO news SET title = 'x'",
            'INSERT IGNORE beside another word' => "INSERT LOW_PRIORITY IGNORE INTO news (title) VALUES ('x')",
            'REPLACE' => "REPLACE INTO news (id, title) VALUES (4, 'x')",
            'ON DUPLICATE KEY UPDATE' => "INSERT INTO news (id) VALUES (4) ON DUPLICATE KEY UPDATE views = 3",
            'ANSI quotes are strings' => 'UPDATE news SET title = "x" WHERE id = 4 AND "a" = "a" LIMIT 1',
        ] as $what => $sql) {
            yield $what => [[$sql], ['news!']];
        }
        $one = ['comment', 'comment:1', 'comment?news_id=4'];
        $nine = ['comment', 'comment:9', 'comment?news_id=5'];
        $upsert = self::upsert();
        yield 'an upsert of its key' => [
            [\sprintf($upsert, 1, 5) . ', id = VALUES(id)'],
            [...$one, 'comment?news_id=5'],
        ];
        yield 'an upsert to the same value' => [[\sprintf($upsert, 1, 4)], []];
        yield 'an upsert of several rows' => [
            ['INSERT INTO comment (id, news_id) VALUES (1, 5), (9, 5) ON DUPLICATE KEY UPDATE news_id = 5'],
            [...$one, ...$nine],
        ];
        yield 'REPLACE of a row' => [['REPLACE comment (id, news_id) VALUES (1, 5)'], [...$one, 'comment?news_id=5']];
        yield 'REPLACE of several rows' => [
            ['REPLACE INTO comment (id, news_id) VALUES (1, 5), (9, 5)'],
            [...$one, ...$nine],
        ];
        yield 'REPLACE of a row with children' => [
            ["REPLACE INTO other (id, a) VALUES (1, 5)"],
            ['other', 'other:1', 'comment!'],
            ['INSERT INTO other VALUES (1, 1)', 'UPDATE comment SET news_id = 1', 'ALTER TABLE comment ADD'
                . ' FOREIGN KEY (news_id) REFERENCES other (id) ON DELETE CASCADE'],
        ];
        yield 'INSERT IGNORE of a row that is there' => [
            ['INSERT IGNORE INTO comment (id, news_id) VALUES (1, 5)'],
            [],
        ];
        yield 'INSERT IGNORE' => [['INSERT IGNORE INTO comment (id, news_id) VALUES (9, 5)'], $nine];
        yield 'INSERT IGNORE of two rows, one of which is there' => [
            ['INSERT IGNORE INTO comment (id, news_id) VALUES (1, 5), (9, 5)'],
            ['comment!'],
        ];
        $setting = [
            'CREATE TABLE setting (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(9) NOT NULL UNIQUE, value TEXT)',
            "INSERT INTO setting (name) VALUES ('home'), ('123456789')",
        ];
        $option = "INSERT INTO `setting` (`name`, `value`) VALUES ('%s', 'x') ON DUPLICATE KEY UPDATE"
            . ' `name` = VALUES(`name`), `value` = VALUES(`value`)';
        yield 'an upsert by another unique key' => [
            [\sprintf($option, 'Home')],
            ['setting', 'setting:1'],
            $setting,
        ];
        yield 'an upsert by another unique key that inserts' => [
            [\sprintf($option, 'new')],
            ['setting', 'setting:3'],
            $setting,
        ];
        yield 'REPLACE by another unique key' => [
            ["REPLACE INTO setting (name) VALUES ('home')"],
            ['setting', 'setting:1', 'setting:3'],
            $setting,
        ];
        yield 'REPLACE of two rows by one' => [
            ["REPLACE INTO setting (id, name) VALUES (2, 'home')"],
            ['setting', 'setting:1', 'setting:2'],
            $setting,
        ];
        foreach ([
            'an upsert with two keys' => "INSERT INTO setting (id, name) VALUES (1, 'x') ON DUPLICATE KEY"
                . ' UPDATE value = 1',
            'an upsert of another key' => "INSERT INTO setting (id, name) VALUES (1, 'x') ON DUPLICATE KEY"
                . ' UPDATE id = 9',
            'an upsert of a key that the database makes' => "INSERT INTO setting (name) VALUES ('home')"
                . ' ON DUPLICATE KEY UPDATE id = VALUES(id)',
            'REPLACE with a key that is calculated' => "REPLACE INTO setting (name) VALUES (CONCAT('ho', 'me'))",
            'REPLACE with a number for a text' => 'REPLACE INTO setting (name) VALUES (123456789)',
            'REPLACE with an escape' => "REPLACE INTO setting (name) VALUES ('ho\\me')",
            'REPLACE with more than ASCII' => "REPLACE INTO setting (name) VALUES ('hömé')",
            'REPLACE that leaves out a unique column' => "REPLACE INTO setting (id, value) VALUES (1, 'x')",
            'REPLACE ... RETURNING' => "REPLACE INTO setting (name) VALUES ('home') RETURNING id",
            'REPLACE of several rows by another unique key' => "REPLACE INTO setting (name) VALUES ('home'), ('x')",
        ] as $what => $sql) {
            $default = "ALTER TABLE setting MODIFY name VARCHAR(9) DEFAULT ''";
            yield $what => [[$sql], ['setting!'], [...$setting, $default]];
        }
        yield 'a row by another unique key that was inserted before' => [
            ["INSERT INTO setting (name) VALUES ('new')", \sprintf($option, 'new')],
            ['setting!'],
            $setting,
        ];
        yield 'a value that is cut to fit' => [
            ["SET sql_mode = ''", "REPLACE INTO setting (name) VALUES ('1234567890')"],
            ['setting!'],
            $setting,
        ];
        yield 'a unique key on a part of a column' => [
            ["REPLACE INTO setting (name) VALUES ('home')"],
            ['setting!'],
            [...$setting, 'CREATE UNIQUE INDEX part ON setting (name(3))'],
        ];
        yield 'a unique key of a type without names' => [
            ["REPLACE INTO setting (name, at) VALUES ('home', '2000-01-01')"],
            ['setting!'],
            [...$setting, 'ALTER TABLE setting ADD at TIMESTAMP NULL UNIQUE'],
        ];
        yield 'several tables of UPDATE' => [
            ["UPDATE news n JOIN comment c ON c.news_id = n.id SET n.title = 'x', c.text = 'y' WHERE n.id = 5"],
            ['news!', 'comment!'],
        ];
        yield 'several tables of DELETE' => [
            ['DELETE n FROM news n, comment c WHERE c.news_id = n.id'],
            ['news!', 'comment!'],
        ];
        yield 'several tables of DELETE ... USING' => [
            ['DELETE FROM n USING news n JOIN comment c WHERE c.news_id = n.id'],
            ['news!', 'comment!'],
        ];
        yield 'a view' => [
            ["UPDATE latest SET title = 'x' WHERE id = 4"],
            ['news!'],
            ['CREATE VIEW latest AS SELECT * FROM news'],
        ];
        yield 'a view that calls a function' => [
            ["UPDATE latest SET title = 'x' WHERE id = 4"],
            ['all'],
            [
                'CREATE FUNCTION mine() RETURNS INT RETURN 1',
                'CREATE VIEW latest AS SELECT * FROM news WHERE mine() = 1',
            ],
        ];
        yield 'a view of a table with a trigger' => [
            ["UPDATE latest SET title = 'x' WHERE id = 4"],
            ['news!', 'other!'],
            [
                'CREATE VIEW latest AS SELECT * FROM news',
                'CREATE TRIGGER a AFTER UPDATE ON news FOR EACH ROW INSERT INTO other (a) VALUES (1)',
            ],
        ];
        yield 'a table of the database by its qualified name' => [["UPDATE bench.news SET views = 1"], ['all']];
        yield 'ANALYZE writes' => [["ANALYZE UPDATE news SET title = 'x' WHERE id = 4"], ['all']];
        yield 'EXPLAIN does not' => [["EXPLAIN UPDATE news SET title = 'x' WHERE id = 4"], []];
        yield 'a comment that runs' => [["UPDATE news SET title = 'x' /*! , views = 4 */ WHERE id = 4"], ['gate all']];
        $function = 'CREATE FUNCTION writes() RETURNS INT BEGIN UPDATE news SET views = 9; RETURN 1; END';
        yield 'a function that writes' => [['SELECT writes()'], ['all'], [$function]];
        yield 'such a function in a value' => [['INSERT INTO other (a) VALUES (writes())'], ['all'], [$function]];
        yield 'DO' => [['DO writes()'], ['all'], [$function]];
        yield 'SET' => [['SET @a = writes()'], ['all'], [$function]];
        yield 'a function that does not write' => [
            ['SELECT mine()'],
            [],
            ['CREATE FUNCTION mine() RETURNS INT RETURN 1'],
        ];
        yield 'CALL' => [
            ['CALL change_all()'],
            ['gate all'],
            ['CREATE PROCEDURE change_all() UPDATE news SET views = 8'],
        ];
        yield 'a block' => [
            ["BEGIN NOT ATOMIC START TRANSACTION; UPDATE news SET views = 5; COMMIT; END"],
            ['gate all'],
        ];
        yield 'a prepared statement in SQL' => [["EXECUTE IMMEDIATE 'UPDATE news SET views = 5'"], ['gate all']];
        yield 'TRUNCATE' => [['TRUNCATE TABLE comment'], ['gate comment']];
        yield 'ALTER' => [['ALTER TABLE comment ADD more INT'], ['gate all']];
        yield 'CREATE' => [['CREATE TABLE scratch (a INT)'], ['gate all']];
        yield 'DDL that commits more' => [
            ["UPDATE news SET title = 'x' WHERE id = 4", 'TRUNCATE TABLE comment'],
            ['gate all'],
        ];
        yield 'START TRANSACTION commits' => [["UPDATE news SET title = 'x' WHERE id = 4", 'START TRANSACTION'], $four];
        yield 'COMMIT AND CHAIN' => [
            [
                "UPDATE news SET title = 'x' WHERE id = 4",
                'COMMIT AND CHAIN',
                "UPDATE news SET title = 'y' WHERE id = 5",
            ],
            [...$four, ...$five],
        ];
        yield 'completion_type' => [
            [
                'SET completion_type = 1',
                "UPDATE news SET title = 'x' WHERE id = 4",
                'COMMIT',
                'SET completion_type = 0',
                "UPDATE news SET title = 'y' WHERE id = 5",
            ],
            [...$four, ...$five],
        ];
        yield 'another database of the same tables' => [
            ["USE information_schema", "UPDATE bench.news SET title = 'x' WHERE id = 4"],
            ['all'],
        ];
        yield 'a temporary table' => [
            [
                'CREATE TEMPORARY TABLE scratch (a INT)',
                'INSERT INTO scratch VALUES (1)',
                'DROP TEMPORARY TABLE scratch',
            ],
            [],
        ];
        yield 'a temporary table that hides another' => [
            ['CREATE TEMPORARY TABLE comment (id INT, news_id INT)', 'INSERT INTO comment VALUES (1, 4)'],
            ['comment!'],
        ];
        yield 'a temporary table whose name has its database' => [
            ['CREATE TEMPORARY TABLE bench.comment (id INT, news_id INT)', 'INSERT INTO comment VALUES (1, 4)'],
            ['comment!'],
        ];
        $body = '(a INT) RETURNS INT MODIFIES SQL DATA BEGIN UPDATE news SET views = 8; RETURN 1; END';
        yield 'a function that writes into a temporary table' => [
            ['CREATE TEMPORARY TABLE scratch AS SELECT writes(1) AS a'],
            ['all'],
            ["CREATE FUNCTION writes$body"],
        ];
        yield 'a stored function of the name of one that is built in' => [
            ['UPDATE other SET a = 1 WHERE id = 1 AND trim (id) = 1'],
            ['all'],
            ["CREATE FUNCTION `trim`$body"],
        ];
        yield 'a statement with settings of its own, which commits' => [
            ["UPDATE news SET title = 'x' WHERE id = 4", 'SET STATEMENT lock_wait_timeout = 9 FOR TRUNCATE comment'],
            ['gate all'],
        ];
        yield 'one that reads' => [['SET STATEMENT max_statement_time = 9 FOR SELECT * FROM news'], []];
        yield 'HANDLER' => [['HANDLER news OPEN', 'HANDLER news CLOSE'], []];
        yield 'SELECT ... INTO' => [["SELECT id INTO @a FROM news WHERE id = 4"], []];
        yield 'a function behind SELECT ... INTO' => [['SELECT writes() INTO @a'], ['all'], [$function]];
        yield 'FOR PORTION OF' => [
            ["UPDATE other FOR PORTION OF p FROM '2020-01-01' TO '2020-02-01' SET a = 1 WHERE id = 4"],
            ['other!'],
            [
                'ALTER TABLE other ADD b DATE NOT NULL, ADD e DATE NOT NULL, ADD PERIOD FOR p (b, e)',
                "INSERT INTO other VALUES (4, 0, '2020-01-01', '2020-02-01')",
            ],
        ];
        yield 'rows with versions' => [
            ['UPDATE other SET a = 1 WHERE id = 4'],
            ['all'],
            ['ALTER TABLE other ADD SYSTEM VERSIONING'],
        ];
        $long = str_repeat('é', 64);
        yield 'a name of 64 letters, each of which is two bytes' => [
            ["UPDATE $long SET $long = 1 WHERE id = 4"],
            [$long, "$long:4"],
            ["CREATE TABLE $long (id INT PRIMARY KEY, $long INT)", "INSERT INTO $long VALUES (4, 0)"],
        ];
        yield 'more rows than names' => [
            ["UPDATE other SET a = 1 WHERE id > 0"],
            ['other!'],
            ['INSERT INTO other (a) SELECT seq FROM seq_1_to_300'],
        ];
    }

    /** MariaDB counts the rows that come back, not those that were changed. */
    public function testAnUpsertThatReturnsRowsIsNotCounted(): void
    {
        $database = $this->database();
        $database->exec('BEGIN');
        $statement = $database->prepare(\sprintf(self::upsert(), 1, 5) . ' RETURNING id');
        $statement->execute();
        self::assertSame([['id' => 1]], $statement->fetchAll(PDO::FETCH_ASSOC));
        $database->exec('COMMIT');
        self::assertSame(['comment!'], $this->announced);
    }

    public function testAutocommitOff(): void
    {
        $database = $this->database();
        $database->exec('SET autocommit = 0');
        $database->exec("UPDATE news SET title = 'x' WHERE id = 4");
        self::assertTrue($database->inTransaction());
        self::assertSame([], $this->announced);
        $database->exec('COMMIT');
        self::assertSame(self::FOUR, self::sorted($this->announced));
        $this->announced = [];
        $database->exec("UPDATE news SET title = 'y' WHERE id = 5");
        $database->exec('SET autocommit = 1');
        self::assertSame(self::FIVE, self::sorted($this->announced));
        self::assertFalse($database->inTransaction());
        $this->announced = [];
        $database->setAttribute(PDO::ATTR_AUTOCOMMIT, 0);
        $database->exec("UPDATE news SET title = 'z' WHERE id = 5");
        self::assertSame([], $this->announced);
        $database->setAttribute(PDO::ATTR_AUTOCOMMIT, 1);
        self::assertSame(self::FIVE, self::sorted($this->announced));
    }

    public function testTheSessionSaysHowATextIsRead(): void
    {
        $database = $this->database();
        $database->exec("UPDATE news SET title = 'x\\' WHERE id = 5 -- ' WHERE id = 4");
        self::assertSame(self::FOUR, self::sorted($this->announced), 'A backslash escapes.');
        $this->announced = [];
        $database->exec("SET SESSION sql_mode = CONCAT(@@sql_mode, ',ANSI_QUOTES,NO_BACKSLASH_ESCAPES')");
        $database->exec("UPDATE \"news\" SET title = 'x\\' WHERE id = 5 -- ' WHERE id = 4");
        self::assertSame(self::FIVE, self::sorted($this->announced));
        $this->announced = [];
        $database->exec("SET NAMES gbk");
        $database->exec('UPDATE news SET views = 3 WHERE id = 5');
        self::assertNotSame(self::FIVE, self::sorted($this->announced), 'Its texts are read otherwise here.');
    }

    public function testSetTransactionIsForTheNextOne(): void
    {
        $database = $this->database();
        $database->exec('SET TRANSACTION ISOLATION LEVEL SERIALIZABLE');
        $database->beginTransaction();
        $database->query('SELECT views FROM news WHERE id = 4')->fetchAll();
        $found = $this->plain()->query("SELECT COUNT(*) AS n FROM information_schema.INNODB_TRX WHERE"
            . " trx_isolation_level = 'SERIALIZABLE'");
        self::assertSame([['n' => 1]], $found === false ? [] : $found->fetchAll(PDO::FETCH_ASSOC));
        $database->rollBack();
    }

    public function testWhatAnotherTransactionHoldsIsNoPartOfTheImage(): void
    {
        $other = $this->plain();
        $other->exec('BEGIN');
        $other->exec("UPDATE news SET category = 'x' WHERE id = 5");
        $database = $this->database();
        $database->exec('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
        $database->exec('SET SESSION innodb_lock_wait_timeout = 1');
        // With it, which 11.8 begins with, the statement itself waits here, on a plain connection too.
        $database->exec('SET SESSION innodb_snapshot_isolation = OFF');
        $database->exec('BEGIN');
        // It is skipped, so nobody waits for a row that the statement would not wait for.
        self::assertSame(1, $database->exec("UPDATE news SET title = 'x' WHERE category = 'net'"));
        try {
            $database->exec("UPDATE news SET title = 'y' WHERE id = 5");
            self::fail('It waited.');
        } catch (PDOException $exception) {
            self::assertSame(1205, $exception->errorInfo[1] ?? null);
        }
        self::assertTrue($database->inTransaction());
        $database->exec('COMMIT');
        self::assertSame(self::FOUR, self::sorted($this->announced));
    }

    public function testADeadlockEndsTheTransaction(): void
    {
        $other = $this->plain();
        $other->exec('BEGIN');
        $other->exec('UPDATE news SET views = views + 1 WHERE id = 5');
        $other->exec('UPDATE comment SET text = 1 WHERE id > 0');
        $database = $this->database();
        $database->beginTransaction();
        $database->exec("UPDATE news SET title = 'x' WHERE id = 4");
        $other->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_SILENT);
        $pid = Fork::start(static function () use ($other): void {
            // Only the statement that closes the circle is sent here, on a connection that the parent uses no more.
            $other->exec('UPDATE news SET views = 9 WHERE id = 4');
            $other->exec('COMMIT');
        });
        $waits = $this->plain();
        for ($i = 0; $i < 500; ++$i) {
            $found = $waits->query("SELECT COUNT(*) AS n FROM information_schema.PROCESSLIST WHERE INFO LIKE"
                . " 'UPDATE news SET views = 9%'");
            if ($found !== false && $found->fetchColumn() > 0) {
                break;
            }
            usleep(2_000);
        }
        try {
            $database->exec("UPDATE news SET title = 'y' WHERE id = 5");
            self::fail('Nobody else was in the way.');
        } catch (PDOException $exception) {
            self::assertSame(1213, $exception->errorInfo[1] ?? null);
        } finally {
            pcntl_waitpid($pid, $status);
        }
        self::assertFalse($database->inTransaction());
        self::assertTrue($database->rollBack(), 'As PDO itself, which has not heard of it.');
        self::assertSame([], $this->announced);
    }

    public function testAfterAStatementThatCommitsAndFailsTheTransactionEndsAsOnAPlainConnection(): void
    {
        $outcomes = [];
        foreach ([$this->plain(), $this->database()] as $database) {
            $database->beginTransaction();
            $database->exec("UPDATE news SET title = CONCAT(title, 'x') WHERE id = 4");
            try {
                $database->exec('CREATE TABLE news (id INT)');
                self::fail('It is there.');
            } catch (PDOException $exception) {
                $outcomes[] = [$exception->errorInfo[1] ?? null, $database->commit(), $database->inTransaction()];
            }
        }
        self::assertSame($outcomes[0], $outcomes[1]);
        self::assertSame(['gate all'], $this->announced);
    }

    public function testFoundRowsAreThoseOfTheApplicationsStatement(): void
    {
        foreach ([$this->plain(), $this->database()] as $database) {
            foreach (['', ' FOR UPDATE'] as $end) {
                $found = $database->query('SELECT SQL_CALC_FOUND_ROWS id FROM news LIMIT 1' . $end);
                self::assertCount(1, $found === false ? [] : $found->fetchAll());
                $count = $database->query('SELECT FOUND_ROWS()');
                self::assertSame(3, $count === false ? null : $count->fetchColumn(), $end);
            }
        }
    }

    public function testRefusals(): void
    {
        $database = $this->database();
        foreach (["XA START 'a'", 'LOCK TABLES news WRITE'] as $sql) {
            try {
                $database->exec($sql);
                self::fail($sql);
            } catch (NoTransaction $exception) {
                self::assertStringContainsString(explode(' ', $sql)[0], $exception->getMessage());
            }
        }
    }

    public function testTheLastIdIsThatOfTheApplication(): void
    {
        $database = $this->database();
        $plain = $this->plain();
        $plain->exec('ALTER TABLE comment AUTO_INCREMENT = 50');
        foreach ([
            'INSERT INTO comment (news_id) VALUES (4)',
            'BEGIN',
            'INSERT INTO comment (news_id) VALUES (4)',
            'UPDATE comment SET news_id = 5 WHERE id = 1',
            'INSERT INTO comment (news_id) VALUES (4), (4)',
            'COMMIT',
        ] as $sql) {
            $plain->exec($sql);
            $bare = $plain->lastInsertId();
            $plain->exec('ROLLBACK');
            $database->exec($sql);
            if (str_starts_with($sql, 'INSERT')) {
                self::assertGreaterThan(49, (int) $database->lastInsertId(), $sql);
            } else {
                self::assertSame($bare, $database->lastInsertId(), $sql);
            }
        }
    }

    public function testTripsOfAnUpdateByKey(): void
    {
        $database = $this->database();
        $update = $database->prepare('UPDATE news SET title = ? WHERE id = ?');
        $update->execute(['warm', 4]);
        $asked = $this->plain();
        $count = static function () use ($asked): int {
            $found = $asked->query("SELECT VARIABLE_VALUE + 0 FROM information_schema.GLOBAL_STATUS WHERE"
                . " VARIABLE_NAME = 'QUESTIONS'");
            $value = $found === false ? 0 : $found->fetchColumn();

            return is_numeric($value) ? (int) $value : 0;
        };
        $this->announced = [];
        $before = $count();
        $update->execute(['x', 4]);
        // BEGIN, image, the statement itself, image, COMMIT; one is the count's own.
        self::assertSame(5, $count() - $before - 1);
        self::assertSame(self::FOUR, self::sorted($this->announced));
    }

    public function testRowsThatAreNotBufferedNeedATransaction(): void
    {
        $database = $this->database([PDO::MYSQL_ATTR_USE_BUFFERED_QUERY => false]);
        $this->expectException(NoTransaction::class);
        $database->query('DELETE FROM news WHERE id = 4 RETURNING id');
    }

    public function testRowsAreReturnedOutsideATransaction(): void
    {
        $statement = $this->database()->query("DELETE FROM news WHERE id = 4 RETURNING id, title");
        self::assertSame([['id' => 4, 'title' => 'four']], $statement->fetchAll(PDO::FETCH_ASSOC));
        self::assertSame(self::FOUR, self::sorted($this->announced));
    }
}
