<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Closure;
use Larder\Sql\Exception\InvalidConnection;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\Recorder;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\RecordingStatement;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\NewsSite;
use PDO;
use PDOException;
use PDOStatement;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use ReflectionMethod;

#[CoversClass(RecordingPdo::class)]
#[CoversClass(RecordingStatement::class)]
#[CoversClass(Recorder::class)]
#[CoversClass(RecordedReads::class)]
final class RecordingPdoTest extends TestCase
{
    private NewsSite $news;

    protected function setUp(): void
    {
        $this->news = new NewsSite();
    }

    protected function tearDown(): void
    {
        $this->news->remove();
    }

    /** @return iterable<string, array{Closure(RecordingPdo): mixed, list<string>}> */
    public static function reads(): iterable
    {
        $r = NewsSite::registry();
        yield 'nothing' => [static fn(RecordingPdo $pdo) => null, []];
        yield 'a named row' => [
            static fn(RecordingPdo $pdo) => $pdo->select('SELECT * FROM news WHERE id = ?', [4], $r->row('news', 4)),
            ['news!', 'news:4'],
        ];
        yield 'an empty result is a read' => [
            static fn(RecordingPdo $pdo) => $pdo->select('SELECT * FROM news WHERE id = ?', [99], $r->row('news', 99)),
            ['news!', 'news:99'],
        ];
        yield 'nobody named it' => [
            static fn(RecordingPdo $pdo) => $pdo->select('SELECT * FROM news WHERE id = ?', [4]),
            ['news!', 'news:4'],
        ];
        yield 'one table of two named' => [
            static fn(RecordingPdo $pdo) => $pdo->select(
                'SELECT * FROM news n JOIN comment c ON c.news_id > n.id WHERE n.id = ?',
                [4],
                $r->row('news', 4),
            ),
            ['comment', 'comment!', 'news!', 'news:4'],
        ];
        yield 'a name covers its own statement only' => [
            static fn(RecordingPdo $pdo) => [
                $pdo->select('SELECT * FROM news WHERE id = 4', [], $r->row('news', 4)),
                $pdo->query('SELECT title FROM news'),
            ],
            ['news', 'news!', 'news:4'],
        ];
        yield 'query()' => [
            static fn(RecordingPdo $pdo) => $pdo->query('SELECT * FROM comment'),
            ['comment', 'comment!'],
        ];
        yield 'exec()' => [
            static fn(RecordingPdo $pdo) => $pdo->exec('SELECT * FROM comment'),
            ['comment', 'comment!'],
        ];
        yield 'prepared' => [
            static fn(RecordingPdo $pdo) => $pdo->prepare('SELECT * FROM comment WHERE id = ?')->execute([1]),
            ['comment!', 'comment:1'],
        ];
        yield 'prepared and not run' => [
            static fn(RecordingPdo $pdo) => $pdo->prepare('SELECT * FROM comment WHERE id = ?'),
            [],
        ];
    }

    /**
     * @param Closure(RecordingPdo): mixed $make
     * @param list<string>                 $names
     */
    #[DataProvider('reads')]
    public function testRecordsWhatARenderReads(Closure $make, array $names): void
    {
        $reads = $this->record($make);

        self::assertNull($reads->refusal());
        self::assertSame($names, $reads->names());
    }

    public function testAStatementPreparedBeforeTheRenderIsRecordedWhenItRuns(): void
    {
        $statement = $this->news->database->prepare('SELECT * FROM news');
        $reads = $this->record(static fn() => $statement->execute());

        self::assertSame(['news', 'news!'], $reads->names());
    }

    /** @return iterable<string, array{Closure(PDOStatement): mixed}> */
    public static function fetches(): iterable
    {
        yield 'fetch()' => [static fn(PDOStatement $statement) => $statement->fetch()];
        yield 'fetchAll()' => [static fn(PDOStatement $statement) => $statement->fetchAll()];
        yield 'fetchColumn()' => [static fn(PDOStatement $statement) => $statement->fetchColumn()];
        yield 'fetchObject()' => [static fn(PDOStatement $statement) => $statement->fetchObject()];
        yield 'foreach' => [static fn(PDOStatement $statement) => iterator_to_array($statement)];
    }

