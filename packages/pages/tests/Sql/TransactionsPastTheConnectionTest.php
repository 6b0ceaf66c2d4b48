<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Closure;
use Doctrine\DBAL\Configuration;
use Doctrine\DBAL\Connection;
use Doctrine\DBAL\DriverManager;
use Doctrine\DBAL\Exception as DriverException;
use Larder\Cache;
use Larder\Dependency\Change;
use Larder\Dependency\Gates;
use Larder\Exception\LarderException;
use Larder\Exception\NoTransaction;
use Larder\Page\FilePageStore;
use Larder\Page\PagePath;
use Larder\Page\Response;
use Larder\Sql\Doctrine\RecordingMiddleware;
use Larder\Sql\Exception\InvalidConnection;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Ledger\LedgerVersions;
use Larder\Sql\Ledger\Publication;
use Larder\Sql\Ledger\Registration;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Schema\MariaDbDialect;
use Larder\Sql\Tracker\LockingRunner;
use Larder\Sql\Tracker\MysqliSession;
use Larder\Sql\Tracker\MysqliStatements;
use Larder\Sql\Tracker\OneWriterRunner;
use Larder\Sql\Tracker\PdoStatements;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\RecordingMysqli;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\Transaction;
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
use PDOStatement;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Psr\Log\NullLogger;
use ReflectionMethod;
use RuntimeException;
use Throwable;

/**
 * Transactions that PHP's functions, or PDO's own methods, begin or end past a tracked connection. A row is what it is
 * without Larder, or the statement is refused by an exception that names the function. And no value and no page is
 * older than what was committed.
 *
 * @phpstan-type Way Closure(mysqli|PDO|Connection): void
 */
#[CoversClass(LockingRunner::class)]
#[CoversClass(OneWriterRunner::class)]
#[CoversClass(Transaction::class)]
#[CoversClass(MysqliSession::class)]
#[CoversClass(MysqliStatements::class)]
#[CoversClass(PdoStatements::class)]
#[CoversClass(MariaDbDialect::class)]
#[RequiresPhpExtension('mysqli')]
#[RequiresPhpExtension('pdo_mysql')]
#[RequiresPhpExtension('pdo_pgsql')]
final class TransactionsPastTheConnectionTest extends TestCase
{
    private const UPDATE = "UPDATE news SET title = '%s' WHERE id = %d";

    private const READ = 'SELECT title FROM news WHERE id = ';

    private static TemporaryDirectory $room;

    /** @var array<string, Database> by kind, those that run */
    private static array $databases = [];

    private static int $id = 0;

    private Database $database;

    private PDO $plain;

    private RecordingPdo $reader;

    private SqlLedger $ledger;

    private FilePageStore $pages;

    private string $directory;

    private Cache $strict;

    private Cache $gated;

    private Gates $gates;

    private ArrayStore $store;

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

    /** @return iterable<string, array{DatabaseKind, string}> the database, and by what the application reaches it */
    public static function connections(): iterable
    {
        yield 'mysqli, mariadb' => [DatabaseKind::MariaDb, 'mysqli'];
        foreach (DatabaseKind::cases() as $kind) {
            yield "pdo, $kind->value" => [$kind, 'pdo'];
            yield "dbal, $kind->value" => [$kind, 'dbal'];
        }
    }

    /** @return iterable<string, array{DatabaseKind, string}> without DBAL, which is one of them */
    public static function handles(): iterable
    {
        return array_filter(
            iterator_to_array(self::connections()),
            static fn(array $connection): bool => $connection[1] !== 'dbal',
        );
    }

    /** Begun and ended by methods and by functions, as the first statement and after a SELECT, committed or not. */
    #[DataProvider('connections')]
    public function testRowsAndWhatIsMadeOfThemAreAsTheDatabaseSays(DatabaseKind $kind, string $api): void
    {
        $this->deploy($kind);
        $faults = [];
        $tried = $refused = 0;
        foreach (self::begins($api, $kind) as $begin => $begins) {
            foreach (self::ends($api) as $end => $ends) {
                foreach ([false, true] as $isAfterSelect) {
                    foreach ([false, true] as $goesOn) {
                        $case = ($isAfterSelect ? 'SELECT, ' : '') . "$begin, UPDATE, $end, "
                            . ($goesOn ? 'UPDATE' : 'gone');
                        [$isRefused, $fault] = $this->try($api, $begins, $ends, $isAfterSelect, $goesOn);
                        $refused += (int) $isRefused;
                        ++$tried;
                        if ($fault !== null) {
                            $faults[] = "$case: $fault";
                        }
                    }
                }
            }
        }

        self::assertSame([], $faults);
        self::assertGreaterThan(0, $refused, 'none was begun past the connection');
        self::assertGreaterThan($refused, $tried);
    }

