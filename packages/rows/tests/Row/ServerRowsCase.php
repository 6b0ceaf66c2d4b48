<?php

declare(strict_types=1);

namespace Larder\Tests\Row;

use Closure;
use Larder\Dependency\Name;
use Larder\Exception\UnknownName;
use Larder\Metrics\MemoryCounters;
use Larder\Row\Exception\NotUnique;
use Larder\Row\Listing;
use Larder\Row\Rows;
use Larder\Row\Table;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Store;
use Larder\Store\ArrayEntries;
use Larder\Store\ArrayStore;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Tests\Support\TestLog;
use PDO;
use PDOException;
use PHPUnit\Framework\Attributes\DataProvider;
use Psr\Log\NullLogger;
use ReflectionProperty;

/** What rows promise where they are stored. */
abstract class ServerRowsCase extends RowsCase
{
    public function testFindsARowInTheDatabaseAndThenInTheStore(): void
    {
        $four = $this->fetched('SELECT * FROM news WHERE id = 4')[0];
        self::assertSame($four, $this->news()->find(4));
        // Nobody announces this, so that it shows where the row comes from.
        $this->plain()->exec("UPDATE news SET title = 'unseen' WHERE id = 4");
        self::assertSame($four, $this->news()->find(4));
        self::assertSame(['title' => 'Four', 'id' => 4], $this->news()->find(4, ['title', 'id']));
    }

    public function testAWritersChangeIsReadAtOnce(): void
    {
        $news = $this->news();
        $news->find(4);
        $writer = $this->open();
        $this->rows($writer);
        $writer->exec("UPDATE news SET title = 'New' WHERE id = 4");
        self::assertSame('New', self::title($news, 4));
        $writer->exec('DELETE FROM news WHERE id = 4');
        self::assertNull($news->find(4));
        $writer->exec("INSERT INTO news (id, slug, title) VALUES (4, 'again', 'Again')");
        self::assertSame('Again', self::title($news, 4));
    }

    /** @return iterable<string, array{string, string|null}> bytes, and the cause that is counted */
    public static function unreadable(): iterable
    {
        yield 'cut off' => ['a:2:{i:0;s:4:"te', 'unreadable'];
        yield 'of a class that is gone' => ['a:1:{i:0;O:9:"GoneSince":0:{}}', 'class_gone'];
        yield 'no row' => ['s:4:"text";', null];
        yield 'of another form' => [
            serialize(['id' => [], 'key' => [], 'types' => ['text'], 'sets' => 'text', 'columns' => 1]),
            null,
        ];
    }

    #[DataProvider('unreadable')]
    public function testWhatCannotBeReadComesFromTheDatabaseAndIsCounted(string $bytes, ?string $cause): void
    {
        $counters = new MemoryCounters();
        $store = new ArrayStore(log: new NullLogger(), counters: $counters);
        $entries = (new ReflectionProperty($store, 'entries'))->getValue($store);
        self::assertInstanceOf(ArrayEntries::class, $entries);
        $news = fn(): Table => $this->rows(store: $store)->table('news');
        $ask = static fn(): array => [
            $news()->find(4),
            $news()->findMany([4, 5]),
            $news()->findBy(['slug' => 'six']),
            $news()->findAll('category', 5),
        ];
        $rows = $ask();
        $stored = (new ReflectionProperty($entries, 'entries'))->getValue($entries);
        self::assertIsArray($stored);
        self::assertGreaterThan(4, \count($stored));
        foreach (array_keys($stored) as $key) {
            $entries->put((string) $key, $bytes, null);
            self::assertSame($rows, $ask(), "key $key");
        }
        $series = $cause === null ? [] : ["larder_store_failures_total{store=\"array\",cause=\"$cause\"}"];
        self::assertSame($series, array_keys($counters->all()));
    }

    public function testAMissingRowIsRemembered(): void
    {
        $news = $this->news();
        self::assertNull($news->find(9));
        $this->plain()->exec('INSERT INTO news (id) VALUES (9)');
        self::assertNull($news->find(9));
    }