    /** @param Closure(PDOStatement): mixed $fetch */
    #[DataProvider('fetches')]
    public function testRowsOfAStatementThatRanBeforeTheRenderAreNotStored(Closure $fetch): void
    {
        $before = $this->news->database->query('SELECT title FROM news');
        $reads = $this->record(static fn() => $fetch($before));
        self::assertStringContainsString('ran before', (string) $reads->refusal());

        $reads = $this->record(static function (RecordingPdo $pdo) use ($fetch): void {
            $statement = $pdo->query('SELECT title FROM news');
            $inner = new RecordedReads($pdo->registry());
            $pdo->tracker()->record($inner, static fn() => $fetch($statement));
            self::assertStringContainsString('ran before', (string) $inner->refusal());
        });
        self::assertNotNull($reads->refusal());
        self::assertNull($this->record(static fn(RecordingPdo $pdo) => $fetch($pdo->query('SELECT 1')))->refusal());
    }

    public function testRowidsThatVacuumChangesAreBoundedByTimeOnly(): void
    {
        $database = new RecordingPdo('sqlite::memory:');
        $database->exec('CREATE TABLE word (a TEXT); CREATE TABLE line (id INTEGER PRIMARY KEY, oid TEXT)');
        foreach ([
            'SELECT a FROM word' => false,
            'SELECT rowid FROM word' => true,
            'SELECT a FROM word WHERE "oid" = 4' => true,
            'SELECT oid FROM line' => false,
            'SELECT _ROWID_ FROM line' => true,
        ] as $sql => $areAsked) {
            $reads = new RecordedReads($database->registry());
            $database->tracker()->record($reads, static fn(): array => $database->query($sql)->fetchAll());
            self::assertSame([null, $areAsked], [$reads->refusal(), $reads->clock() !== null], $sql);
        }
    }

    /** They are committed apart, so nothing is stored that is made from them, whatever main has of that name. */
    public function testTablesOfAnAttachedFileAreOthers(): void
    {
        $directory = new TemporaryDirectory();
        try {
            $plain = new PDO('sqlite:' . $directory->path . '/other.sqlite');
            $plain->exec('CREATE TABLE news (id INTEGER PRIMARY KEY); CREATE TABLE only (id INTEGER PRIMARY KEY)');
            $database = new RecordingPdo('sqlite:' . $directory->path . '/main.sqlite');
            $database->exec('CREATE TABLE news (id INTEGER PRIMARY KEY)');
            $database->exec("ATTACH '$directory->path/other.sqlite' AS other");
            foreach ([
                'SELECT id FROM news WHERE id = 4' => true,
                'SELECT id FROM main.news WHERE id = 4' => true,
                'SELECT id FROM other.news WHERE id = 4' => false,
                'SELECT id FROM only WHERE id = 4' => false,
            ] as $sql => $isKnown) {
                $reads = new RecordedReads($database->registry());
                $database->tracker()->record($reads, static fn(): array => $database->query($sql)->fetchAll());
                self::assertSame($isKnown, $reads->refusal() === null, $sql);
            }
        } finally {
            $directory->remove();
        }
    }

    /** @return iterable<string, array{int, mixed}> */
    public static function attributes(): iterable
    {
        yield 'silent errors' => [PDO::ATTR_ERRMODE, PDO::ERRMODE_SILENT];
        yield 'warnings' => [PDO::ATTR_ERRMODE, PDO::ERRMODE_WARNING];
        yield 'names of columns in capitals' => [PDO::ATTR_CASE, PDO::CASE_UPPER];
        yield 'numbers as strings' => [PDO::ATTR_STRINGIFY_FETCHES, true];
        yield 'empty strings as null' => [PDO::ATTR_ORACLE_NULLS, PDO::NULL_EMPTY_STRING];
        yield 'a class of statements' => [PDO::ATTR_STATEMENT_CLASS, [PDOStatement::class]];
        yield 'a connection that is kept' => [PDO::ATTR_PERSISTENT, true];
    }