    /**
     * A gated value that was made before, of a row that change() writes while a transaction is begun and ended around
     * it, or inside it.
     */
    #[DataProvider('handles')]
    public function testAGatedValueOfBeforeIsAsTheDatabaseSays(DatabaseKind $kind, string $api): void
    {
        $this->deploy($kind);
        $faults = [];
        $tried = $new = 0;
        $all = ['nothing' => static function (): void {}] + self::begins($api, $kind);
        foreach (['around', 'inside', 'inside, behind the write', 'inside, and fails', 'told'] as $where) {
            // Where the application begins and commits, it names what it changes.
            $ways = $where === 'told' ? [[true, false]] : [[false, false], [false, true], [true, false]];
            foreach ($all as $begin => $begins) {
                foreach (self::ends($api) as $end => $ends) {
                    foreach ($ways as [$isNamed, $hasLedger]) {
                        [$row, $fault] = $this->tryGated($api, $where, $begins, $ends, $isNamed, $hasLedger);
                        ++$tried;
                        $new += (int) ($row === 'new');
                        if ($fault !== null) {
                            $faults[] = "$where, $begin, $end" . ($isNamed ? ', named' : '')
                                . ($hasLedger ? ', ledger' : '') . ": $fault";
                        }
                    }
                }
            }
        }

        self::assertSame([], $faults);
        self::assertGreaterThan(0, $new);
        self::assertGreaterThan($new, $tried);
    }

    /**
     * @param Way $begin
     * @param Way $end
     *
     * @return array{string, string|null} the row; what is wrong
     */
    private function tryGated(
        string $api,
        string $where,
        Closure $begin,
        Closure $end,
        bool $isNamed,
        bool $hasLedger,
    ): array {
        $id = $this->insert();
        // Gates of a transaction that is left open stay closed, as its COMMIT may still come.
        $store = new ArrayStore();
        $gated = new Cache($store, new Gates($store, ledger: $this->ledger));
        $value = fn(): string => $gated->remember('k', fn(): string => self::read($this->reader, $id), ttl: 600);
        $value();
        self::assertTrue($gated->has('k'));
        $connection = $this->tracked($api);
        $tracked = self::native($connection);
        $isOpen = false;
        $gates = new Gates(
            $store,
            $hasLedger ? null : $tracked,
            ledger: $hasLedger ? (new SqlLedger($tracked, $this->pages, 'r1'))->follow() : null,
            inTransaction: $where === 'told' ? static function () use (&$isOpen): bool {
                return $isOpen;
            } : null,
        );
        $write = static fn() => self::write($connection, \sprintf(self::UPDATE, 'new', $id));
        $fault = null;
        $said = 'nothing';
        $look = function (string $when) use ($id, $value, &$fault, &$said): void {
            [$kept, $row] = [$value(), $this->truth($id)];
            $fault ??= $kept === $row ? null : "$when it is $kept in place of $row ($said)";
        };
        try {
            if ($where === 'around') {
                $begin($connection);
            }
            $gates->change($isNamed ? ["news:$id"] : [], static function (Change $change) use (
                $where,
                $write,
                $begin,
                $end,
                $connection,
                &$isOpen,
            ): void {
                if ($where === 'around') {
                    $write();

                    return;
                }
                $where === 'inside, behind the write' ? $write() : $begin($connection);
                $isOpen = true;
                $where === 'inside, behind the write' ? $begin($connection) : $write();
                if ($where === 'told') {
                    $change->check();
                }
                $end($connection);
                $isOpen = false;
                if ($where === 'inside, and fails') {
                    throw new RuntimeException('It fails.');
                }
            });
            $look('after the change');
        } catch (LarderException|PDOException|DriverException|mysqli_sql_exception|RuntimeException $exception) {
            $said = $exception::class . " " . $exception->getMessage();
        }
        $isOpen = false;
        if ($where === 'around') {
            try {
                $end($connection);
            } catch (PDOException|DriverException|mysqli_sql_exception $exception) {
                $said .= ', ' . $exception::class;
            }
        }
        $look('after the end');
        try {
            self::read($connection, $id);
        } catch (Throwable $exception) {
            $said .= ', ' . $exception::class;
        }
        $look('after the next statement');
        unset($connection, $tracked, $gates, $write, $begin, $end);
        $look('when the connection is gone');

        return [$this->truth($id), $fault];
    }