    /**
     * The race of a change that is told before it can be seen: between its end in the store and its COMMIT a reader may
     * not store what it reads.
     */
    public function testARowIsNotStoredBetweenItsEndAndItsCommit(): void
    {
        $news = $this->news();
        $news->find(4);
        $writer = $this->open();
        $this->rows($writer);
        $seen = null;
        // Registered later, so it runs when the row has ended in the store, right before COMMIT.
        $writer->tracker()->database->closeBy(static function () use ($news, &$seen): Closure {
            $seen = [self::title($news, 4), self::title($news, 4)];

            return static function (): void {};
        });
        $writer->exec("UPDATE news SET title = 'New' WHERE id = 4");
        self::assertSame(['Four', 'Four'], $seen);
        self::assertSame('New', self::title($news, 4));
    }

    /** The same of a row that comes: it is missing, and not in its sets, for all that can be seen. */
    public function testNeitherAMissingRowNorAListIsStoredBetweenItsEndAndItsCommit(): void
    {
        $news = $this->news();
        $read = static fn(): array => [
            $news->find(9),
            $news->findBy(['slug' => 'nine']),
            array_column($news->findAll('category', 5), 'id'),
            array_column($news->findAll('author', 'bob'), 'id'),
        ];
        self::assertSame([null, null, [4, 5], [4, 6]], $read());
        $writer = $this->writer();
        $seen = null;
        $writer->tracker()->database->closeBy(static function () use ($read, &$seen): Closure {
            $seen = [$read(), $read()];

            return static function (): void {};
        });
        $writer->beginTransaction();
        $writer->exec("INSERT INTO news (id, slug, category) VALUES (9, 'nine', 5)");
        $writer->exec('DELETE FROM news WHERE id = 6');
        $writer->commit();
        self::assertSame([[null, null, [4, 5], [4, 6]], [null, null, [4, 5], [4, 6]]], $seen);
        $nine = $this->fetched('SELECT * FROM news WHERE id = 9')[0];
        // As a text, since PHPStan takes a second call for the first one.
        self::assertSame(serialize([$nine, $nine, [4, 5, 9], [4]]), serialize($read()));
    }

    /** A reader that read before the change loses its lease by it. */
    public function testARowThatWasReadBeforeAChangeIsNotStoredAfterIt(): void
    {
        $news = $this->news();
        $news->find(5);
        $writer = $this->open();
        $this->rows($writer, $this->store->inner);
        $this->store->before = function (string $call) use ($writer): void {
            if ($call === 'set') {
                $this->store->before = null;
                $writer->exec("UPDATE news SET title = 'New' WHERE id = 4");
            }
        };
        self::assertSame('Four', self::title($news, 4));
        self::assertNull($this->store->before);
        self::assertSame('New', self::title($news, 4));
    }

    public function testManyRowsCostOneTripAndComeInTheOrderAskedFor(): void
    {
        $news = $this->news();
        $news->findMany([4, 5, 6, 9]);
        $this->store->trips = 0;
        $rows = $news->findMany([6, 9, 4, 5], ['id']);
        self::assertSame([6 => ['id' => 6], 9 => null, 4 => ['id' => 4], 5 => ['id' => 5]], $rows);
        self::assertSame(1, $this->store->trips);
        self::assertSame([4 => ['id' => 4], 5 => ['id' => 5]], $news->findMany([4, 4, 5, 4], ['id']));
    }

    public function testAMissCostsTwoTripsMore(): void
    {
        $news = $this->news();
        $news->find(4);
        $this->store->calls = [];
        $news->findMany([4, 5, 6]);
        self::assertSame(['getMultiple', 'batch GetOrLease', 'batch Set'], $this->store->calls);
        $this->store->calls = [];
        $news->find(9);
        self::assertSame(['batch Read GetOrLease', 'set'], $this->store->calls);
    }

    public function testARowIsFoundByAUniqueKeyAndEndsByEachOfItsChanges(): void
    {
        $news = $this->news();
        self::assertSame(4, $news->findBy(['slug' => 'four'])['id'] ?? null);
        self::assertNull($news->findBy(['slug' => 'none']));
        $this->store->trips = 0;
        self::assertSame(['Four'], array_values($news->findBy(['slug' => 'four'], ['title']) ?? []));
        self::assertNull($news->findBy(['slug' => 'none']));
        self::assertSame(2, $this->store->trips);
        $writer = $this->writer();
        $writer->exec("UPDATE news SET title = 'New' WHERE id = 4");
        self::assertSame('New', $news->findBy(['slug' => 'four'])['title'] ?? null);
        $writer->exec("UPDATE news SET slug = 'none' WHERE id = 4");
        self::assertNull($news->findBy(['slug' => 'four']));
        self::assertSame(['id' => 4], $news->findBy(['slug' => 'none'], ['id']));
    }

