<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Closure;
use Larder\Page\Response;
use Larder\Sql\Ledger\LearnedSets;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Schema;
use Larder\Sql\Schema\Several;
use Larder\Sql\Tracker\OwnStatements;
use Larder\Sql\Tracker\RecordedReads;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\TransactionState;
use Larder\Tests\Support\NewsSite;
use PDOException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(LearnedSets::class)]
#[CoversClass(Schema::class)]
final class LearnedSetsTest extends TestCase
{
    private NewsSite $news;

    protected function setUp(): void
    {
        $this->news = new NewsSite(registry: new Registry());
    }

    protected function tearDown(): void
    {
        $this->news->remove();
    }

    public function testASetIsKnownToASnapshotThatShowsItAndToNoEarlierOne(): void
    {
        $reader = $this->news->connect();
        $other = $this->news->connect();
        $reads = fn(): RecordedReads => new RecordedReads($reader->registry());
        $name = static fn(): string => (string) $reader->registry()->set('news', ['category' => 'net']);
        $seen = $reader->tracker()->snapshot($reads(), static function () use ($name, $other): array {
            $before = $name();
            self::learn($other, ['category']);

            return [$before, $name()];
        }, static function (): void {});
        self::assertSame(['news', 'news'], $seen);

        $named = $reader->tracker()->snapshot($reads(), $name, static function (): void {});
        self::assertSame('news?category=net', $named);
        self::assertSame(['news?category'], $other->registry()->get('news')->setNames());
    }

    public function testAStatementThatIsKnownIsReadByTheSetsAndTheSchemaOfItsOwnMoment(): void
    {
        $reader = $this->news->connect();
        $other = $this->news->connect();
        $names = static function () use ($reader): array {
            $reads = new RecordedReads($reader->registry());
            $reader->tracker()->snapshot($reads, static function () use ($reader): void {
                $reader->prepare('SELECT title FROM news WHERE category = ?')->execute(['net']);
                $reader->query("SELECT title FROM news WHERE category = 'net'")->fetchAll();
            }, static function (): void {});

            return [$reads->refusal(), ...$reads->names()];
        };
        self::assertSame([null, 'news', 'news!'], $names());
        self::learn($other, ['category']);
        self::assertSame([null, 'news!', 'news?category=net'], $names());

        $other->exec('ALTER TABLE news RENAME COLUMN category TO kind');
        $other->exec('ALTER TABLE news ADD COLUMN category INTEGER');
        self::assertSame([null, 'news', 'news!'], $names());
    }

    public function testAPageFromBeforeASetIsStoredUnderTheCoarserNameAndDropped(): void
    {
        $write = $this->news->connect();
        $this->news->get('/news/4', function (): Response {
            $registry = $this->news->database->registry();
            $this->news->database->select(
                "SELECT id FROM news WHERE category = 'web'",
                [],
                $registry->set('news', ['category' => 'web']),
            );
            self::learn($this->news->connect(), ['category']);

            return NewsSite::html('page');
        });
        self::assertSame(['news', 'news!'], $this->news->ledger->index()->namesOf('/news/4'));

        self::update($this->news->ledger(database: $write), $write, "category = 'new'");
        self::assertFalse($this->news->stores('/news/4'));
    }

    public function testAWriterKnowsEachSetThatWasAddedBeforeItBegan(): void
    {
        $write = $this->news->connect();
        $ledger = $this->news->ledger(database: $write);
        self::assertSame(['news', 'news:4'], self::update($ledger, $write, "title = 'before'"));
        self::learn($this->news->database, ['category'], ['author', 'category']);

        self::assertSame([
            'news', 'news:4', 'news?author=bob&category=net', 'news?author=bob&category=web', 'news?category=net',
            'news?category=web',
        ], self::update($ledger, $write, "category = 'web'"));
    }

    public function testAProcessOfAReleaseThatDeclaredItsTablesDropsWhatWasNamedByALearnedSet(): void
    {
        self::learn($this->news->database, ['title']);
        $store = function (): void {
            $this->news->get('/news/4', function (): Response {
                $database = $this->news->database;
                $name = $database->registry()->set('news', ['title' => 'four']);
                $database->select("SELECT id FROM news WHERE title = 'four'", [], $name);

                return NewsSite::html('page');
            });
            self::assertSame(['news!', 'news?title=four'], $this->news->ledger->index()->namesOf('/news/4'));
        };
        $store();
        $older = new RecordingPdo('sqlite:' . $this->news->directory->path . '/site.sqlite', NewsSite::registry());
        $ledger = $this->news->ledger(database: $older);
        self::assertSame(['news!'], self::update($ledger, $older, "category = 'web'"));
        self::assertFalse($this->news->stores('/news/4'));

        $store();
        $older->exec("UPDATE news SET category = 'net' WHERE id = 4");
        self::assertFalse($this->news->stores('/news/4'));
    }