    /** What is made in a transaction that a function has begun is not kept: it may be old, or never be committed. */
    #[DataProvider('connections')]
    public function testNothingIsKeptThatIsMadeInATransactionBegunPast(DatabaseKind $kind, string $api): void
    {
        $this->deploy($kind);
        $faults = [];
        foreach (self::begins($api, $kind) as $begin => $begins) {
            foreach (['uncommitted', 'old'] as $what) {
                foreach ([false, true] as $isAfterSelect) {
                    $id = $this->row();
                    $connection = $this->tracked($api);
                    $tracked = self::native($connection);
                    $ledger = (new SqlLedger($tracked, $this->pages, 'r1'))->follow();
                    $strict = new Cache($this->store, new LedgerVersions($ledger));
                    $gated = new Cache($this->store, new Gates($this->store, $tracked));
                    $make = fn(): string => self::read($connection, $id);
                    if ($isAfterSelect) {
                        self::read($connection, $id);
                    }
                    $begins($connection);
                    if ($what === 'uncommitted') {
                        self::pass($connection, \sprintf(self::UPDATE, 'never', $id));
                    } else {
                        self::pass($connection, self::READ . $id);
                        if ($kind !== DatabaseKind::Sqlite) {
                            $this->gates->change([], fn(): mixed => $this->reader->exec(
                                \sprintf(self::UPDATE, 'new', $id),
                            ));
                        }
                    }
                    $strict->remember("mine$id", $make, ttl: 600);
                    $gated->remember("gated$id", $make, ttl: 600, reads: ["news:$id"]);
                    try {
                        self::pass($connection, 'ROLLBACK');
                    } catch (PDOException|mysqli_sql_exception) {
                        // XA has other words for it. Its end is that of the connection.
                    }
                    unset($connection, $tracked, $ledger, $strict, $gated, $make);
                    $row = $this->truth($id);
                    $seen = [
                        $this->strict->remember("mine$id", fn(): string => self::read($this->reader, $id), ttl: 600),
                        $this->gated->remember("gated$id", fn(): string => self::read($this->reader, $id), ttl: 600),
                    ];
                    $expected = $what === 'old' && $kind !== DatabaseKind::Sqlite ? 'new' : 'old';
                    if ($row !== $expected) {
                        $faults[] = "$begin, $what: ROLLBACK left the row $row";
                    }
                    if ($seen !== [$row, $row]) {
                        $faults[] = ($isAfterSelect ? 'SELECT, ' : '') . "$begin, $what: " . implode(', ', $seen)
                            . " in place of $row";
                    }
                }
            }
        }

        self::assertSame([], $faults);
    }

    /** Else it would be the first read that decides. */
    #[DataProvider('connections')]
    public function testAReadInsideDoesNotLetAWriteJoin(DatabaseKind $kind, string $api): void
    {
        $this->deploy($kind);
        $id = $this->row();
        $connection = $this->tracked($api);
        self::pass($connection, $kind === DatabaseKind::Sqlite ? 'BEGIN' : 'START TRANSACTION');
        self::read($connection, $id);
        $this->expectException(NoTransaction::class);
        self::write($connection, \sprintf(self::UPDATE, 'never', $id));
    }

    /** So that what cannot be made known is not committed before that is found out. */
    public function testAWriteBehindAnEndHasATransactionOfItsOwn(): void
    {
        $this->deploy(DatabaseKind::MariaDb);
        $id = $this->row();
        $connection = $this->tracked('mysqli');
        self::assertInstanceOf(RecordingMysqli::class, $connection);
        $connection->begin_transaction();
        $connection->query(\sprintf(self::UPDATE, 'new', $id));
        mysqli_commit($connection);
        $this->plain->exec('RENAME TABLE larder_raise TO away');
        try {
            $connection->query(\sprintf(self::UPDATE, 'never', $id));
            self::fail('It cannot be made known.');
        } catch (LedgerUnavailable) {
            self::assertSame('new', $this->truth($id));
        } finally {
            $this->plain->exec('RENAME TABLE away TO larder_raise');
        }
    }

