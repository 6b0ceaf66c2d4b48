<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Closure;
use Larder\Exception\LarderException;
use Larder\Page\FilePageStore;
use Larder\Page\Machine;
use Larder\Page\PagePath;
use Larder\Page\PageStore;
use Larder\Page\Response;
use Larder\Sql\Exception\PageStoreFailed;
use Larder\Sql\Ledger\SqlLedger;
use Larder\Sql\Tracker\RowChange;
use Larder\Testbed\TemporaryDirectory;
use Larder\Testing\PageStoreContract;
use Larder\Tests\Support\AgedFiles;
use Larder\Tests\Support\Containers;
use Larder\Tests\Support\NewsSite;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;

#[CoversClass(FilePageStore::class)]
final class FilePageStoreTest extends PageStoreContract
{
    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        parent::setUp();
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    protected function open(): PageStore
    {
        return new FilePageStore($this->directory->path, 'r1');
    }

    public function testARedirectCountsTheDirectoriesThatItLeadsThrough(): void
    {
        $path = PagePath::of('/old')?->answered(301) ?? self::fail();
        $store = $this->open();
        $draft = $store->draft($path, new Response(301, [], '/new/a/b'));

        self::assertSame(4096 * (1 + 1 + 5), $draft->bytes, 'The link, its directory, and to/<draft>/p/new/a/b=.');
        self::assertNull($store->objection($path, new Response(301, [], str_repeat('/a', 30))));
        self::assertSame(
            'the Location has 31 slashes, more than 30',
            $store->objection($path, new Response(301, [], str_repeat('/a', 31))),
        );
    }

    public function testDraftsTakeNoMoreThanThePagesMay(): void
    {
        $path = PagePath::of('/a') ?? self::fail();
        $store = new FilePageStore($this->directory->path, 'r1', new AgedFiles(), most: 4 * 4096);
        $store->draft($path, new Response(200, [], 'one'));
        $second = $store->draft($path, new Response(200, [], 'two'));
        try {
            $store->draft($path, new Response(200, [], 'three'));
            self::fail('Each of the two has a twin, so there is no room.');
        } catch (PageStoreFailed $failed) {
            self::assertStringContainsString('take 16384 bytes', $failed->getMessage());
        }
        file_put_contents($this->directory->path . '/draft/' . $second->name, AgedFiles::OLD);
        file_put_contents($this->directory->path . '/draft/' . $second->name . '.gz', AgedFiles::OLD);
        $store->draft($path, new Response(200, [], 'three'));
        self::assertCount(4, $this->directory->files('draft'));
    }

    /** Each draft removes twice what it adds, in whatever pieces that lies there, and no more. */
    public function testWhatWasPutAsideGoesWithTheDraftsThatFollow(): void
    {
        $path = PagePath::of('/a') ?? self::fail();
        $store = $this->open();
        foreach (range(1, 200) as $number) {
            mkdir($this->directory->path . "/aside/$number/deep", recursive: true);
            file_put_contents($this->directory->path . "/aside/$number/deep/page", str_repeat('x', 5000));
        }
        foreach ([199, 198, 197] as $left) {
            $store->draft($path, new Response(200, [], 'x'));
            self::assertCount($left, $this->directory->files('aside'), 'Two blocks, and two directories of one each.');
        }
    }

    /** Its nginx would go on to serve them. */
    public function testOfPagesInAnotherContainerNothingChanges(): void
    {
        $news = new NewsSite();
        $containers = new Containers($news->site->pages);
        $title = static fn(): string => $news->item(4)->body;
        $before = $title();
        $write = static fn() => self::write($news, 'changed');
        try {
            $containers->in('one', static fn(): Response => $news->get('/news/4'));
            foreach ([
                'a change of a row' => $write,
                'a change of the schema' => static fn() => $news->connect()->exec('ALTER TABLE news ADD more INT'),
                'a flush' => static fn() => $news->ledger()->flush(),
                'a deployment' => static fn() => $news->ledger()->deploy(),
            ] as $what => $step) {
                $said = $containers->in('two', static fn(): string => self::refused($step));
                self::assertStringContainsString('larder deploy --take', $said, $what);
            }
            $status = $containers->in('two', static fn() => $news->get('/news/5')->header('cache-status'));
            self::assertStringContainsString('the pages are on another host', (string) $status);
            self::assertSame($before, $title());
            $containers->in('one', static function () use ($news, $write): void {
                self::assertTrue($news->stores('/news/4'));
                $write();
                self::assertFalse($news->stores('/news/4'));
            });
            $containers->in('two', static function () use ($news, $write): void {
                $news->ledger()->deploy(takes: true);
                $news->get('/news/4');
                $write();
                self::assertFalse($news->stores('/news/4'));
            });
            $said = $containers->in('one', static fn(): string => self::refused($write));
            self::assertStringContainsString('larder deploy --take', $said);
        } finally {
            $news->remove();
        }
    }