    public function testManyUniqueKeysOfSeveralColumnsCostOneTrip(): void
    {
        $news = $this->news();
        $many = [
            ['category' => 5, 'author' => 'eve'],
            ['author' => 'x', 'category' => 7],
            ['author' => 'bob', 'category' => 7],
        ];
        $ids = static fn(array $rows): array => array_map(
            static fn(mixed $row): mixed => \is_array($row) ? $row['id'] : null,
            $rows,
        );
        self::assertSame([5, null, 6], $ids($news->findManyBy($many)));
        $this->store->trips = 0;
        self::assertSame([5, null, 6], $ids($news->findManyBy($many)));
        self::assertSame(1, $this->store->trips);
        $this->writer()->exec("UPDATE news SET author = 'x' WHERE id = 6");
        self::assertSame([5, 6, null], $ids($news->findManyBy($many)));
        $this->expectExceptionObject(NotUnique::of('news', ['category']));
        $news->findBy(['category' => 5]);
    }

    public function testASetIsAListOfIdsThatOutlivesEdits(): void
    {
        $news = $this->news();
        self::assertSame([4, 5], array_column($news->findAll('category', 5), 'id'));
        $writer = $this->writer();
        $writer->exec("UPDATE news SET title = 'New' WHERE id = 4");
        $calls = [];
        $this->store->before = static function (string $call, array $keys) use (&$calls): void {
            $calls[$call][] = $keys;
        };
        self::assertSame(['New', null], array_column($news->findAll('category', 5), 'title'));
        // The row alone was missing.
        self::assertSame([['news:4']], $calls['batch GetOrLease'] ?? null);
        $this->store->before = null;
        $writer->exec('UPDATE news SET category = 5 WHERE id = 6');
        self::assertSame([4, 5, 6], array_column($news->findAll('category', 5), 'id'));
        $writer->exec('DELETE FROM news WHERE id = 5');
        self::assertSame([4, 6], array_column($news->findAll('category', 5), 'id'));
        self::assertSame([], $news->findAll(['category' => 5, 'author' => 'none']));
        self::assertSame([], $news->findAll('author', null));
    }

    public function testAListEndsWhenItsOrderChangesAndNotByAnEdit(): void
    {
        $listing = new Listing($this->news(), order: ['published' => 'desc'], limit: 2);
        self::assertSame([6, 5], array_column($listing->rows(), 'id'));
        $writer = $this->writer();
        $writer->exec("UPDATE news SET title = 'New' WHERE id = 6");
        $this->plain()->exec('UPDATE news SET published = 40 WHERE id = 4');
        self::assertSame(['New', null], array_column($listing->rows(), 'title'));
        $writer->exec('UPDATE news SET published = 50 WHERE id = 4');
        self::assertSame([4, 6], array_column($listing->rows(), 'id'));
        $next = new Listing($this->news(), [], ['published' => 'desc'], 2, 2);
        self::assertSame([5], array_column($next->rows(), 'id'));
    }

    public function testAListShowsNoRowThatWentOutOfItMeanwhile(): void
    {
        $news = $this->news();
        $news->findAll('category', 5);
        $writer = $this->writer($this->store->inner);
        $this->store->before = function (string $call, array $keys) use ($writer): void {
            if (\in_array('news:4', $keys, true)) {
                $this->store->before = null;
                $writer->exec('UPDATE news SET category = 7 WHERE id = 4');
            }
        };
        self::assertSame([5], array_column($news->findAll('category', 5), 'id'));
    }

