<?php

declare(strict_types=1);

namespace Larder\Tests\Console;

use Larder\Cache;
use Larder\Console\Doctor\Check;
use Larder\Console\Doctor\RightsChecks;
use Larder\Exception\LarderException;
use Larder\Page\FilePageStore;
use Larder\Page\PagePath;
use Larder\Page\Response;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Ledger\LedgerVersions;
use Larder\Sql\Ledger\Publication;
use Larder\Sql\Ledger\Registration;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Schema\MariaDbDialect;
use Larder\Sql\Schema\PostgreSqlDialect;
use Larder\Sql\Tracker\MysqliAnswers;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\RecordingMysqli;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Store\ArrayStore;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\TemporaryDirectory;
use LogicException;
use mysqli;
use mysqli_result;
use mysqli_sql_exception;
use PDO;
use PDOException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Psr\Log\NullLogger;

/**
 * An account that has all rights of the docs but one: each statement answers as it does without Larder, or is refused
 * by an exception of Larder's. What was made of its rows is never older than they are. The doctor says what is missing.
 */
#[CoversClass(RightsChecks::class)]
#[CoversClass(MysqliAnswers::class)]
#[CoversClass(MariaDbDialect::class)]
#[CoversClass(PostgreSqlDialect::class)]
#[CoversClass(LedgerUnavailable::class)]
#[RequiresPhpExtension('mysqli')]
#[RequiresPhpExtension('pdo_mysql')]
#[RequiresPhpExtension('pdo_pgsql')]
final class RightsTest extends TestCase
{
    private const MARIADB = [
        'SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRIGGER', 'CREATE TEMPORARY TABLES', 'SHOW VIEW',
    ];

