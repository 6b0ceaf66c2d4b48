<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Dependency\RecordingPdo;
use Larder\Exception\InvalidSite;
use Larder\Page\FilePageStore;
use Larder\Page\NginxConfig;
use Larder\Page\Operations;
use Larder\Page\PageRequest;
use Larder\Page\Pages;
use Larder\Page\Response;
use Larder\Page\Site;
use Larder\Page\Storage;
use Larder\Proof\Support\NewsController;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Site\RunningSite;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Psr\Log\NullLogger;

/** A site whose pages lie in a store that it opens itself. */
#[CoversClass(NginxConfig::class)]
#[CoversClass(Pages::class)]
#[CoversClass(Site::class)]
final class OwnPageStoreTest extends TestCase
{
    private const FRONT = <<<'PHP'
        <?php
        require %s;
        $site = Larder\Tests\Page\OwnPageStoreTest::site(%s);
        $database = Larder\Page\Pages::of($site)->connect();
        Larder\Page\Pages::of($site)->plainFront($database)->run(
            Larder\Proof\Support\NewsController::class,
            static function () use ($database): void {
                echo $database->select('SELECT title FROM news WHERE id = 4')[0]['title'];
            },
        );
        PHP;

    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public static function site(string $path): Site
    {
        return new Site(
            name: 'news',
            hosts: ['localhost'],
            pages: $path . '/host',
            list: $path . '/list.php',
            controllers: [NewsController::class],
            connect: static fn(): RecordingPdo => new RecordingPdo(
                "sqlite:$path/site.sqlite",
                logger: new NullLogger(),
            ),
            operations: new Operations(code: []),
            storage: new Storage(open: static fn(string $release) => new FilePageStore($path . '/own', $release)),
        );
    }

    public function testAllThatAsksForPagesOrDropsThemHasTheSameStore(): void
    {
        $site = $this->deployed();
        $database = Pages::of($site)->connect();
        self::assertInstanceOf(RecordingPdo::class, $database);
        $get = static fn(string $title): Response => Pages::of($site)->pageCache($database)->answer(
            new PageRequest('GET', '/news/4', false),
            NewsController::class,
            static function () use ($database, $title): Response {
                $database->select('SELECT title FROM news WHERE id = 4');

                return new Response(200, ['content-type' => ['text/html; charset=utf-8']], $title);
            },
        );
        self::assertSame('larder; fwd=miss; stored', $get('one')->header('cache-status'));
        $page = $site->urls->page('/news/4');
        self::assertNotNull($page);
        self::assertSame('one', Pages::of($site)->pageStore('r1')->read($page, false)?->bytes);
        self::assertFileExists($this->directory->path . '/own/r/r1/news/4~page');
        self::assertDirectoryDoesNotExist($site->pages . '/r');

        $database->exec('UPDATE news SET title = \'x\' WHERE id = 4');
        self::assertFileDoesNotExist($this->directory->path . '/own/r/r1/news/4~page');
        self::assertSame('two', $get('two')->body);
        Pages::of($site)->ledger($database)->flush();
        self::assertNull(Pages::of($site)->pageStore('r1')->read($page, false));
    }

    /** PHP hands out the hits, since nginx cannot look into such a store. */
    public function testNginxAsksPhpForEachPage(): void
    {
        $site = $this->deployed();
        $path = $this->directory->path;
        $front = $path . '/front.php';
        $words = [\dirname(__DIR__, 3) . '/vendor/autoload.php', $path];
        file_put_contents(
            $front,
            \sprintf(self::FRONT, ...array_map(static fn(string $word): string => var_export($word, true), $words)),
        );
        $running = RunningSite::start($site, $path . '/run', $front, workers: 1, writable: [$path, $path . '/own']);
        try {
            foreach (['fwd=miss; stored', 'hit', 'hit'] as $status) {
                $answer = Connection::ask("127.0.0.1:$running->port", 'GET', '/news/4', ['Host' => 'localhost']);
                self::assertSame([200, 'four'], [$answer->status, $answer->body]);
                self::assertSame('larder; ' . $status, $answer->headers['cache-status']);
            }
            self::assertSame(3, $running->php->requests());
        } finally {
            $running->stop();
        }
    }

    public function testPagesLieInOnePlace(): void
    {
        $this->expectException(InvalidSite::class);
        $this->expectExceptionMessage('not in both');
        new Site(
            'news',
            ['localhost'],
            '/srv/pages',
            '/srv/list.php',
            [],
            static fn() => throw InvalidSite::because('not asked'),
            storage: new Storage(
                memcached: ['127.0.0.1:11211'],
                open: static fn(string $release) => new FilePageStore('/srv/own', $release),
            ),
        );
    }

    private function deployed(): Site
    {
        $site = self::site($this->directory->path);
        $database = Pages::of($site)->connect();
        self::assertInstanceOf(RecordingPdo::class, $database);
        $database->exec('CREATE TABLE news (id INTEGER PRIMARY KEY, title TEXT)');
        $database->exec('CREATE TABLE comment (id INTEGER PRIMARY KEY)');
        $database->exec('INSERT INTO news VALUES (4, \'four\')');
        Pages::of($site)->deploy('r1');

        return $site;
    }
}
