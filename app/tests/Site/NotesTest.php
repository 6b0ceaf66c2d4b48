<?php

declare(strict_types=1);

namespace App\Tests\Site;

use Larder\Page\NginxConfig;
use Larder\Testbed\Http\Connection;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** What the corner of a page shows comes from the page itself and from a header of nginx. */
#[CoversClass(NginxConfig::class)]
final class NotesTest extends TestCase
{
    public function testEachPageTellsFromWhatItWasMadeAndAHitThatItIsOne(): void
    {
        $live = LiveSite::example(['APP_NOTES' => 'on'], workers: 1);
        try {
            $ask = static fn(string $uri) => Connection::fetch($live->servers->url . $uri);
            [$miss, $hit, $script] = [$ask('/news/1'), $ask('/news/1'), $ask('/cache.js')];
        } finally {
            $live->stop();
        }

        self::assertSame('larder; fwd=miss; stored', $miss->header('cache-status'));
        self::assertNull($miss->header('server-timing'));
        self::assertSame('larder;desc=hit', $hit->header('server-timing'));
        self::assertSame($miss->body, $hit->body);
        self::assertStringContainsString('<script src="/cache.js" defer>', $hit->body);
        self::assertMatchesRegularExpression('~\n<!-- larder \{.*"news:1".*\} -->\n$~D', $hit->body);
        self::assertSame(200, $script->status);
        self::assertStringContainsString('javascript', (string) $script->header('content-type'));
    }
}
