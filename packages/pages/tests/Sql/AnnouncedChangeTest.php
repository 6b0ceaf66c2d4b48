<?php

declare(strict_types=1);

namespace Larder\Tests\Sql;

use Closure;
use Larder\Page\ChangeListeners;
use Larder\Page\FilePageStore;
use Larder\Page\PagePath;
use Larder\Page\Policy;
use Larder\Page\Renderer;
use Larder\Page\Response;
use Larder\Sql\Ledger\AnnouncedChange;
use Larder\Sql\Ledger\Announcements;
use Larder\Sql\Ledger\OneWriterProtocol;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\SystemClock;
use Larder\Tests\Support\NewsSite;
use Larder\Tests\Support\ToldChanges;
use LogicException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use RuntimeException;

#[CoversClass(AnnouncedChange::class)]
#[CoversClass(Announcements::class)]
#[CoversClass(OneWriterProtocol::class)]
#[CoversClass(ChangeListeners::class)]
final class AnnouncedChangeTest extends TestCase
{
    private NewsSite $news;

    private RecordingPdo $database;

    private SqlLedger $ledger;

    private ToldChanges $told;

    protected function setUp(): void
    {
        $this->news = new NewsSite();
        $this->database = $this->news->connect();
        $this->told = new ToldChanges(fn(): string => Ledgered::title($this->news->connect()));
        $this->ledger = $this->ledger($this->database);
    }

    protected function tearDown(): void
    {
        $this->news->remove();
    }

    public function testIsToldBeforeCommitAndDoneAfterIt(): void
    {
        $this->render(4, 5);
        $this->told->take();
        $this->database->beginTransaction();
        $this->database->exec("UPDATE news SET title = 'x' WHERE id = 4");
        self::assertSame([], $this->told->take());
        $this->database->commit();

        self::assertSame([['news:4', ['/news/4']], 'after x'], $this->told->take());
        self::assertTrue($this->news->stores('/news/5'));
    }

    public function testAStatementWithoutATransactionIsToldToo(): void
    {
        $this->render(4);
        $this->told->take();
        $this->database->exec("UPDATE news SET title = 'x' WHERE id = 4");

        self::assertSame([['news:4', ['/news/4']], 'after x'], $this->told->take());
    }

    public function testAChangeOfAnOpenedTransactionIsToldOnce(): void
    {
        $this->render(4);
        $this->told->take();
        $this->ledger->transaction(fn() => $this->database->exec("UPDATE news SET title = 'x' WHERE id = 4"));

        self::assertSame([['news:4', ['/news/4']], 'after x'], $this->told->take());
    }

    public function testNothingIsDoneAfterARollback(): void
    {
        $this->database->beginTransaction();
        $change = $this->ledger->open();
        $this->database->exec("UPDATE news SET title = 'x' WHERE id = 4");
        $this->ledger->change($change);
        self::assertSame([['news:4', []]], $this->told->take());
        $this->database->rollBack();
        $this->database->exec("UPDATE comment SET text = 'y' WHERE id = 77");
        self::assertSame([], array_filter($this->told->take(), is_string(...)));

        try {
            $this->ledger->transaction(function (): never {
                $this->database->exec("UPDATE news SET title = 'x' WHERE id = 4");
                throw new RuntimeException('mine');
            });
        } catch (RuntimeException) {
            self::assertSame([], $this->told->take());
        }
    }

    /** SQLite commits by the RELEASE of a savepoint that began the transaction. */
    public function testIsDoneWhenASavepointCommits(): void
    {
        $this->database->exec('SAVEPOINT outer');
        $this->database->exec('SAVEPOINT inner');
        $this->database->exec("UPDATE news SET title = 'x' WHERE id = 4");
        $this->database->exec('RELEASE inner');
        self::assertSame([['news:4', []]], $this->told->take());
        $this->database->exec('RELEASE outer');

        self::assertSame(['after x'], $this->told->take());
    }

    public function testAllPagesGo(): void
    {
        $this->render(4);
        $this->told->take();
        $this->ledger->flush();
        self::assertSame([['', null], 'after four'], $this->told->take());
        $this->ledger->deploy();
        self::assertSame([['', null], 'after four'], $this->told->take());

        // What a view reads may be something else from now on.
        $this->database->exec('CREATE VIEW titles AS SELECT title FROM news');
        self::assertSame([['', null], 'after four'], $this->told->take());
    }

    public function testAPageThatMakesRoomForAnotherIsToldWithoutNames(): void
    {
        $this->news->remove();
        $this->news = new NewsSite(bytes: 40_000, routeShare: 1);
        $this->database = $this->news->connect();
        $this->ledger = $this->ledger($this->database);
        $make = fn(): Response => NewsSite::html(str_repeat('x', 10_000));
        $told = [];
        foreach ([1, 2, 3, 4] as $id) {
            $this->publish($id, $make);
            $told[] = $this->told->take();
        }

        self::assertSame([], $told[0]);
        self::assertContainsEquals([['', ['/news/1']], 'after four'], $told);
    }

    public function testListenersAreCalledInTheirOrder(): void
    {
        $called = [];
        $listener = static function (string $name, bool $then) use (&$called): Closure {
            return static function (AnnouncedChange $change) use ($name, $then, &$called): ?Closure {
                $called[] = "$name before";

                return $then ? static function () use ($name, &$called): void {
                    $called[] = "$name after";
                } : null;
            };
        };
        $change = new AnnouncedChange([], null);
        $all = new ChangeListeners([$listener('a', true), $listener('b', false), $listener('c', true)]);
        $then = $all->announce($change);
        self::assertNotNull($then);
        $then();

        self::assertSame(['a before', 'b before', 'c before', 'a after', 'c after'], $called);
        self::assertNull((new ChangeListeners([]))->announce($change));
        self::assertNull((new ChangeListeners([$listener('b', false)]))->announce($change));
    }

    private function ledger(RecordingPdo $database): SqlLedger
    {
        return (new SqlLedger(
            $database,
            new FilePageStore($this->news->site->pages, 'r1'),
            'r1',
            announced: $this->told->announced(...),
        ))->follow();
    }

    /** A render by the ledger that is listened to. */
    private function publish(int $id, Closure $make): void
    {
        $store = new FilePageStore($this->news->site->pages, 'r1');
        $renderer = new Renderer(
            $this->news->site,
            $this->ledger,
            $store,
            $this->database->registry(),
            new SystemClock(),
        );
        $page = PagePath::of("/news/$id") ?? throw new LogicException('It is canonical.');
        self::assertTrue($renderer->render($page, 'route', new Policy(['news'], null), $make)->isStored());
    }

    private function render(int ...$ids): void
    {
        foreach ($ids as $id) {
            $this->news->get("/news/$id", fn(): Response => $this->news->item($id));
        }
    }
}