    /** @return iterable<string, array{list<string>}> */
    public static function bulk(): iterable
    {
        yield 'a statement of many rows' => [["UPDATE news SET title = 'New' WHERE id IN (SELECT 4)"]];
        yield 'TRUNCATE' => [['TRUNCATE TABLE news']];
        yield 'ALTER' => [["ALTER TABLE news ADD COLUMN word VARCHAR(9) DEFAULT 'New'"]];
        yield 'a renamed column' => [['ALTER TABLE news RENAME COLUMN title TO headline']];
        yield 'a dropped column' => [['ALTER TABLE news DROP COLUMN title']];
        yield 'the key' => [['UPDATE news SET id = 14 WHERE id = 4']];
        yield 'a swap of two unique keys' => [[
            "UPDATE news SET slug = NULL WHERE id = 4",
            "UPDATE news SET slug = 'four' WHERE id = 5",
            "UPDATE news SET slug = 'five' WHERE id = 4",
        ]];
        yield 'RENAME' => [[
            'ALTER TABLE news RENAME TO old_news', 'CREATE TABLE news (id INTEGER PRIMARY KEY, title VARCHAR(9))',
            "INSERT INTO news VALUES (4, 'New')", 'DROP TABLE old_news',
        ]];
    }

    /** @param list<string> $statements */
    #[DataProvider('bulk')]
    public function testWhateverChangesTheTableEndsItsRows(array $statements): void
    {
        $news = $this->news();
        $news->findMany([4, 5, 6, 14]);
        $writer = $this->writer();
        foreach ($statements as $statement) {
            $writer->exec($statement);
            foreach ([4, 5, 6, 14] as $id) {
                if (!str_contains($statement, 'old_news')) {
                    $now = $this->fetched("SELECT * FROM news WHERE id = $id")[0] ?? null;
                    self::assertSame($now, $this->news()->find($id), $statement);
                }
            }
        }
    }

    public function testATransactionReadsItsOwnWritesAndStoresNothing(): void
    {
        $connection = $this->open();
        $news = $this->news($connection);
        $news->find(4);
        $connection->beginTransaction();
        $connection->exec("UPDATE news SET title = 'New' WHERE id = 4");
        $this->store->trips = 0;
        self::assertSame('New', self::title($news, 4));
        self::assertNull($news->find(9));
        self::assertSame([4, 5], array_column($news->findAll('category', 5), 'id'));
        self::assertSame(0, $this->store->trips);
        $connection->rollBack();
        self::assertSame('Four', self::title($news, 4));
    }

    public function testWhatIsReadForAPageOrAValueIsRecordedThere(): void
    {
        $connection = $this->open();
        $news = $this->news($connection);
        $news->find(4);
        $this->store->trips = 0;
        $reads = new RecordedReads($connection->registry());
        $connection->tracker()->record($reads, static fn(): ?array => $news->find(4));
        self::assertContains('news:4', $reads->names());
        self::assertSame(0, $this->store->trips);
    }

    public function testAWriterFailsIfTheStoreDoesNotConfirm(): void
    {
        $this->news()->find(4);
        $writer = $this->writer();
        $this->store->isGone = true;
        try {
            $writer->exec("UPDATE news SET title = 'New' WHERE id = 4");
            self::fail('It was committed.');
        } catch (LedgerUnavailable) {
            self::assertSame('Four', $this->fetched('SELECT title FROM news WHERE id = 4')[0]['title']);
        }
        // A reader does without.
        self::assertSame('Four', self::title($this->news(), 4));
    }

    public function testATableThatADeadWriterHasClosedIsReadPastTheStore(): void
    {
        $rows = $this->rows();
        $news = $rows->table('news');
        $news->find(4);
        $open = $rows->ends()->close([Name::all('news')]);
        $this->plain()->exec("UPDATE news SET title = 'New' WHERE id = 4");
        self::assertSame('New', self::title($news, 4));
        $this->plain()->exec("UPDATE news SET title = 'Newer' WHERE id = 4");
        self::assertSame('Newer', self::title($news, 4));
        $open();
        $news->find(4);
        $this->plain()->exec("UPDATE news SET title = 'unseen' WHERE id = 4");
        self::assertSame('Newer', self::title($news, 4));
        $rows->ends()->end([Name::of('news:4')]);
        self::assertSame('unseen', self::title($news, 4));
    }

    public function testATableStaysClosedAsLongAsOneWriterIsAtWork(): void
    {
        $rows = $this->rows();
        $news = $rows->table('news');
        $first = $rows->ends()->close([Name::all('news')]);
        $second = $rows->ends()->close([Name::all('news')]);
        $first();
        $news->find(4);
        $this->plain()->exec("UPDATE news SET title = 'New' WHERE id = 4");
        self::assertSame('New', self::title($news, 4));
        $second();
        $news->find(4);
        $this->plain()->exec("UPDATE news SET title = 'unseen' WHERE id = 4");
        self::assertSame('New', self::title($news, 4));
    }

