<?php

declare(strict_types=1);

namespace Larder\Tests\Dependency;

use Closure;
use Larder\Dependency\RecordedReads;
use Larder\Dependency\Recorder;
use Larder\Dependency\RecordingPdo;
use Larder\Dependency\RecordingStatement;
use Larder\Tests\Support\NewsSite;
use PDOException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

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
            ['news', 'news!'],
        ];
        yield 'one table of two named' => [
            static fn(RecordingPdo $pdo) => $pdo->select(
                'SELECT * FROM news n JOIN comment c ON c.news_id = n.id WHERE n.id = ?',
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
            ['comment', 'comment!'],
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
    }

    /** @param Closure(RecordingPdo): mixed $make */
    #[DataProvider('refused')]
    public function testWhatCannotBeTrustedWorksAsEverAndIsRefused(Closure $make, string $reason): void
    {
        $this->news->database->exec('CREATE VIEW latest AS SELECT * FROM news');
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
        $this->news->database->snapshot(
            $reads,
            fn(): mixed => $make($this->news->database),
            static function (): void {},
        );

        return $reads;
    }
}