    /** @return iterable<string, array{Closure(mysqli): mixed}> */
    public static function changesOfTheDatabase(): iterable
    {
        yield 'mysqli_select_db' => [static fn(mysqli $db): bool => mysqli_select_db($db, 'mysql')];
        yield 'USE' => [static fn(mysqli $db): mixed => mysqli_query($db, 'USE mysql')];
    }

    /** @param Closure(mysqli): mixed $select */
    #[DataProvider('changesOfTheDatabase')]
    public function testAnotherDatabaseSelectedPastTheConnectionIsRefused(Closure $select): void
    {
        $this->deploy(DatabaseKind::MariaDb);
        $id = $this->row();
        $connection = $this->tracked('mysqli');
        self::assertInstanceOf(RecordingMysqli::class, $connection);
        $connection->query(\sprintf(self::UPDATE, 'new', $id));
        $select($connection);
        try {
            $connection->query(\sprintf(self::UPDATE, 'never', $id));
            self::fail('It must be refused.');
        } catch (InvalidConnection $exception) {
            self::assertStringContainsString('mysqli_select_db()', $exception->getMessage());
        }
        $reads = new RecordedReads($connection->registry());
        $connection->tracker()->snapshot($reads, static fn(): null => null, static fn(): null => null);
        self::assertNotNull($reads->refusal());
        $connection->select_db($this->database->part('dbname'));
        $connection->query(\sprintf(self::UPDATE, 'newer', $id));

        self::assertSame('newer', $this->truth($id));
        self::assertSame('newer', $this->value($id));
    }

    /** change() has a transaction of its own. */
    #[DataProvider('connections')]
    public function testAChangeWhoseTransactionEndsInsideIsKnown(DatabaseKind $kind, string $api): void
    {
        $this->deploy($kind);
        $faults = [];
        $ways = [['COMMIT'], ['ROLLBACK']];
        if ($api === 'mysqli') {
            // It commits what stands before it.
            $ways = [...$ways, ['START TRANSACTION'], ['START TRANSACTION', 'ROLLBACK']];
        }
        foreach ($ways as $way) {
            foreach ([[false, false], [false, true], [true, false], [true, true]] as [$isStrict, $throws]) {
                $case = implode(', ', $way) . ($isStrict ? ', strict' : '') . ($throws ? ', throws' : '');
                $id = $this->row();
                $connection = $this->tracked($api);
                $tracked = self::native($connection);
                $ledger = (new SqlLedger($tracked, $this->pages, 'r1'))->follow();
                $versions = $isStrict ? new LedgerVersions($ledger) : new Gates($this->store, ledger: $ledger);
                try {
                    $versions->change(["news:$id"], static function () use ($connection, $id, $way, $throws): void {
                        self::write($connection, \sprintf(self::UPDATE, 'new', $id));
                        self::pass($connection, $way[0]);
                        if (isset($way[1])) {
                            self::write($connection, $way[1]);
                        }
                        if ($throws) {
                            throw new RuntimeException('It fails.');
                        }
                    });
                    if ($way !== ['START TRANSACTION']) {
                        $faults[] = "$case: nothing was said";
                    }
                } catch (NoTransaction|PDOException|RuntimeException) {
                    // The application knows that something is wrong.
                }
                unset($connection, $tracked, $ledger, $versions);
                $fault = $this->fault($id, 'after the end');
                if ($fault !== null) {
                    $faults[] = "$case: $fault";
                }
            }
        }

        self::assertSame([], $faults);
    }