    /** Keys that the database finds equal to another one: they are read as it finds them. */
    public function testOddKeysAreReadAsTheDatabaseComparesThem(): void
    {
        $news = $this->news();
        $isMariaDb = static::kind() === DatabaseKind::MariaDb;
        $odd = $isMariaDb ? ['04', ' 4', '4x', '4.0', '-0', '99999999999999999999'] : ['04'];
        foreach ($odd as $key) {
            $plain = $this->plain()->prepare('SELECT * FROM news WHERE id = ?');
            $plain->execute([$key]);
            self::assertSame($plain->fetch(PDO::FETCH_ASSOC), $news->find($key) ?? false, $key);
        }
        self::assertSame(4, $news->find('4')['id'] ?? null);
    }

    public function testAnUnknownColumnAndAnUnknownTableAreErrors(): void
    {
        foreach ([fn() => $this->news()->find(4, ['titel']), fn() => $this->rows()->table('nwes')->find(4)] as $wrong) {
            try {
                $wrong();
                self::fail('It was found.');
            } catch (UnknownName $exception) {
                self::assertStringContainsString('Near names', $exception->getMessage());
            }
        }
    }

    public function testANameThatIsNoColumnsReachesNoQuery(): void
    {
        $this->assertNoOtherNameThanAColumnsReachesAQuery();
        $this->plain()->exec(static::kind() === DatabaseKind::MariaDb
            ? "ALTER TABLE news ADD `Gr\u{dc}n, \"x` INT DEFAULT 1"
            : "ALTER TABLE news ADD \"Gr\u{dc}n, \"\"x\" INT DEFAULT 1");
        self::assertCount(3, $this->news()->findAll("Gr\u{dc}n, \"x", 1), 'A column may have any name.');
    }

    /** Another session may read other values of the same row. */
    public function testEachProfileReadsItsOwnValues(): void
    {
        $isMariaDb = static::kind() === DatabaseKind::MariaDb;
        $plain = $this->plain();
        $plain->exec('DROP TABLE IF EXISTS moment');
        $plain->exec('CREATE TABLE moment (id INTEGER PRIMARY KEY, at TIMESTAMP' . ($isMariaDb ? ')' : 'TZ)'));
        $plain->exec("INSERT INTO moment VALUES (1, '2024-01-01 12:00:00')");
        $zones = ["SET time_zone = '+00:00'", "SET time_zone = '+05:00'"];
        $zones = $isMariaDb ? $zones : ["SET TIME ZONE 'UTC'", "SET TIME ZONE '+05:00'"];
        foreach ([0, 1, 0, 1] as $zone) {
            $plain->exec($zones[$zone]);
            $connection = $this->open();
            $connection->exec($zones[$zone]);
            $statement = $plain->query('SELECT * FROM moment');
            self::assertNotFalse($statement);
            self::assertSame($statement->fetch(PDO::FETCH_ASSOC), $this->rows($connection)->table('moment')->find(1));
        }
    }

    public function testWithoutALedgerNothingIsStored(): void
    {
        $this->plain()->exec('DROP TABLE larder_ledger');
        $news = $this->news();
        self::assertSame('Four', self::title($news, 4));
        $this->plain()->exec("UPDATE news SET title = 'New' WHERE id = 4");
        self::assertSame('New', self::title($news, 4));
    }

    /** @return iterable<string, array{Closure(Table): mixed}> */
    public static function lookups(): iterable
    {
        yield 'find' => [static fn(Table $news): ?array => $news->find(4)];
        yield 'findMany' => [static fn(Table $news): array => $news->findMany([4, 5, 9])];
        yield 'findBy' => [static fn(Table $news): ?array => $news->findBy(['slug' => 'four'])];
        yield 'findManyBy' => [
            static fn(Table $news): array => $news->findManyBy([['slug' => 'four'], ['slug' => 'nine']]),
        ];
    }