    private const POSTGRESQL = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'USAGE of the sequence', 'USAGE of the schema'];

    /** Those without which all is as before. */
    private const ASKED_BY_NOBODY = ['SHOW VIEW'];

    private const STATEMENTS = [
        "INSERT INTO item (title) VALUES ('a'), ('b')",
        "INSERT INTO item (title) VALUES ('c')",
        "UPDATE item SET title = 'd' WHERE id = 1",
        "UPDATE item SET title = 'e' WHERE title = 'b'",
        'SELECT id, title FROM item ORDER BY id',
        'SELECT title FROM titles ORDER BY title',
        'DELETE FROM item WHERE id = 1',
        'BEGIN',
        "INSERT INTO item (title) VALUES ('f')",
        'DELETE FROM item WHERE id = 2',
        'COMMIT',
        "INSERT INTO logged (id) VALUES (7)",
        'SELECT id FROM logged ORDER BY id',
    ];

    private static TemporaryDirectory $room;

    /** @var array<string, Database> by kind */
    private static array $databases = [];

    public static function setUpBeforeClass(): void
    {
        self::$room = new TemporaryDirectory();
    }

    public static function tearDownAfterClass(): void
    {
        array_map(static fn(Database $database) => $database->stop(), self::$databases);
        self::$databases = [];
        self::$room->remove();
    }

    protected function setUp(): void
    {
        mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
    }

    /** @return iterable<string, array{DatabaseKind, string, string|null}> the database, the API, the right */
    public static function rights(): iterable
    {
        foreach ([null, ...self::MARIADB] as $right) {
            foreach (['mysqli', 'pdo'] as $api) {
                yield "mariadb, $api, " . ($right ?? 'none') => [DatabaseKind::MariaDb, $api, $right];
            }
        }
        foreach ([null, ...self::POSTGRESQL] as $right) {
            yield 'postgresql, ' . ($right ?? 'none') => [DatabaseKind::PostgreSql, 'pdo', $right];
        }
    }

    #[DataProvider('rights')]
    public function testWithoutItNoAnswerIsAnotherOne(DatabaseKind $kind, string $api, ?string $missing): void
    {
        $owner = $this->made($kind, 'tracked');
        $this->made($kind, 'untracked');
        SqlLedger::forValues($owner)->deploy();
        $this->grant($kind, $missing);
        $plain = $this->connect($kind, $api, 'untracked');
        $tracked = $this->connect($kind, $api, 'tracked', true);
        self::assertTrue($tracked instanceof RecordingMysqli || $tracked instanceof RecordingPdo);
        SqlLedger::forValues($tracked);
        $store = new ArrayStore();
        $values = new Cache($store, new LedgerVersions(SqlLedger::forValues($owner)));
        $queries = ['SELECT id, title FROM item ORDER BY id', 'SELECT title FROM titles ORDER BY title',
            'SELECT id FROM logged ORDER BY id'];
        $faults = [];
        $hasDiffered = false;
        foreach (self::STATEMENTS as $statement) {
            foreach ($queries as $query) {
                $values->remember($query, static fn(): array => $owner->select($query), ttl: 600);
            }
            $answer = self::answer($tracked, $statement);
            $expected = $hasDiffered ? $answer : self::answer($plain, $statement);
            $isRefused = \is_string($answer) && str_starts_with($answer, 'refused: ');
            // From then on the two have other rows.
            $hasDiffered = $hasDiffered || $isRefused;
            if ($answer !== $expected && !$isRefused) {
                $faults[] = $statement . ': ' . json_encode([$answer, $expected]);
            }
            if ($isRefused) {
                self::assertMatchesRegularExpression('/GRANT|larder deploy/', $answer);
            }
            if ($isRefused && $missing === 'CREATE TEMPORARY TABLES') {
                $grant = "GRANT CREATE TEMPORARY TABLES ON `tracked`.* TO 'poor'@'%'";
                self::assertStringContainsString($grant, $answer);
            }
            foreach ($queries as $query) {
                $value = $values->remember($query, static fn(): array => $owner->select($query), ttl: 600);
                if ($value !== $owner->own()->rows($query)) {
                    $faults[] = "$statement: $query is older than its rows";
                }
            }
        }

        self::assertSame([], $faults);
        if ($missing === 'CREATE TEMPORARY TABLES' && $api === 'mysqli') {
            self::assertTrue($hasDiffered, 'the first write must be refused');
        }
    }

    #[DataProvider('rights')]
    public function testTheDoctorAsksForIt(DatabaseKind $kind, string $api, ?string $missing): void
    {
        SqlLedger::forValues($this->made($kind, 'tracked'))->deploy();
        $this->made($kind, 'untracked');
        $this->grant($kind, $missing);
        $connection = $this->connect($kind, $api, 'tracked', true);
        self::assertTrue($connection instanceof RecordingMysqli || $connection instanceof RecordingPdo);
        $checks = (new RightsChecks($connection))->checks();
        $found = array_filter($checks, static fn(Check $check): bool => $check->state !== 'ok');
        $isNeedless = $missing === null || \in_array($missing, self::ASKED_BY_NOBODY, true)
            || ($missing === 'CREATE TEMPORARY TABLES' && $api === 'pdo');

        self::assertSame($isNeedless, $found === [], implode('; ', array_column($found, 'name')));
        foreach ($found as $check) {
            self::assertMatchesRegularExpression('/GRANT/i', (string) $check->remedy);
        }
    }

    /** @return iterable<string, array{DatabaseKind, string}> the database, the API */
    public static function apis(): iterable
    {
        yield 'mariadb, mysqli' => [DatabaseKind::MariaDb, 'mysqli'];
        yield 'mariadb, pdo' => [DatabaseKind::MariaDb, 'pdo'];
        yield 'postgresql' => [DatabaseKind::PostgreSql, 'pdo'];
    }

    /**
     * Each right on each of Larder's tables is missing in turn. A write or a page is refused with the GRANT to type,
     * and the doctor has said so; or it is as it should be. No page and no value is older than its row.
     */
    #[DataProvider('apis')]
    public function testEachRightOnEachTableIsAskedForAndRefusedWithItsGrant(DatabaseKind $kind, string $api): void
    {
        $owner = $this->made($kind, 'tracked');
        $this->made($kind, 'untracked');
        $owner->exec("INSERT INTO item (title) VALUES ('old')");
        $pages = new FilePageStore(self::$room->path . "/$kind->value-$api", 'r1');
        $ledger = (new SqlLedger($owner, $pages, 'r1'))->follow();
        $ledger->deploy();
        $values = new Cache(new ArrayStore(), new LedgerVersions($ledger), log: new NullLogger());
        $value = static fn(): string => $values->remember('k', static fn(): string => self::title($owner));
        $tables = array_values(array_filter(
            array_map(strval(...), array_column($owner->own()->rows($owner->dialect()->catalog()->tables()), 'name')),
            static fn(string $name): bool => str_starts_with($name, 'larder_'),
        ));
        $file = self::$room->path . "/$kind->value-$api/current/item/1~page";
        $faults = [];
        $refused = $named = 0;
        foreach ($tables as $table) {
            foreach (['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as $right) {
                $this->grantBut($kind, $tables, $table, $right);
                $connection = $this->connect($kind, $api, 'tracked', true);
                self::assertTrue($connection instanceof RecordingMysqli || $connection instanceof RecordingPdo);
                $poor = (new SqlLedger($connection, $pages, 'r1'))->follow();
                $grant = '/GRANT SELECT, INSERT, UPDATE, DELETE ON (?:`tracked`\.)?`?' . $table . '`? TO '
                    . ($kind === DatabaseKind::MariaDb ? "'poor'@'%'" : 'poor') . '/';
                $found = array_filter(
                    (new RightsChecks($connection))->checks(),
                    static fn(Check $check): bool => preg_match($grant, (string) $check->remedy) === 1,
                );
                $named += \count($found);
                foreach ([...self::writes($kind), 'a page' => null] as $what => $sql) {
                    // Where rights are of single tables, a write before counts as one of everything.
                    $first = self::store($ledger, $pages, $owner);
                    $second = $first === Publication::Stored ? $first : self::store($ledger, $pages, $owner);
                    self::assertSame(Publication::Stored, $second);
                    self::assertSame([self::title($owner), true], [$value(), is_file($file)]);
                    $title = bin2hex(random_bytes(4));
                    try {
                        $sql === null
                            ? self::store($poor, $pages, $connection)
                            : self::written($connection, \sprintf($sql, $title));
                        $outcome = 'done';
                    } catch (LedgerUnavailable $exception) {
                        ++$refused;
                        $isRight = $found !== [] && preg_match($grant, $exception->getMessage()) === 1;
                        $outcome = $isRight ? 'refused' : $exception->getMessage();
                    } catch (PDOException|mysqli_sql_exception $exception) {
                        $outcome = $exception->getMessage();
                    }
                    $row = self::title($owner);
                    $made = [$value(), is_file($file) ? file_get_contents($file) : $row];
                    $isAsSaid = $sql === null || ($outcome === 'done') === ($row === $title);
                    if ($made !== [$row, $row] || !$isAsSaid || !\in_array($outcome, ['done', 'refused'], true)) {
                        $faults[] = "$table without $right, $what: $outcome; $row, " . implode(', ', $made);
                    }
                }
                if ($found === [] && $right !== 'UPDATE') {
                    $faults[] = "$table without $right: the doctor does not say it";
                }
            }
        }
        self::assertSame([], $faults);
        self::assertGreaterThan(20, $refused);
        self::assertGreaterThan(30, $named);
    }

    /** @return array<string, string> statements that give the first row a title */
    private static function writes(DatabaseKind $kind): array
    {
        $writes = [
            'a row' => "UPDATE item SET title = '%s' WHERE id = 1",
            'many rows' => "UPDATE item SET title = '%s' WHERE title <> ''",
        ];

        return $kind === DatabaseKind::MariaDb ? $writes + ['a procedure' => "CALL name_it('%s')"] : $writes;
    }

    private static function written(RecordingMysqli|RecordingPdo $connection, string $sql): void
    {
        $connection instanceof RecordingMysqli ? $connection->query($sql) : $connection->exec($sql);
    }

    private static function title(RecordingMysqli|RecordingPdo $connection): string
    {
        $title = $connection->select('SELECT title FROM item WHERE id = 1')[0]['title'];

        return \is_string($title) ? $title : throw new LogicException('It has a title.');
    }

    private static function store(
        SqlLedger $ledger,
        FilePageStore $pages,
        RecordingMysqli|RecordingPdo $connection,
    ): Publication {
        $reads = new RecordedReads($connection->registry());
        $title = $ledger->snapshot($reads, static fn(): string => self::title($connection));
        $page = PagePath::of('/item/1') ?? throw new LogicException('It is canonical.');
        $draft = $pages->draft($page, new Response(200, [], $title));

        return $ledger->publish(
            new Registration($page->key, $draft->name, 'route', 16384, $reads, null, 1 << 30, 1 << 30),
            static fn(int $generation) => $pages->stamp($draft, $generation),
            static fn(int $generation): bool => $pages->publish($draft, $generation),
        );
    }

    /**
     * All rights but one.
     *
     * @param list<string> $tables
     */
    private function grantBut(DatabaseKind $kind, array $tables, string $table, string $right): void
    {
        $database = self::$databases[$kind->value];
        $root = new PDO($this->dsn($kind, 'tracked'), $database->user, $database->password);
        if ($kind === DatabaseKind::PostgreSql) {
            $this->grant($kind, null);
            $root->exec("REVOKE $right ON $table FROM poor");

            return;
        }
        $root->exec("CREATE OR REPLACE USER poor@'%' IDENTIFIED BY 'poor'");
        $root->exec("GRANT TRIGGER, CREATE TEMPORARY TABLES, SHOW VIEW, EXECUTE ON tracked.* TO poor@'%'");
        // A right on the whole database cannot be taken back of one table.
        foreach ([...$tables, 'item', 'logged', 'part'] as $one) {
            $rights = array_diff(['SELECT', 'INSERT', 'UPDATE', 'DELETE'], $one === $table ? [$right] : []);
            $root->exec('GRANT ' . implode(', ', $rights) . " ON tracked.$one TO poor@'%'");
        }
    }

    /** An empty database of this name with the tables, by the account that owns it. */
    private function made(DatabaseKind $kind, string $name): RecordingPdo
    {
        $database = self::$databases[$kind->value]
            ??= Database::start($kind, self::$room->path . '/' . $kind->value);
        $root = $database->connect();
        $isMariaDb = $kind === DatabaseKind::MariaDb;
        foreach ($isMariaDb ? ["DROP DATABASE IF EXISTS $name", "CREATE DATABASE $name"] : [
            "DROP DATABASE IF EXISTS $name WITH (FORCE)", "CREATE DATABASE $name",
        ] as $statement) {
            $root->exec($statement);
        }
        $owner = new RecordingPdo(
            $this->dsn($kind, $name),
            logger: new NullLogger(),
            user: $database->user,
            password: $database->password,
        );
        $key = $isMariaDb ? 'INT AUTO_INCREMENT PRIMARY KEY' : 'INT GENERATED ALWAYS AS IDENTITY PRIMARY KEY';
        $owner->exec("CREATE TABLE item (id $key, title VARCHAR(20))");
        $owner->exec('CREATE TABLE logged (id INT PRIMARY KEY)');
        $owner->exec('CREATE VIEW titles AS SELECT title FROM item');
        $owner->exec('CREATE TABLE part (id INT PRIMARY KEY, item INT,'
            . ' FOREIGN KEY (item) REFERENCES item (id) ON DELETE CASCADE)');
        if ($isMariaDb) {
            $owner->exec('CREATE PROCEDURE name_it(IN name VARCHAR(20)) MODIFIES SQL DATA'
                . ' UPDATE item SET title = name WHERE id = 1');
            $owner->exec('CREATE TRIGGER log AFTER DELETE ON item FOR EACH ROW INSERT INTO logged VALUES (OLD.id)');
        }

        return $owner;
    }

    private function grant(DatabaseKind $kind, ?string $missing): void
    {
        $database = self::$databases[$kind->value];
        if ($kind === DatabaseKind::MariaDb) {
            $root = $database->connect();
            $root->exec("CREATE OR REPLACE USER poor@'%' IDENTIFIED BY 'poor'");
            $rights = implode(', ', array_diff(self::MARIADB, [$missing]));
            foreach (['tracked', 'untracked'] as $name) {
                $root->exec("GRANT $rights ON $name.* TO poor@'%'");
            }

            return;
        }
        foreach (['tracked', 'untracked'] as $name) {
            $root = new PDO($this->dsn($kind, $name), $database->user, $database->password);
            $root->exec("DO $$ BEGIN CREATE ROLE poor LOGIN PASSWORD 'poor'; EXCEPTION WHEN OTHERS THEN END $$");
            $tables = implode(', ', array_diff(['SELECT', 'INSERT', 'UPDATE', 'DELETE'], [$missing]));
            $root->exec("GRANT $tables ON ALL TABLES IN SCHEMA public TO poor");
            if ($missing === 'USAGE of the schema') {
                $root->exec('REVOKE ALL ON SCHEMA public FROM PUBLIC');
            }
            if ($missing !== 'USAGE of the sequence' && $name === 'tracked') {
                $root->exec('GRANT USAGE ON larder_page_id_seq TO poor');
            }
        }
    }

    private function connect(DatabaseKind $kind, string $api, string $name, bool $isTracked = false): mysqli|PDO
    {
        if ($api === 'mysqli') {
            $socket = self::$databases[$kind->value]->part('unix_socket');

            return $isTracked
                ? new RecordingMysqli(null, 'poor', 'poor', $name, null, $socket, logger: new NullLogger())
                : new mysqli(null, 'poor', 'poor', $name, null, $socket);
        }
        $dsn = $this->dsn($kind, $name);

        return $isTracked
            ? new RecordingPdo($dsn, logger: new NullLogger(), user: 'poor', password: 'poor')
            : new PDO($dsn, 'poor', 'poor', [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
    }

    private function dsn(DatabaseKind $kind, string $name): string
    {
        $database = self::$databases[$kind->value];

        return str_replace('dbname=' . $database->part('dbname'), "dbname=$name", $database->dsn);
    }

    /** What PHP says of a statement; a text: why it was refused. */
    private static function answer(mysqli|PDO $connection, string $statement): mixed
    {
        try {
            if ($connection instanceof mysqli) {
                $result = $connection->query($statement);

                return [
                    $result instanceof mysqli_result ? $result->fetch_all() : $result,
                    $result instanceof mysqli_result ? null : [$connection->affected_rows, $connection->insert_id],
                ];
            }
            if (str_starts_with($statement, 'SELECT')) {
                $result = $connection->query($statement);

                return $result === false ? false : $result->fetchAll(PDO::FETCH_NUM);
            }

            return $connection->exec($statement);
        } catch (LarderException $exception) {
            return 'refused: ' . $exception->getMessage();
        } catch (PDOException|mysqli_sql_exception $exception) {
            return 'failed: ' . str_replace(['`tracked`', '`untracked`'], '', $exception->getMessage());
        }
    }
}