    /** A schema that was changed past the ledger is found by whoever stores or changes next. */
    public function testAnotherContainerBeginsNoLifeForAnotherSchema(): void
    {
        $news = new NewsSite();
        $containers = new Containers($news->site->pages);
        try {
            $containers->in('one', static fn(): Response => $news->get('/news/4'));
            (new PDO('sqlite:' . $news->directory->path . '/site.sqlite'))->exec('ALTER TABLE news ADD more INT');
            $write = static fn() => self::write($news, 'x');
            $said = $containers->in('two', static fn(): string => self::refused($write));
            self::assertStringContainsString('larder deploy --take', $said);
            $status = $containers->in('two', static fn() => $news->get('/news/5')->header('cache-status'));
            self::assertStringContainsString('the pages are on another host', (string) $status);
            $containers->in('one', static function () use ($news): void {
                self::write($news, 'x');
                self::assertFalse($news->stores('/news/4'));
            });
        } finally {
            $news->remove();
        }
    }

    /** The directory is in memory, and the identity with it. */
    public function testAfterABootTheFirstChangeTakesTheEmptyDirectory(): void
    {
        $news = new NewsSite();
        $pages = $news->site->pages;
        $on = static fn(string $machine, string $boot): SqlLedger => (new SqlLedger(
            $news->connect(),
            new FilePageStore($pages, 'r1', machine: new Machine($machine, $boot)),
            'r1',
        ))->follow();
        $change = static fn(SqlLedger $ledger) => $ledger->transaction(
            static fn(RowChange $change) => $change->bulk('news'),
        );
        try {
            unlink("$pages/identity");
            $on('a', 'first')->deploy(takes: true);
            $identity = file_get_contents("$pages/identity");
            rename($pages, "$pages-gone");
            self::assertStringContainsString('--take', self::refused(static fn() => $change($on('b', 'second'))));
            self::assertStringContainsString('--take', self::refused(static fn() => $change($on('a', 'first'))));
            self::assertStringContainsString('--take', self::refused(static fn() => $change($on('', 'second'))));
            $change($on('a', 'second'));
            self::assertNotSame($identity, file_get_contents("$pages/identity"));
            $change($on('a', 'second'));
        } finally {
            $news->remove();
        }
    }

    /** Its next process makes it, or nobody. */
    public function testTheDirectoryOfAnotherPathIsNotMadeAnewAfterABoot(): void
    {
        $news = new NewsSite();
        $pages = $news->site->pages;
        $at = static fn(string $path, string $boot): SqlLedger => (new SqlLedger(
            $news->connect(),
            new FilePageStore($path, 'r1', machine: new Machine('a', $boot)),
            'r1',
        ))->follow();
        try {
            unlink("$pages/identity");
            $at($pages, 'first')->deploy(takes: true);
            $news->get('/news/4');
            self::assertTrue($news->stores('/news/4'));
            rename($pages, "$pages-gone");
            $at("$pages-other", 'second')->transaction(static fn(RowChange $change) => $change->bulk('news'));
            self::assertDirectoryDoesNotExist($pages);
            $at($pages, 'second')->transaction(static fn(RowChange $change) => $change->bulk('news'));
            self::assertFileExists("$pages/identity");
        } finally {
            $news->remove();
        }
    }

    private static function write(NewsSite $news, string $title): void
    {
        $database = $news->connect();
        $news->ledger(database: $database)->transaction(
            static fn() => $database->exec("UPDATE news SET title = '$title' WHERE id = 4"),
        );
    }

    /** @param Closure(): mixed $step */
    private static function refused(Closure $step): string
    {
        try {
            $step();

            return 'nothing was refused';
        } catch (LarderException $refused) {
            return $refused->getMessage();
        }
    }
}
