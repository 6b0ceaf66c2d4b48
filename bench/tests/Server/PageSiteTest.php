<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Server;

use Larder\Bench\Exception\UsageError;
use Larder\Bench\Server\PageScripts;
use Larder\Bench\Server\PageSite;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\TemporaryDirectory;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;

#[CoversClass(PageSite::class)]
#[CoversClass(PageScripts::class)]
#[RequiresPhpExtension('pdo_sqlite')]
final class PageSiteTest extends TestCase
{
    private const APP = __DIR__ . '/../../../app';
    private const OTHER = __DIR__ . '/../../../testbed/tests/Site/fixtures/site';

    private static ?TemporaryDirectory $scratch = null;
    private static ?PageSite $site = null;

    public static function setUpBeforeClass(): void
    {
        self::$scratch = new TemporaryDirectory('lbt', sys_get_temp_dir());
        chmod(self::$scratch->path, 0o755);
        $database = self::items(self::$scratch->path . '/items.sqlite');
        self::$site = new PageSite((string) realpath(self::APP), self::$scratch->path . '/s', $database, 2);
    }

    public static function tearDownAfterClass(): void
    {
        self::$site?->stop();
        self::$site = null;
        self::$scratch?->remove();
    }

    public function testAllFormsOfASizeSendTheSameBytesEachTime(): void
    {
        $urls = self::urls();
        foreach (['2' => 2_042, '10' => 10_000, '38' => 38_000, '200' => 200_000] as $kilobytes => $bytes) {
            $forms = [
                'static',
                'hit',
                'memcached',
                'memcached-connect',
                'ttl',
                'echo',
                'app',
                'uncached',
                ...($kilobytes === 2 ? ['include-1', 'include-10', 'include-100'] : []),
            ];
            $bodies = [];
            foreach ($forms as $form) {
                for ($request = 0; $request < 3; ++$request) {
                    $answer = Connection::fetch($urls["{$form}-{$kilobytes}"] ?? '');
                    self::assertSame(
                        [200, 'text/html; charset=utf-8'],
                        [$answer->status, $answer->headers['content-type'] ?? null],
                        "{$form}-{$kilobytes}",
                    );
                    $bodies[] = $answer->body;
                }
            }
            self::assertCount(1, array_unique($bodies));
            self::assertSame($bytes, \strlen($bodies[0] ?? ''));
        }
    }

    public function testWithoutASizeItIsTheSmallest(): void
    {
        $urls = self::urls();
        $cached = ['hit', 'memcached', 'memcached-connect', 'ttl'];
        $includes = ['include-1', 'include-10', 'include-100'];
        foreach (['static', ...$cached, 'echo', 'app', 'uncached', ...$includes] as $form) {
            self::assertSame($urls["{$form}-2"] ?? null, $urls[$form] ?? '');
        }
    }

    public function testOnlyAHitComesOutOfThePageStoreAndItsCeilingSendsTheSameHeaders(): void
    {
        $headers = array_map(static fn(string $url): array => Connection::fetch($url)->headers, self::urls());
        $hit = $headers['hit'] ?? [];
        $static = $headers['static'] ?? [];
        self::assertSame('larder; hit', $hit['cache-status'] ?? null);
        self::assertStringStartsWith('larder; fwd=bypass', $headers['app']['cache-status'] ?? '');
        self::assertArrayNotHasKey('cache-status', $headers['uncached'] ?? []);
        // Another file has another ETag.
        unset($hit['date'], $static['date'], $hit['etag'], $static['etag']);
        ksort($hit);
        ksort($static);
        self::assertSame($hit, $static);
    }

    public function testTheSiteItselfIsThere(): void
    {
        self::assertStringContainsString('The Pantry', Connection::fetch((self::urls()['url'] ?? '') . '/')->body);
        self::assertGreaterThanOrEqual(5, \count(self::site()->endpoint()->pids));
        self::assertTrue(self::site()->isRunning());
        self::assertStringContainsString('2 workers, page store in', self::site()->version());
        self::assertStringContainsString('nginx', self::site()->command());
    }

    public function testAnotherSiteHasOnePageOfItsOwnSize(): void
    {
        $directory = self::$scratch->path ?? '';
        $database = $directory . '/other.sqlite';
        (new PDO('sqlite:' . $database))->exec('CREATE TABLE item (id INTEGER PRIMARY KEY)');
        $site = new PageSite((string) realpath(self::OTHER), $directory . '/o', $database, 1);
        try {
            $urls = $site->endpoint()->extra;
            $ways = [
                'static', 'memcached', 'memcached-connect', 'ttl', 'echo', 'app', 'uncached',
                'include-1', 'include-10', 'include-100',
            ];
            self::assertSame(['url', ...$ways], array_keys($urls), 'it stores no pages, so there is no hit');
            foreach ($ways as $way) {
                self::assertSame(
                    Connection::fetch($urls['url'] . '/')->body,
                    Connection::fetch($urls[$way] ?? '')->body,
                );
            }
        } finally {
            $site->stop();
        }
    }

    public function testASiteIsADirectoryWithItsFiles(): void
    {
        self::assertSame(realpath(self::OTHER), PageSite::root(self::OTHER));
        self::assertSame(realpath(self::APP), PageSite::root(null));
        $this->expectException(UsageError::class);
        $this->expectExceptionMessage('--site=' . __DIR__ . ': there is no larder.php in it.');
        PageSite::root(__DIR__);
    }

    /** The database of the site with one item, without an import. */
    private static function items(string $file): string
    {
        $database = new PDO('sqlite:' . $file, null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
        $database->exec((string) file_get_contents(self::APP . '/sql/schema.sqlite.sql'));
        $database->exec(
            "INSERT INTO news (title, summary, body, category, author) VALUES ('one', 'An item', 'An item.', 'misc', "
                . "'Nobody')",
        );
        $database->exec('PRAGMA wal_checkpoint(TRUNCATE)');

        return $file;
    }

    private static function site(): PageSite
    {
        return self::$site ?? throw new \LogicException('setUpBeforeClass() starts it.');
    }

    /** @return array<string, string> */
    private static function urls(): array
    {
        return self::site()->endpoint()->extra;
    }
}
