<?php

declare(strict_types=1);

namespace App\Tests\Site;

use Larder\Page\NginxConfig;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** PHP is only needed for what is not there yet. */
#[CoversClass(NginxConfig::class)]
final class FpmStoppedTest extends TestCase
{
    public function testHitsGoOnAndAMissSaysSoAndIsNotStored(): void
    {
        $site = LiveSite::example();
        try {
            $pages = [];
            foreach (['/', '/news/4', '/category/jars?page=2', '/feed'] as $uri) {
                $pages[$uri] = $site->get($uri)->body;
            }
            $stored = $site->stored();
            $site->servers->php->stop();

            foreach ($pages as $uri => $body) {
                $hit = $site->get($uri);
                self::assertSame([200, 'larder; hit', $body], [$hit->status, $hit->header('Cache-Status'), $hit->body]);
                self::assertSame(304, $site->get($uri, ['If-None-Match' => (string) $hit->header('ETag')])->status);
            }
            foreach ([
                $site->get('/news/5'),
                $site->get('/news/4?x=1'),
                $site->get('/news/4', ['Cookie' => 'app_session=a']),
                $site->post('/news/4/comment', ['author' => 'a', 'text' => 'b']),
            ] as $miss) {
                self::assertSame(
                    [503, 'no-store', '5'],
                    [$miss->status, $miss->header('Cache-Control'), $miss->header('Retry-After')],
                );
                self::assertStringContainsString('Please try again', $miss->body);
            }
            self::assertSame($stored, $site->stored());

            $site->servers->php->start();
            self::assertSame('larder; fwd=miss; stored', $site->get('/news/5')->header('Cache-Status'));
            self::assertSame('larder; hit', $site->get('/news/5')->header('Cache-Status'));
            self::assertSame('larder; hit', $site->get('/news/4')->header('Cache-Status'));
        } finally {
            $site->stop();
        }
    }
}