    #[DataProvider('attributes')]
    public function testRefusesWhatItCannotWorkWith(int $attribute, mixed $value): void
    {
        foreach ([
            static fn() => new RecordingPdo('sqlite::memory:', NewsSite::registry(), options: [$attribute => $value]),
            fn() => $this->news->database->setAttribute($attribute, $value),
            fn() => $this->news->database->prepare('SELECT 1', [$attribute => $value]),
        ] as $set) {
            try {
                $set();
                self::fail('It was taken.');
            } catch (InvalidConnection $exception) {
                self::assertMatchesRegularExpression('/ATTR_\w+ to be [\w ,]+\.$/', $exception->getMessage());
            }
        }
    }

    #[TestWith([PDO::FETCH_OBJ])]
    #[TestWith([PDO::FETCH_NUM])]
    #[TestWith([PDO::FETCH_LAZY])]
    public function testTheLedgerDoesNotCareHowTheApplicationFetches(int $mode): void
    {
        $this->news->database->setAttribute(PDO::ATTR_DEFAULT_FETCH_MODE, $mode);
        $this->news->get('/news/4');
        self::assertTrue($this->news->stores('/news/4'));
        $this->news->ledger(database: $this->news->database)->transaction(
            fn() => $this->news->database->exec("UPDATE news SET title = 'x' WHERE id = 4"),
        );
        self::assertFalse($this->news->stores('/news/4'));
    }

    public function testATransactionThatCannotBeginIsNotOpen(): void
    {
        $holder = $this->news->connect();
        $holder->beginTransaction();
        $this->news->database->exec('PRAGMA busy_timeout = 0');
        try {
            $this->news->database->beginTransaction();
            self::fail('The database was locked.');
        } catch (PDOException) {
            self::assertFalse($this->news->database->inTransaction());
        }
        $holder->rollBack();
        self::assertTrue($this->news->database->beginTransaction());
    }

    public function testARenderThatCannotBeginItsReadTransactionIsMadeAndNotStored(): void
    {
        // The transaction began past the connection's own methods.
        (new ReflectionMethod(PDO::class, 'exec'))->invoke($this->news->database, 'BEGIN');
        $made = '';
        $reads = $this->record(static function (RecordingPdo $pdo) use (&$made): void {
            $made = $pdo->select('SELECT title FROM news WHERE id = 4', [])[0]['title'] ?? '';
        });

        self::assertSame('four', $made);
        self::assertStringContainsString('could not begin', (string) $reads->refusal());
    }

    public function testARenderSeesAStateFromBeforeItBegan(): void
    {
        $other = $this->news->connect();
        $reads = $this->record(static function (RecordingPdo $pdo) use ($other): void {
            $other->exec("UPDATE news SET title = 'meanwhile' WHERE id = 4");
            self::assertSame('four', Ledgered::title($pdo), 'Whatever was read through something else was older.');
        });
        self::assertNull($reads->refusal());
    }

    public function testNothingIsRecordedAfterTheRender(): void
    {
        $reads = $this->record(static fn() => null);
        $this->news->database->query('SELECT * FROM news');

        self::assertSame([], $reads->names());
    }