    /**
     * Begins, writes, ends, and looks at all that was made of the row before, after each step.
     *
     * @param Way $begin
     * @param Way $end
     *
     * @return array{bool, string|null} whether it was refused; what is wrong
     */
    private function try(string $api, Closure $begin, Closure $end, bool $isAfterSelect, bool $goesOn): array
    {
        $twin = $this->insert();
        $id = $this->row();
        $fault = null;
        $look = function (string $when) use ($id, &$fault): void {
            $fault ??= $this->fault($id, $when);
        };
        // PDO's own methods are no way of an application: what they have ended is found at the next statement.
        $isSeenAtOnce = $api === 'mysqli';
        $do = static function (mysqli|PDO|Connection $connection, int $id, Closure $look) use (
            $begin,
            $end,
            $isAfterSelect,
            $goesOn,
            $isSeenAtOnce,
        ): string {
            try {
                if ($isAfterSelect) {
                    self::read($connection, $id);
                }
                $begin($connection);
                self::write($connection, \sprintf(self::UPDATE, 'new', $id));
                $end($connection);
                if ($isSeenAtOnce) {
                    $look('after the end');
                }
                if ($goesOn) {
                    self::read($connection, $id);
                    $look('after the next statement');
                    self::write($connection, \sprintf(self::UPDATE, 'next', $id));
                    $look('after the next write');
                }

                return 'done';
            } catch (NoTransaction $exception) {
                self::assertStringContainsString('mysqli_begin_transaction()', $exception->getMessage());

                return 'refused';
            } catch (PDOException|DriverException|mysqli_sql_exception) {
                return 'failed';
            }
        };
        $connection = $this->untracked($api);
        $expected = $do($connection, $twin, static fn() => null);
        unset($connection);
        $connection = $this->tracked($api);
        $outcome = $do($connection, $id, $look);
        unset($connection);
        $look('when the connection is gone');
        $rows = [$this->truth($twin), $this->truth($id)];
        if ($outcome !== 'refused' && $expected !== 'failed' && ($outcome !== $expected || $rows[0] !== $rows[1])) {
            $fault ??= "$outcome, and the row is $rows[1]; without Larder $expected, $rows[0]";
        }

        return [$outcome === 'refused', $fault];
    }

    /** What was made of a row and is older than it; null: nothing. */
    private function fault(int $id, string $when): ?string
    {
        $row = $this->truth($id);
        $path = $this->directory . "/current/news/$id~page";
        $made = [
            'the strict value' => $this->value($id),
            'the page' => is_file($path) ? (string) file_get_contents($path) : $row,
        ];
        foreach ($made as $what => $title) {
            if (!str_contains($title, $row)) {
                return "$when $what is not $row";
            }
        }

        return null;
    }

    private function insert(): int
    {
        $id = ++self::$id;
        $this->reader->exec("INSERT INTO news (id, title) VALUES ($id, 'old')");

        return $id;
    }

    /** A new row of which a value and a page are stored. */
    private function row(): int
    {
        $id = $this->insert();
        self::assertSame('old', $this->value($id));
        self::assertTrue($this->strict->has("k$id"));
        $reads = new RecordedReads($this->reader->registry());
        $title = $this->ledger->snapshot($reads, fn(): string => self::read($this->reader, $id));
        $page = PagePath::of("/news/$id") ?? throw new LogicException('It is canonical.');
        $draft = $this->pages->draft($page, new Response(200, [], "<p>$title</p>"));
        $published = $this->ledger->publish(
            new Registration($page->key, $draft->name, 'route', 16384, $reads, null, 1 << 30, 1 << 30),
            fn(int $generation) => $this->pages->stamp($draft, $generation),
            fn(int $generation): bool => $this->pages->publish($draft, $generation),
        );
        self::assertSame(Publication::Stored, $published);

        return $id;
    }

    private function value(int $id): string
    {
        return $this->strict->remember("k$id", fn(): string => self::read($this->reader, $id), ttl: 600);
    }

    private function truth(int $id): string
    {
        $title = self::first($this->plain->query(self::READ . $id));

        return \is_string($title) ? $title : throw new LogicException('Every row has a title.');
    }

