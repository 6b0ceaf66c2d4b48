<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Page\Context;
use Larder\Page\NginxTemplates;
use Larder\Page\Operations;
use Larder\Page\PageCache;
use Larder\Page\Pages;
use Larder\Page\Part;
use Larder\Page\PartKind;
use Larder\Page\PartName;
use Larder\Page\Serving;
use Larder\Page\Site;
use Larder\Page\Storage;
use Larder\Page\Urls;
use Larder\Page\Visitors;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Http\Response;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Site\RunningSite;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\ContextCookies;
use Larder\Tests\Support\NewsController;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

/** An editor gets the editor's box and everybody else the one for everybody, and neither asks PHP. */
#[CoversClass(NginxTemplates::class)]
#[CoversClass(PageCache::class)]
final class PartsByContextTest extends TestCase
{
    private const FRONT = <<<'PHP'
        <?php
        require %s;
        Larder\Tests\Page\PartsByContextTest::answer(%s, Larder\Tests\Page\PartsByContextTest::site(%2$s, %s));
        PHP;

    private TemporaryDirectory $directory;

    private ?RunningSite $running = null;

    private ?Memcached $memcached = null;

    private RecordingPdo $writer;

    private ContextCookies $cookies;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory('larder-boxes');
    }

    protected function tearDown(): void
    {
        $this->running?->stop();
        $this->memcached?->stop();
        $this->directory->remove();
    }

    /** @param list<string> $memcached */
    public static function site(string $home, array $memcached): Site
    {
        return new Site(
            name: 'news',
            hosts: ['localhost'],
            pages: $home . '/pages',
            list: $home . '/list.php',
            controllers: [NewsController::class],
            connect: static function () use ($home): RecordingPdo {
                $database = new RecordingPdo('sqlite:' . $home . '/data/site.sqlite');
                $database->exec('PRAGMA busy_timeout = 5000');

                return $database;
            },
            operations: new Operations(code: []),
            storage: new Storage(memcached: $memcached, patience: 2_000),
            serving: new Serving(
                // So that the next request is answered by nginx.
                answersFirst: false,
            ),
            urls: new Urls(
                parts: [new Part('box', PartKind::ByContext), new Part('shared'), new Part('own', PartKind::Private)],
            ),
            visitors: new Visitors(contexts: ContextCookies::contexts($home)),
        );
    }

    /** The front controller. */
    public static function answer(string $home, Site $site): void
    {
        $uri = \is_string($_SERVER['REQUEST_URI'] ?? null) ? $_SERVER['REQUEST_URI'] : '';
        $database = Pages::of($site)->connect();
        \assert($database instanceof RecordingPdo);
        $parts = Pages::of($site)->parts();
        $part = static function (string $name, Context $context) use ($home, $database): void {
            file_put_contents($home . '/data/made', "$name {$context->text()}\n", FILE_APPEND | LOCK_EX);
            $title = $database->select('SELECT title FROM news WHERE id = 4')[0]['title'] ?? '';
            echo "[$name of $title for ", $context->isAnonymous() ? 'everybody' : $context->text(), ']';
        };
        $name = str_starts_with($uri, PartName::PLACE) ? substr($uri, \strlen(PartName::PLACE)) : null;
        Pages::of($site)->plainFront($database, null, $parts, $part)->run(
            NewsController::class,
            $name === null
                ? static function () use ($uri, $parts): void {
                    echo 'page ', $parts->include(basename($uri));
                }
            : static fn(Context $context) => $part($name, $context),
        );
    }

    #[TestWith([false])]
    #[TestWith([true])]
    public function testEachContextHasItsOwnPartThatIsMadeOnce(bool $memcached): void
    {
        $this->start($memcached);
        $visitors = [
            'everybody' => [],
            'role:editor' => [$this->cookies->header()],
            'role:member' => [$this->cookies->header('member')],
            'language:fr.role:editor' => [$this->cookies->header('editor', 'fr')],
        ];
        foreach ([true, false] as $isNew) {
            foreach ($visitors as $context => $lines) {
                self::assertSame("page [box of old for $context]", $this->get('/in/box', $lines)->body);
                $made = $context === 'everybody' ? 'box ' : "box $context";
                self::assertSame($isNew ? [$made] : [], $this->made());
            }
        }
        $requests = $this->running?->php->requests();
        foreach ($visitors as $context => $lines) {
            $hit = $this->get('/in/box', $lines);
            self::assertSame("page [box of old for $context]", $hit->body);
            self::assertSame('larder; hit', $hit->header('cache-status'));
        }
        foreach ($this->cookies->worthless() as $name => $lines) {
            self::assertSame('page [box of old for everybody]', $this->get('/in/box', $lines)->body, $name);
        }
        self::assertSame($requests, $this->running?->php->requests(), 'PHP is not asked.');

        $this->writer->exec("UPDATE news SET title = 'new' WHERE id = 4");
        foreach ($visitors as $context => $lines) {
            self::assertSame("page [box of new for $context]", $this->get('/in/box', $lines)->body);
        }
        self::assertCount(\count($visitors), $this->made(), 'One change ends the part in all contexts.');
    }

    #[TestWith([false])]
    #[TestWith([true])]
    public function testWhatTheKeyDoesNotHoldIsRightForItsVisitorAndNotKept(bool $memcached): void
    {
        $this->start($memcached);
        $editor = [$this->cookies->header()];
        foreach (['shared', 'own'] as $name) {
            foreach ([[$editor, 'role:editor'], [[], 'everybody'], [$editor, 'role:editor']] as [$lines, $context]) {
                self::assertSame("page [$name of old for $context]", $this->get("/in/$name", $lines)->body);
                self::assertCount(1, $this->made(), $name);
            }
        }
        self::assertSame('page [box of old for role:editor]', $this->get('/in/box', $editor, 'POST')->body);
        self::assertSame('page [box of old for everybody]', $this->get('/in/box', [], 'POST')->body);
        self::assertSame(404, $this->get('/@larder/part/box', $editor)->status);
        $direct = $this->get('/@=role:editor/@larder/part/box', []);
        self::assertStringNotContainsString('role:editor]', $direct->body);
        self::assertStringStartsWith('larder; fwd=bypass', (string) $direct->header('cache-status'));
    }

    private function start(bool $memcached): void
    {
        $home = $this->directory->path;
        mkdir($home . '/data');
        if ($memcached) {
            $this->memcached = new Memcached($home . '/mc', socket: true);
        }
        $servers = $this->memcached === null ? [] : [$this->memcached->endpoint()->address()];
        $site = self::site($home, $servers);
        file_put_contents($home . '/front.php', \sprintf(self::FRONT, ...array_map(
            static fn(mixed $word): string => var_export($word, true),
            [\dirname(__DIR__, 4) . '/vendor/autoload.php', $home, $servers],
        )));
        $this->cookies = ContextCookies::of(ContextCookies::contexts($home));
        $writer = Pages::of($site)->connect();
        self::assertInstanceOf(RecordingPdo::class, $writer);
        $this->writer = $writer;
        $writer->exec('PRAGMA journal_mode = WAL');
        $writer->exec('CREATE TABLE news (id INTEGER PRIMARY KEY, title TEXT)');
        $writer->exec('CREATE TABLE comment (id INTEGER PRIMARY KEY)');
        $writer->exec("INSERT INTO news VALUES (4, 'old')");
        Pages::of($site)->deploy('r1');
        $this->running = RunningSite::start($site, $home . '/run', $home . '/front.php', writable: [$home . '/data']);
    }

    /** @param list<string> $lines */
    private function get(string $uri, array $lines, string $method = 'GET'): Response
    {
        $connection = new Connection('127.0.0.1:' . $this->running?->port, 'localhost');
        $answer = $connection->request($uri, $lines, $method);
        $connection->close();
        self::assertNotNull($answer);

        return $answer;
    }

    /** @return list<string> what was made since the last look */
    private function made(): array
    {
        $file = $this->directory->path . '/data/made';
        $lines = is_file($file) ? file($file, FILE_IGNORE_NEW_LINES) : [];
        @unlink($file);

        return $lines === false ? [] : $lines;
    }
}
