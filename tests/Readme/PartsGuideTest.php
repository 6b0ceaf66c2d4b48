<?php

declare(strict_types=1);

namespace Larder\Tests\Readme;

use Larder\Tests\Support\GuideSite;
use PDO;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;

/** Runs the site of docs/how-to/parts.md on nginx and php-fpm. */
#[CoversNothing]
final class PartsGuideTest extends TestCase
{
    private ?GuideSite $site = null;

    protected function tearDown(): void
    {
        $this->site?->stop();
    }

    public function testEachPartIsKeptAsTheGuideSays(): void
    {
        $site = $this->site = new GuideSite('parts.md', prepare: static function (GuideSite $site): void {
            $database = new PDO('sqlite:' . $site->path('var/data/news.sqlite'));
            $database->exec('CREATE TABLE news (id INTEGER PRIMARY KEY, title TEXT)');
            $database->exec("INSERT INTO news (title) VALUES ('First'), ('Last')");
        });
        self::assertSame(['larder.php', 'controllers.php', 'public/index.php'], $site->shown);
        $page = static fn(string $who, string $latest = 'Last'): string
            => "<h1>First</h1><p>Latest: $latest</p><p>Hello $who</p>";
        foreach (['fwd=miss; stored', 'hit'] as $status) {
            $answer = $site->ask('/');
            self::assertSame([$page('stranger'), "larder; $status"], [$answer->body, $answer->header('cache-status')]);
        }
        $requests = $site->php->requests();
        self::assertSame($page('Ann'), $site->ask('/', ['Cookie: name=Ann'])->body);
        self::assertSame(1, $site->php->requests() - $requests, 'PHP makes the private part alone.');
        self::assertSame($page('Bob'), $site->ask('/', ['Cookie: PHPSESSID=1; name=Bob'])->body, 'PHP makes it whole.');
        self::assertSame(404, $site->ask('/@larder/part/box/latest')->status);
    }
}