    /**
     * Each statement of a lookup fails in turn, for once or from then on: what is returned is right, or the failure.
     *
     * @param Closure(Table): mixed $lookup
     */
    #[DataProvider('lookups')]
    public function testWhatIsReadAlthoughAStatementFailedIsNotStoredAndTheNextReaderMayStore(Closure $lookup): void
    {
        $failed = 0;
        foreach ([[false, false], [false, true], [true, false], [true, true]] as [$stays, $knows]) {
            for ($number = 1, $hasFailed = true; $hasFailed; ++$number) {
                $case = ($knows ? 'known, ' : '') . "statement $number" . ($stays ? ' and all after it' : '');
                $this->plain()->exec("UPDATE news SET title = 'Four' WHERE id = 4");
                $expected = $lookup($this->news($this->open(), new ArrayStore()));
                $store = $this->observed();
                $log = new TestLog();
                $connection = $this->faulty();
                $news = (new Rows(SqlLedger::forValues($connection), $store, logger: $log))->table('news');
                if ($knows) {
                    $news->find(5);
                }
                $connection->fail($number, $stays);
                try {
                    self::assertEquals($expected, $lookup($news), $case);
                    $said = implode("\n", $log->lines());
                    self::assertSame($connection->hasFailed, str_contains($said, 'it was interrupted'), "$case: $said");
                } catch (PDOException|UnknownName $exception) {
                    self::assertStringContainsString('it was interrupted', $exception->getMessage());
                }
                $hasFailed = $connection->hasFailed;
                if ($hasFailed) {
                    ++$failed;
                    $this->isNotStored($store, $lookup, $expected, $case);
                }
            }
        }
        self::assertGreaterThan(8, $failed);
    }

    /** @param Closure(Table): mixed $lookup */
    #[DataProvider('lookups')]
    public function testWhatTheServerInterruptsIsNotStoredAndTheNextReaderMayStore(Closure $lookup): void
    {
        $isMariaDb = static::kind() === DatabaseKind::MariaDb;
        $expected = $lookup($this->news($this->open(), new ArrayStore()));
        $connection = $this->open();
        $news = $this->news($connection);
        $news->find(5);
        $connection->exec($isMariaDb ? 'SET max_statement_time = 0.5' : 'SET statement_timeout = 500');
        $other = $this->plain();
        $other->exec($isMariaDb ? 'LOCK TABLES news WRITE' : 'BEGIN; LOCK TABLE news');
        try {
            $lookup($news);
            self::fail('Nothing was interrupted.');
        } catch (PDOException $exception) {
            self::assertContains($exception->errorInfo[0] ?? null, ['70100', '57014']);
        }
        $other->exec($isMariaDb ? 'UNLOCK TABLES' : 'COMMIT');
        $this->isNotStored($this->store, $lookup, $expected, 'interrupted');
    }

    /** @param Closure(Table): mixed $lookup that has given $found, and finds the row 4 */
    private function isNotStored(Store $store, Closure $lookup, mixed $found, string $case): void
    {
        $this->plain()->exec("UPDATE news SET title = 'New' WHERE id = 4");
        $next = $lookup($this->news($this->open(), $store));
        self::assertNotEquals($found, $next, "$case: it was stored");
        $this->plain()->exec("UPDATE news SET title = 'unseen' WHERE id = 4");
        self::assertEquals($next, $lookup($this->news($this->open(), $store)), "$case: it kept a lease");
    }

    /** A page or a value that rows are read for is not stored then, and says why. */
    public function testAFailedLookupRefusesWhatIsMadeOfIt(): void
    {
        foreach (self::lookups() as $what => [$lookup]) {
            $this->news()->find(4);
            $connection = $this->faulty();
            $news = $this->news($connection);
            $reads = new RecordedReads($connection->registry());
            $ask = static function () use ($connection, $news, $lookup): bool {
                $connection->fail(1, true);
                try {
                    $lookup($news);
                } catch (PDOException|UnknownName) {
                    return true;
                }

                return false;
            };
            $caught = $connection->tracker()->record($reads, $ask);
            self::assertSame([true, 'a statement failed (SQLSTATE 70100)'], [$caught, $reads->refusal()], $what);
        }
    }

    private function faulty(): FaultyPdo
    {
        $database = self::$database;

        return new FaultyPdo($database->dsn, user: $database->user, password: $database->password);
    }

    protected function writer(?Store $store = null): RecordingPdo
    {
        $writer = $this->open();
        $this->rows($writer, $store);

        return $writer;
    }

    protected static function title(Table $table, int $id): mixed
    {
        $row = $table->find($id);

        return $row === null ? null : $row['title'];
    }
}