    /** @return iterable<string, array{Closure(RecordingPdo): mixed, string}> */
    public static function refused(): iterable
    {
        yield 'insert' => [
            static fn(RecordingPdo $pdo) => $pdo->exec("INSERT INTO news VALUES (9, 'a', 'b', 'c')"),
            'writes',
        ];
        yield 'prepared write' => [
            static fn(RecordingPdo $pdo) => $pdo->prepare('DELETE FROM news WHERE id = ?')->execute([4]),
            'writes',
        ];
        yield 'transaction' => [
            static fn(RecordingPdo $pdo) => [$pdo->beginTransaction(), $pdo->exec('DELETE FROM news'), $pdo->commit()],
            'no SELECT',
        ];
        yield 'pragma' => [static fn(RecordingPdo $pdo) => $pdo->query('PRAGMA table_info(news)'), 'no SELECT'];
        yield 'a table nobody declared' => [
            static fn(RecordingPdo $pdo) => $pdo->query('SELECT * FROM sqlite_master'),
            'sqlite_master, which the registry does not declare',
        ];
        yield 'a view' => [
            static fn(RecordingPdo $pdo) => $pdo->query('SELECT * FROM latest'),
            'latest, which the registry does not declare',
        ];
        yield 'a view by run()' => [
            static fn(RecordingPdo $pdo) => $pdo->run("SELECT *, 'larder_slot' FROM latest"),
            'latest, which the registry does not declare',
        ];
        yield 'another row than was named' => [
            static fn(RecordingPdo $pdo) => $pdo->select(
                'SELECT id, title FROM news WHERE id IN (?, ?)',
                [4, 5],
                NewsSite::registry()->row('news', 4),
            ),
            'a statement read news:5, and was said to read news:4',
        ];
    }

    /** @param Closure(RecordingPdo): mixed $make */
    #[DataProvider('refused')]
    public function testWhatCannotBeTrustedWorksAsEverAndIsRefused(Closure $make, string $reason): void
    {
        $this->news->database->exec('CREATE VIEW latest AS SELECT *, random() AS chance FROM news');
        $reads = $this->record($make);

        self::assertStringContainsString($reason, (string) $reads->refusal());
    }

    public function testAWriteDoesNotFailBecauseAnotherWroteSinceTheRenderBegan(): void
    {
        $other = $this->news->connect();
        $reads = $this->record(static function (RecordingPdo $pdo) use ($other): void {
            $pdo->select('SELECT * FROM news', []);
            $other->exec("UPDATE news SET title = 'theirs' WHERE id = 4");
            $pdo->exec("UPDATE news SET title = title || ' and ours' WHERE id = 4");
        });

        self::assertNotNull($reads->refusal());
        self::assertSame(
            'theirs and ours',
            $this->news->connect()->run('SELECT title FROM news WHERE id = 4')->fetchColumn(),
        );
    }

    public function testARenderSeesOneStateOfTheDatabase(): void
    {
        $other = $this->news->connect();
        $titles = [];
        $this->record(static function (RecordingPdo $pdo) use ($other, &$titles): void {
            $titles[] = $pdo->select('SELECT title FROM news WHERE id = 4', [])[0]['title'];
            $other->exec("UPDATE news SET title = 'changed' WHERE id = 4");
            $titles[] = $pdo->select('SELECT title FROM news WHERE id = 4', [])[0]['title'];
        });

        self::assertSame(['four', 'four'], $titles);
    }

    public function testAWriterHoldsTheLockFromTheBeginningOfItsTransaction(): void
    {
        $other = $this->news->connect();
        $other->exec('PRAGMA busy_timeout = 0');
        $this->news->database->beginTransaction();

        $this->expectException(PDOException::class);
        $this->expectExceptionMessage('database is locked');
        $other->beginTransaction();
    }

    public function testKnowsItsTransactionHoweverItBegan(): void
    {
        $pdo = $this->news->database;
        foreach (['BEGIN IMMEDIATE', 'begin transaction', ' BEGIN'] as $begin) {
            $pdo->exec($begin);
            self::assertTrue($pdo->inTransaction());
            $pdo->exec('SAVEPOINT a');
            $pdo->exec('ROLLBACK TO a');
            self::assertTrue($pdo->inTransaction());
            $pdo->rollBack();
            self::assertFalse($pdo->inTransaction());
        }
    }

    /** @param Closure(RecordingPdo): mixed $make */
    private function record(Closure $make): RecordedReads
    {
        $reads = new RecordedReads($this->news->registry);
        $this->news->database->tracker()->snapshot(
            $reads,
            fn(): mixed => $make($this->news->database),
            static function (): void {},
        );

        return $reads;
    }
}
