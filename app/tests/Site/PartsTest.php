<?php

declare(strict_types=1);

namespace App\Tests\Site;

use Larder\Page\Middleware;
use Larder\Page\Parts;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** The page of the comment form: kept for all, with a box that is kept by itself and the visitor's own fields. */
#[CoversClass(Middleware::class)]
#[CoversClass(Parts::class)]
final class PartsTest extends TestCase
{
    private static LiveSite $site;

    public static function setUpBeforeClass(): void
    {
        self::$site = LiveSite::example();
    }

    public static function tearDownAfterClass(): void
    {
        self::$site->stop();
    }

    public function testTheFormHasTheVisitorsOwnTokenAndThePageStaysAHit(): void
    {
        $miss = self::$site->get('/news/7/comment');
        self::assertSame('larder; fwd=miss; stored', $miss->header('cache-status'));
        self::assertStringContainsString('name="token" value=""', $miss->body);
        $form = ['author' => 'Ann & Bo', 'text' => 'I say so.', 'token' => ''];
        $cookie = (string) self::$site->post('/news/7/comment', $form)->header('set-cookie');
        self::assertMatchesRegularExpression('/^app_visitor=[0-9a-f]{32}\.[^;]+; .*HttpOnly; SameSite=Lax$/', $cookie);
        $visitor = ['Cookie' => explode(';', $cookie)[0]];

        $own = self::$site->get('/news/7/comment', $visitor);
        self::assertSame('larder; hit', $own->header('cache-status'));
        self::assertSame(1, preg_match('/name="token" value="([0-9a-f]{64})"/', $own->body, $found));
        self::assertStringContainsString('value="Ann &amp; Bo"', $own->body);
        self::assertStringNotContainsString('Ann', self::$site->get('/news/7/comment')->body);

        $post = static fn(string $token): int => self::$site->ask(
            'POST',
            '/news/7/comment',
            $visitor + ['Content-Type' => 'application/x-www-form-urlencoded', 'Sec-Fetch-Site' => 'cross-site'],
            http_build_query(['token' => $token] + $form),
        )->status;
        self::assertSame([303, 422, 422], [$post($found[1]), $post(str_repeat('0', 64)), $post('')]);
        self::assertSame('', self::$site->log());
    }

    public function testAnEditMakesTheBoxAnewAndNotThePage(): void
    {
        self::$site->get('/news/8/comment');
        self::$site->post('/news/60/edit', [
            'title' => 'A new title', 'summary' => 'A summary.', 'body' => 'A body.', 'category' => 'jars',
            'author' => 'Ann',
        ]);
        $page = self::$site->get('/news/8/comment');
        self::assertSame('larder; hit', $page->header('cache-status'));
        self::assertStringContainsString('<li><a href="/news/60">A new title</a></li>', $page->body);
    }

    public function testPhpAlonePutsTogetherTheSameBytes(): void
    {
        $nginx = self::$site->get('/news/9/comment');
        $php = self::$site->get('/news/9/comment', ['Authorization' => 'Basic eDp5']);
        self::assertStringStartsWith('larder; fwd=bypass', (string) $php->header('cache-status'));
        self::assertSame($nginx->body, $php->body);
        $off = LiveSite::example(['APP_CACHE' => 'off']);
        try {
            // Another test edits it.
            $title = '~(?<=/news/60">)[^<]*~';
            self::assertSame(
                preg_replace($title, '', $nginx->body),
                preg_replace($title, '', $off->get('/news/9/comment')->body),
            );
        } finally {
            $off->stop();
        }
    }
}
