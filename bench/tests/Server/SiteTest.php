<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Server;

use App\Import\Importer;
use Larder\Bench\Server\PageScripts;
use Larder\Bench\Server\PageSite;
use Larder\Testbed\Server\Scratch;
use Larder\Testbed\Server\Wire;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;

#[CoversClass(PageSite::class)]
#[CoversClass(PageScripts::class)]
#[RequiresPhpExtension('pdo_sqlite')]
final class SiteTest extends TestCase
{
    private static ?Scratch $scratch = null;
    private static ?PageSite $site = null;

    public static function setUpBeforeClass(): void
    {
        self::$scratch = Scratch::in(sys_get_temp_dir(), 'lbt');
        chmod(self::$scratch->path, 0o755);
        self::$site = new PageSite(self::$scratch->path . '/s', self::items(self::$scratch->path . '/items.sqlite'), 2);
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
                'echo',
                'app',
                'uncached',
                ...($kilobytes === 2 ? ['include-1', 'include-10', 'include-100'] : []),
            ];
            $bodies = [];
            foreach ($forms as $form) {
                for ($request = 0; $request < 3; ++$request) {
                    $answer = Wire::get($urls["{$form}-{$kilobytes}"] ?? '');
                    self::assertSame(
                        [200, 'text/html; charset=utf-8'],
                        [$answer['status'] ?? null, $answer['headers']['content-type'] ?? null],
                        "{$form}-{$kilobytes}",
                    );
                    $bodies[] = $answer['body'] ?? '';
                }
            }
            self::assertCount(1, array_unique($bodies));
            self::assertSame($bytes, \strlen($bodies[0] ?? ''));
        }
    }

    public function testWithoutASizeItIsTheSmallest(): void
    {
        $urls = self::urls();
        foreach (['static', 'hit', 'echo', 'app', 'uncached', 'include-1', 'include-10', 'include-100'] as $form) {
            self::assertSame($urls["{$form}-2"] ?? null, $urls[$form] ?? '');
        }
    }

    public function testOnlyAHitComesOutOfThePageStoreAndItsCeilingSendsTheSameHeaders(): void
    {
        $headers = array_map(static fn(string $url): array => Wire::get($url)['headers'] ?? [], self::urls());
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
        self::assertStringContainsString('The Pantry', Wire::get((self::urls()['url'] ?? '') . '/')['body'] ?? '');
        self::assertGreaterThanOrEqual(5, \count(self::site()->endpoint()->pids));
        self::assertTrue(self::site()->isRunning());
        self::assertStringContainsString('2 workers, page store in', self::site()->version());
        self::assertStringContainsString('nginx', self::site()->command());
    }

    /** A site with one item, without a look at apt's lists. */
    private static function items(string $file): string
    {
        Importer::create($file);
        $database = new PDO('sqlite:' . $file, null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
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