    private function deploy(DatabaseKind $kind): void
    {
        $name = 'd' . bin2hex(random_bytes(4));
        $this->database = self::$databases[$kind->value]
            ??= Database::start($kind, self::$room->path . '/' . $kind->value);
        $this->plain = $this->database->connect();
        if ($kind === DatabaseKind::Sqlite) {
            $this->plain->exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
        }
        $this->plain->exec('DROP TABLE IF EXISTS news');
        $this->plain->exec('CREATE TABLE news (id INT NOT NULL PRIMARY KEY, title VARCHAR(20) NOT NULL)');
        $this->directory = self::$room->path . "/pages-$name";
        $this->pages = new FilePageStore($this->directory, 'r1');
        $this->reader = $this->recording();
        $this->ledger = (new SqlLedger($this->reader, $this->pages, 'r1'))->follow();
        $this->ledger->deploy();
        $this->store = new ArrayStore();
        $this->gates = new Gates($this->store, ledger: $this->ledger);
        $this->strict = new Cache($this->store, new LedgerVersions($this->ledger));
        $this->gated = new Cache($this->store, $this->gates);
    }

    private function recording(): RecordingPdo
    {
        $database = $this->database;

        return new RecordingPdo(
            $database->dsn,
            logger: new NullLogger(),
            user: $database->user,
            password: $database->password,
        );
    }

    /** A connection of the application, whose writes are made known. */
    private function tracked(string $api): RecordingMysqli|RecordingPdo|Connection
    {
        $database = $this->database;
        if ($api === 'mysqli') {
            $connection = new RecordingMysqli(
                null,
                $database->user,
                $database->password,
                $database->part('dbname'),
                null,
                $database->part('unix_socket'),
                logger: new NullLogger(),
            );
        } else {
            $connection = $api === 'pdo' ? $this->recording() : $this->dbal(new RecordingMiddleware(
                logger: new NullLogger(),
            ));
        }
        (new SqlLedger(self::native($connection), $this->pages, 'r1'))->follow();

        return $connection;
    }

    private function untracked(string $api): mysqli|PDO|Connection
    {
        $database = $this->database;

        return match ($api) {
            'mysqli' => new mysqli(
                null,
                $database->user,
                $database->password,
                $database->part('dbname'),
                null,
                $database->part('unix_socket'),
            ),
            'pdo' => $database->connect(),
            default => $this->dbal(),
        };
    }

    private function dbal(RecordingMiddleware ...$middlewares): Connection
    {
        $database = $this->database;
        $parameters = match ($database->kind) {
            DatabaseKind::Sqlite => ['driver' => 'pdo_sqlite', 'path' => $database->name],
            DatabaseKind::MariaDb => [
                'driver' => 'pdo_mysql',
                'unix_socket' => $database->part('unix_socket'),
            ],
            DatabaseKind::PostgreSql => [
                'driver' => 'pdo_pgsql',
                'host' => $database->part('host'),
                'port' => (int) $database->part('port'),
            ],
        };
        $account = $database->kind === DatabaseKind::Sqlite ? [] : [
            'dbname' => $database->part('dbname'),
            'user' => (string) $database->user,
            'password' => (string) $database->password,
        ];

        return DriverManager::getConnection(
            $parameters + $account,
            (new Configuration())->setMiddlewares(array_values($middlewares)),
        );
    }

    /**
     * @param DatabaseKind $kind
     *
     * @return array<string, Way>
     */
    private static function begins(string $api, DatabaseKind $kind): array
    {
        $texts = [$kind === DatabaseKind::Sqlite ? 'BEGIN' : 'START TRANSACTION'];
        if ($kind === DatabaseKind::MariaDb) {
            $texts[] = 'SET autocommit = 0';
        }
        $ways = [
            'begin by method' => static function (mysqli|PDO|Connection $db): void {
                $db instanceof mysqli ? $db->begin_transaction() : $db->beginTransaction();
            },
        ];
        foreach ($texts as $text) {
            $ways["$text by method"] = static fn(mysqli|PDO|Connection $db) => self::write($db, $text);
            // PDO says only of a statement on a table that it has begun a transaction so.
            if ($api === 'mysqli' || !str_starts_with($text, 'SET')) {
                $ways["$text past it"] = static fn(mysqli|PDO|Connection $db) => self::pass($db, $text);
            }
        }
        if ($kind === DatabaseKind::MariaDb) {
            $ways['XA START past it'] = static fn(mysqli|PDO|Connection $db) => self::pass(
                $db,
                "XA START 'x" . bin2hex(random_bytes(4)) . "'",
            );
        }

        return $api !== 'mysqli' ? $ways : $ways + [
            'autocommit() by method' => self::of(static fn(mysqli $db): bool => $db->autocommit(false)),
            'mysqli_autocommit()' => self::of(static fn(mysqli $db): bool => mysqli_autocommit($db, false)),
            'mysqli_begin_transaction()' => self::of(mysqli_begin_transaction(...)),
            'mysqli_prepare()' => self::of(static function (mysqli $db): bool {
                $statement = mysqli_prepare($db, 'START TRANSACTION');

                return $statement !== false && mysqli_stmt_execute($statement);
            }),
        ];
    }

