<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Closure;
use Larder\Dependency\Change;
use Larder\Exception\NoTransaction;
use Larder\Exception\UnknownName;
use Larder\Page\FilePageStore;
use Larder\Page\PagePath;
use Larder\Page\PageRequest;
use Larder\Page\Pages;
use Larder\Page\Policy;
use Larder\Page\Release;
use Larder\Page\Renderer;
use Larder\Page\Response;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Ledger\Publication;
use Larder\Sql\Ledger\SqlIndex;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Schema\ColumnType;
use Larder\Sql\Schema\Registry;
use Larder\Sql\Schema\Several;
use Larder\Sql\Schema\Table;
use Larder\Sql\Tracker\OwnStatements;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Sql\Tracker\RowChange;
use Larder\Sql\Tracker\TransactionState;
use Larder\SystemClock;
use Larder\Tests\Support\NewsController;
use Larder\Tests\Support\NewsSite;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use RuntimeException;

#[CoversClass(SqlLedger::class)]
#[CoversClass(SqlIndex::class)]
#[CoversClass(Change::class)]
#[CoversClass(RowChange::class)]
final class SqlLedgerTest extends TestCase
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

    /** @return iterable<string, array{Closure(RowChange, RecordingPdo): mixed, list<string>}> */
    public static function changes(): iterable
    {
        yield 'an update in place' => [
            static fn(Change $change, RecordingPdo $pdo) => $pdo->exec("UPDATE news SET title = 'x' WHERE id = 4"),
            ['news', 'news:4', 'news?author=bob', 'news?author=bob&category=net', 'news?category=net'],
        ];
        yield 'a move drops both categories' => [
            static fn(Change $change, RecordingPdo $pdo) => $pdo->exec("UPDATE news SET category = 'web' WHERE id = 4"),
            [
                'news', 'news:4', 'news?author=bob', 'news?author=bob&category=net', 'news?author=bob&category=web',
                'news?category=net', 'news?category=web',
            ],
        ];
        yield 'an insert' => [
            static fn(Change $change, RecordingPdo $pdo)
                => $pdo->exec("INSERT INTO comment (news_id, text) VALUES (4, 'hi')"),
            ['comment', 'comment:1', 'comment?news_id=4'],
        ];
        yield 'a delete' => [
            static fn(Change $change, RecordingPdo $pdo) => $pdo->exec('DELETE FROM news WHERE id = 5'),
            ['news', 'news:5', 'news?author=eve', 'news?author=eve&category=web', 'news?category=web'],
        ];
        yield 'a row that moved to another key counts as bulk' => [
            static fn(Change $change, RecordingPdo $pdo)
                => $pdo->exec("UPDATE news SET id = 6, category = 'new' WHERE id = 5"),
            ['news!'],
        ];
        yield 'bulk' => [static fn(RowChange $change) => $change->bulk('news'), ['news!']];
        yield 'the explicit form' => [
            static fn(RowChange $change) => $change->row('comment', null, ['id' => 7, 'news_id' => '04']),
            ['comment', 'comment:7', 'comment?news_id=4'],
        ];
        yield 'a row that lacks a column of a declared set counts as bulk' => [
            static fn(RowChange $change) => $change->row('news', null, ['id' => 7, 'category' => 'net']),
            ['news!'],
        ];
        yield 'a value without canonical text counts as bulk' => [
            static fn(RowChange $change) => $change->row('comment', null, ['id' => 7, 'news_id' => 'four']),
            ['comment!'],
        ];
        yield 'an old row that was not read under the lock counts as bulk' => [
            static fn(RowChange $change) => $change->row('comment', ['id' => 7, 'news_id' => 4], null),
            ['comment!'],
        ];
        yield 'another old row than the one under the lock counts as bulk' => [
            static fn(RowChange $change) => $change->row(
                'news',
                ['category' => 'old'] + (array) $change->before('news', 4),
                null,
            ),
            ['news!'],
        ];
        yield 'an insert of a row that was there counts as bulk' => [
            static fn(RowChange $change) => $change->row('news', null, $change->before('news', 4)),
            ['news!'],
        ];
    }

    /**
     * @param Closure(RowChange, RecordingPdo): mixed $write
     * @param list<string>                         $names
     */
    #[DataProvider('changes')]
    public function testAChangeEmitsOldAndNewNames(Closure $write, array $names): void
    {
        $emitted = $this->news->ledger(
            database: $this->news->database,
        )->transaction(function (RowChange $change) use ($write): array {
            $write($change, $this->news->database);

            return array_map(strval(...), $change->names());
        });
        sort($emitted);

        self::assertSame($names, $emitted);
    }

    public function testTheSecondOfTwoWritersSeesTheRowTheFirstLeft(): void
    {
        $names = [];
        foreach (['web', 'mail'] as $category) {
            $database = $this->news->connect();
            $this->news->ledger(
                database: $database,
            )->transaction(static function (Change $change) use ($database, $category, &$names): void {
                $database->exec("UPDATE news SET category = '$category' WHERE id = 4");
                $names = array_map(strval(...), $change->names());
            });
        }

        self::assertContains('news?category=web', $names);
        self::assertContains('news?category=mail', $names);
        self::assertNotContains('news?category=net', $names);
    }

    public function testAnUnknownNameInAChangeRollsBack(): void
    {
        try {
            $this->news->ledger(database: $this->news->database)->transaction(function (RowChange $change): void {
                $this->news->database->exec("UPDATE news SET title = 'x' WHERE id = 4");
                $change->bulk('newz');
            });
            self::fail('No exception.');
        } catch (UnknownName $exception) {
            self::assertStringContainsString('Near names: news', $exception->getMessage());
        }
        self::assertSame('four', $this->title());
    }

    public function testChangeOutsideATransactionThrows(): void
    {
        $this->expectException(NoTransaction::class);

        $this->news->ledger()->open();
    }

    public function testWorksInTheApplicationsOwnTransaction(): void
    {
        $this->news->get('/news/4');
        $ledger = $this->news->ledger(database: $this->news->database);
        $this->news->database->beginTransaction();
        $change = $ledger->open();
        $this->news->database->exec("UPDATE news SET title = 'x' WHERE id = 4");
        self::assertTrue($this->news->stores('/news/4'));
        $ledger->change($change);
        self::assertFalse($this->news->stores('/news/4'));
        $this->news->database->commit();

        self::assertSame('x', $this->title());
    }

    public function testAnUnlinkThatFailsRollsTheWriterBack(): void
    {
        $this->news->get('/news/4');
        $page = $this->news->site->pages . '/current/news/4~page';
        unlink($page);
        mkdir($page);
        try {
            $this->news->ledger(database: $this->news->database)->transaction(
                fn() => $this->news->database->exec("UPDATE news SET title = 'x' WHERE id = 4"),
            );
            self::fail('No exception.');
        } catch (LedgerUnavailable $exception) {
            self::assertStringContainsString('rolled back', $exception->getMessage());
        }

        self::assertFalse($this->news->database->inTransaction());
        self::assertSame('four', $this->title());
        self::assertSame(['news!', 'news:4'], $this->news->ledger->index()->namesOf('/news/4'));
    }

    public function testALedgerOutOfReachRollsTheWriterBack(): void
    {
        $this->news->database->exec('DROP TABLE larder_slot');
        try {
            $this->news->ledger(database: $this->news->database)->transaction(
                fn() => $this->news->database->exec("UPDATE news SET title = 'x' WHERE id = 4"),
            );
            self::fail('No exception.');
        } catch (LedgerUnavailable) {
            self::assertSame('four', $this->title());
        }
    }

    public function testAnExceptionOfTheWriterPassesThroughAfterARollback(): void
    {
        $this->news->get('/news/4');
        try {
            $this->news->ledger(database: $this->news->database)->transaction(function (): never {
                $this->news->database->exec("UPDATE news SET title = 'x' WHERE id = 4");
                throw new RuntimeException('mine');
            });
        } catch (RuntimeException $exception) {
            self::assertSame('mine', $exception->getMessage());
        }

        self::assertSame('four', $this->title());
        self::assertTrue($this->news->stores('/news/4'));
    }

    public function testAnOldReleaseMayNotStore(): void
    {
        $cache = $this->news->cache();
        $this->news->ledger('r2')->deploy();
        $answer = $this->news->get('/news/4', cache: $cache);

        self::assertSame('larder; fwd=miss; detail="made by another release"', $answer->header('cache-status'));
        self::assertSame([], $this->news->ledger->index()->pagesOf($this->news->registry->row('news', 4)));
    }

    public function testChangesOfAProcessWithAnotherRegistryAreBulk(): void
    {
        $this->news->get('/news/4');
        $this->news->get('/news/5', fn(): Response => $this->news->item(5));
        $old = new Registry(
            new Table('news', 'id', ['id' => ColumnType::Integer]),
            new Table('comment', 'id', ['id' => ColumnType::Integer]),
        );
        $database = new RecordingPdo('sqlite:' . $this->news->directory->path . '/site.sqlite', $old);
        $this->news->ledger(database: $database)->transaction(
            static fn() => $database->exec("UPDATE news SET title = 'x' WHERE id = 4"),
        );

        self::assertFalse($this->news->stores('/news/4'));
        self::assertFalse($this->news->stores('/news/5'));
    }

    public function testAnotherCountOfSlotsIsRefused(): void
    {
        $ledger = (new SqlLedger(
            $this->news->database,
            new FilePageStore($this->news->site->pages, 'r1'),
            'r1',
            slots: 16,
        ))->follow();

        $this->expectException(LedgerUnavailable::class);
        $this->expectExceptionMessage('65536 version slots');
        $ledger->transaction(static fn(RowChange $change) => $change->bulk('news'));
    }

    public function testADatabaseRestoredFromABackupEmptiesThePageStore(): void
    {
        $this->news->get('/news/5', fn(): Response => $this->news->item(5));
        $this->news->database->exec('PRAGMA wal_checkpoint(TRUNCATE)');
        $file = $this->news->directory->path . '/site.sqlite';
        copy($file, $file . '.backup');
        $etag = $this->news->get('/news/4')->header('etag');
        self::assertTrue($this->news->stores('/news/4'));

        $restored = new RecordingPdo('sqlite:' . $file . '.backup', $this->news->registry);
        $this->news->ledger(database: $restored)->transaction(
            static fn(RowChange $change) => $change->row('comment', null, ['id' => 1, 'news_id' => 9]),
        );

        self::assertFalse($this->news->stores('/news/4'));
        self::assertFalse($this->news->stores('/news/5'));
        self::assertNotNull($etag);
    }

    public function testNoGenerationComesBackAfterAFlushOrALostPageDirectory(): void
    {
        $generations = [];
        foreach (['nothing', 'flush', 'loss'] as $event) {
            if ($event === 'flush') {
                $this->news->ledger->flush();
                self::assertFalse($this->news->stores('/news/4'));
            }
            if ($event === 'loss') {
                exec('rm -rf ' . escapeshellarg($this->news->site->pages));
                self::assertNull(
                    $this->news->get('/news/4')->header('etag'),
                    'A draft made before the loss was seen is not trusted.',
                );
            }
            $generations[] = $this->news->get('/news/4')->header('etag');
        }

        self::assertCount(3, array_unique($generations));
    }

    public function testNoGenerationComesBackWithABackupWhosePageDirectoryIsLostToo(): void
    {
        $this->news->database->exec('PRAGMA wal_checkpoint(TRUNCATE)');
        $file = $this->news->directory->path . '/site.sqlite';
        copy($file, $file . '.backup');
        $etags = [];
        for ($change = 0; $change < 5; ++$change) {
            $etags[] = $this->news->get('/news/4')->header('etag');
            $this->news->ledger(database: $this->news->database)->transaction(
                static fn(RowChange $change) => $change->bulk('news'),
            );
        }
        exec('rm -rf ' . escapeshellarg($this->news->site->pages));
        rename($file . '.backup', $file);
        array_map(unlink(...), [$file . '-wal', $file . '-shm']);
        $this->news->ledger('r2')->deploy();
        Release::compile($this->news->site, 'r2', $this->news->registry)->save($this->news->site->list);
        // As a process that begins now.
        $this->news->site->loaded->forget();
        $restored = $this->news->connect();
        $answer = Pages::of($this->news->site)->pageCache($restored)->answer(
            new PageRequest('GET', '/news/4', false),
            NewsController::class,
            static fn(): Response => NewsSite::html('item ' . json_encode(
                $restored->select('SELECT title FROM news WHERE id = 4', [], $restored->registry()->row('news', 4)),
            )),
        );

        self::assertSame('larder; fwd=miss; stored', $answer->header('cache-status'));
        self::assertNotContains($answer->header('etag'), $etags);
    }

    public function testAPageWhoseRenderBeganBeforeAFlushIsNotStored(): void
    {
        $answer = $this->news->get('/news/4', function (): Response {
            $answer = $this->news->item(4);
            (new PDO('sqlite:' . $this->news->directory->path . '/site.sqlite'))
                ->exec("UPDATE news SET title = 'by a console' WHERE id = 4");
            $this->news->ledger()->flush();

            return $answer;
        });

        self::assertSame('larder; fwd=miss; detail="changed meanwhile"', $answer->header('cache-status'));
        self::assertFalse($this->news->stores('/news/4'));
        self::assertStringContainsString('by a console', $this->news->get('/news/4')->body);
    }

    public function testADeployWithAnotherPageDirectoryLeavesNoPageInTheFirst(): void
    {
        $this->news->get('/news/4');
        $second = new FilePageStore($this->news->directory->path . '/releases/2/pages', 'r2');
        (new SqlLedger($this->news->connect(), $second, 'r2'))->follow()->deploy();

        self::assertSame([], $this->news->directory->files('pages/r'));
        self::assertSame([], $this->news->directory->files('pages/aside'));
        self::assertStringContainsString(
            'detail="made by another release"',
            (string) $this->news->get('/news/4')->header('cache-status'),
        );
    }

    public function testAChangeDropsThePageAlsoWhereThisProcessHasAnotherPageDirectory(): void
    {
        $this->news->get('/news/4');
        $database = $this->news->connect();
        $elsewhere = new FilePageStore($this->news->directory->path . '/other', 'r1');
        $other = (new SqlLedger($database, $elsewhere, 'r1'))->follow();
        $other->transaction(static fn() => $database->exec("UPDATE news SET title = 'x' WHERE id = 4"));

        self::assertFalse($this->news->stores('/news/4'));
        self::assertSame('larder; fwd=miss; stored', $this->news->get('/news/4')->header('cache-status'));
        self::assertSame([], $this->news->directory->files('other'));
    }

    public function testAProcessWithAnotherPageDirectoryThanTheDeployedOneStoresNothing(): void
    {
        $other = new FilePageStore($this->news->directory->path . '/other', 'r1');
        $ledger = (new SqlLedger($this->news->database, $other, 'r1'))->follow();
        $page = PagePath::of('/news/4');
        self::assertNotNull($page);
        $renderer = new Renderer($this->news->site, $ledger, $other, $this->news->registry, new SystemClock());
        $rendering = $renderer->render(
            $page,
            NewsController::class,
            new Policy(['news'], null),
            fn(): Response => $this->news->item(4),
        );

        self::assertSame(Publication::OtherPlace, $rendering->publication);
        self::assertSame([], $this->news->directory->files('other'));
    }

    public function testAFormerPageDirectoryThatComesBackLosesItsPagesAtTheNextFlush(): void
    {
        $this->news->get('/news/4');
        $pages = $this->news->site->pages;
        rename($pages, $pages . '-unmounted');
        $second = (new SqlLedger($this->news->connect(), new FilePageStore($pages . '2', 'r2'), 'r2'))->follow();
        $second->deploy();
        rename($pages . '-unmounted', $pages);
        self::assertTrue($this->news->stores('/news/4'));
        $second->flush();

        self::assertFalse($this->news->stores('/news/4'));
    }

    public function testFlushTakesAllPagesOutOfServiceUnderTheLockAndRemovesThemWithoutIt(): void
    {
        $this->news->get('/news/4');
        $database = new class ('sqlite:' . $this->news->directory->path . '/site.sqlite', $this->news->registry) extends
            RecordingPdo {
            public CommittingStatements $committing;

            protected function ownStatements(TransactionState $state, ?Several $several, Closure $open): OwnStatements
            {
                return $this->committing = new CommittingStatements($this, $this->dialect(), $state, $several, $open);
            }
        };
        $atCommit = [];
        // A connection makes them when it first needs them.
        $database->own();
        $database->committing->before = function () use (&$atCommit): void {
            $atCommit = [$this->news->stores('/news/4'), \count($this->news->directory->files('pages/aside'))];
        };
        $this->news->ledger(database: $database)->flush();

        self::assertSame([false, 2], $atCommit);
        self::assertSame([], $this->news->directory->files('pages/aside'));
    }

    private function title(): mixed
    {
        return $this->news->connect()->run('SELECT title FROM news WHERE id = 4')->fetchColumn();
    }
}