    public function testNoSetIsAddedWhileAWriterIsBetweenBeginAndCommitAndNobodyWaitsForIt(): void
    {
        $write = $this->news->connect();
        $write->beginTransaction();
        $write->exec("UPDATE news SET title = 'x' WHERE id = 4");
        $reader = new class ('sqlite:' . $this->news->directory->path . '/site.sqlite') extends RecordingPdo {
            public PatientStatements $patient;

            protected function ownStatements(TransactionState $state, ?Several $several, Closure $open): OwnStatements
            {
                return $this->patient = new PatientStatements($this, $this->dialect(), $state, $several, $open);
            }
        };
        $reader->exec('PRAGMA busy_timeout = 2000');
        self::learn($reader, ['category']);
        self::assertSame([], $reader->registry()->get('news')->sets);
        self::assertSame(['PRAGMA busy_timeout = 0', 'PRAGMA busy_timeout = 2000'], $reader->patient->patience);
        $write->commit();

        // A writer that has only read is no writer yet, and cannot become one any more.
        $write->exec('BEGIN');
        $write->query('SELECT id FROM news')->fetchAll();
        self::learn($reader, ['category']);
        self::assertSame([['category']], $reader->registry()->get('news')->sets);
        $this->expectException(PDOException::class);
        $write->exec("UPDATE news SET title = 'x' WHERE id = 4");
    }

    public function testOnlySetsThatCanNameRowsAreLearned(): void
    {
        $database = $this->news->database;
        $database->exec('CREATE TABLE item (id INTEGER PRIMARY KEY, A TEXT, b INT, c INT, d INT, e INT, f REAL)');
        (new LearnedSets($database->tracker()))->add([
            'ITEM' => [['id'], ['f'], ['b', 'f'], ['x'], [], ['a', 'b', 'c', 'd', 'e'], ['b', 'a'], ['a', 'b'], ['c']],
            'larder_set' => [['tbl']],
            'sqlite_master' => [['name']],
            'absent' => [['a']],
        ]);
        self::assertSame([['A', 'b'], ['c']], $database->registry()->get('item')->sets);

        $declared = new RecordingPdo('sqlite:' . $this->news->directory->path . '/site.sqlite', NewsSite::registry());
        $sets = $declared->registry()->get('news')->sets;
        self::learn($declared, ['category', 'id']);
        self::assertSame($sets, $declared->registry()->get('news')->sets);
        $later = $this->news->connect();
        self::assertSame([], $later->registry()->get('news')->sets);
    }

    public function testATableHas32SetsAndARequestAddsFew(): void
    {
        $columns = array_map(static fn(int $i): string => 'c' . $i, range(1, 40));
        $this->news->database->exec(
            'CREATE TABLE item (id INTEGER PRIMARY KEY, ' . implode(' INT, ', $columns) . ' INT)',
        );
        $sets = array_map(static fn(string $column): array => [$column], $columns);
        $database = $this->news->connect();
        $known = static fn(): int => \count($database->registry()->get('item')->sets);
        (new LearnedSets($database->tracker()))->add(['item' => \array_slice($sets, 0, 3)]);
        (new LearnedSets($database->tracker()))->add(['item' => $sets]);
        self::assertSame(7, $known());
        for ($time = 0; $time < 40; ++$time) {
            (new LearnedSets($database->tracker()))->add(['item' => $sets]);
        }
        self::assertSame(32, $known());
    }

    public function testASetWhoseColumnIsGoneIsNoSet(): void
    {
        self::learn($this->news->database, ['author'], ['category']);
        $this->news->database->exec('ALTER TABLE news RENAME COLUMN author TO writer');
        $database = $this->news->connect();
        self::assertSame([['category']], $database->registry()->get('news')->sets);
    }

    /** @param list<string> ...$sets */
    private static function learn(RecordingPdo $database, array ...$sets): void
    {
        (new LearnedSets($database->tracker()))->add(['news' => array_values($sets)]);
    }

    /** @return list<string> the names that it made known, sorted */
    private static function update(SqlLedger $ledger, RecordingPdo $database, string $set): array
    {
        $names = [];
        $ledger->transaction(
            static fn() => $database->exec("UPDATE news SET $set WHERE id = 4"),
            static function (array $told) use (&$names): void {
                $names = array_map(strval(...), $told);
            },
        );
        sort($names);

        return $names;
    }
}