    /** @return array<string, Way> */
    private static function ends(string $api): array
    {
        $ways = [
            'commit by method' => static function (mysqli|PDO|Connection $db): void {
                $db->commit();
            },
            'rollback by method' => static function (mysqli|PDO|Connection $db): void {
                $db instanceof mysqli ? $db->rollback() : $db->rollBack();
            },
            'nothing' => static function (): void {},
        ];
        foreach (['COMMIT', 'ROLLBACK'] as $text) {
            $ways["$text by method"] = static fn(mysqli|PDO|Connection $db) => self::write($db, $text);
            $ways["$text past it"] = static fn(mysqli|PDO|Connection $db) => self::pass($db, $text);
        }

        return $api !== 'mysqli' ? $ways : $ways + [
            'mysqli_commit()' => self::of(mysqli_commit(...)),
            'mysqli_rollback()' => self::of(mysqli_rollback(...)),
            'mysqli_begin_transaction()' => self::of(mysqli_begin_transaction(...)),
            'mysqli_autocommit()' => self::of(static fn(mysqli $db): bool => mysqli_autocommit($db, true)),
            'CREATE TABLE by mysqli_query()' => self::of(static fn(mysqli $db): mysqli_result|bool => mysqli_query(
                $db,
                'CREATE TABLE IF NOT EXISTS other (id INT)',
            )),
        ];
    }

    /**
     * @param Closure(mysqli): mixed $call
     *
     * @return Way
     */
    private static function of(Closure $call): Closure
    {
        return static function (mysqli|PDO|Connection $db) use ($call): void {
            self::assertInstanceOf(mysqli::class, $db);
            $call($db);
        };
    }

    /** By a method, as an application does it. */
    private static function write(mysqli|PDO|Connection $connection, string $sql): void
    {
        match (true) {
            $connection instanceof mysqli => $connection->query($sql),
            $connection instanceof PDO => $connection->exec($sql),
            default => $connection->executeStatement($sql),
        };
    }

    private static function read(mysqli|PDO|Connection $connection, int $id): string
    {
        $sql = self::READ . $id;
        $title = match (true) {
            $connection instanceof Connection => $connection->fetchOne($sql),
            $connection instanceof PDO => self::first($connection->query($sql)),
            default => self::first($connection->query($sql)),
        };

        return \is_string($title) ? $title : throw new LogicException('Every row has a title.');
    }

    /** By a function, or by PDO's own method, which do not call those of the connection. */
    private static function pass(mysqli|PDO|Connection $connection, string $sql): void
    {
        if ($connection instanceof mysqli) {
            mysqli_query($connection, $sql);

            return;
        }
        $pdo = $connection instanceof Connection ? $connection->getNativeConnection() : $connection;
        self::assertInstanceOf(PDO::class, $pdo);
        $statement = (new ReflectionMethod(PDO::class, 'prepare'))->invoke(
            $pdo,
            $sql,
            [PDO::ATTR_STATEMENT_CLASS => [PDOStatement::class], PDO::ATTR_EMULATE_PREPARES => true],
        );
        self::assertInstanceOf(PDOStatement::class, $statement);
        $statement->execute();
        if ($statement->columnCount() > 0) {
            $statement->fetchAll();
        }
    }

    private static function first(mysqli_result|PDOStatement|bool $result): mixed
    {
        return match (true) {
            $result instanceof mysqli_result => $result->fetch_column(),
            $result instanceof PDOStatement => $result->fetchColumn(),
            default => null,
        };
    }

    private static function native(RecordingMysqli|RecordingPdo|Connection $connection): RecordingMysqli|RecordingPdo
    {
        $native = $connection instanceof Connection ? $connection->getNativeConnection() : $connection;

        return $native instanceof RecordingPdo || $native instanceof RecordingMysqli
            ? $native
            : throw new LogicException('It records.');
    }
}
