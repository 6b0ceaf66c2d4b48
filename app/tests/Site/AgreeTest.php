<?php

declare(strict_types=1);

namespace App\Tests\Site;

use Larder\Page\NginxConfig;
use Larder\Page\PageCache;
use Larder\Testbed\Http\Response;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/**
 * A visitor cannot tell a miss, which PHP answers, from the hits after it, which nginx answers; and validators tell
 * versions apart.
 */
#[CoversClass(NginxConfig::class)]
#[CoversClass(PageCache::class)]
final class AgreeTest extends TestCase
{
    private const GZIP = ['Accept-Encoding' => 'gzip'];

    private static LiveSite $site;

    public static function setUpBeforeClass(): void
    {
        self::$site = LiveSite::example();
    }

    public static function tearDownAfterClass(): void
    {
        self::$site->stop();
    }

    protected function setUp(): void
    {
        self::$site->flush();
    }

    /**
     * @return iterable<string, array{array<string, string>, array<string, string>}> headers of the first visitor, of
     *     the second
     */
    public static function encodings(): iterable
    {
        yield 'plain' => [[], self::GZIP];
        yield 'gzip' => [self::GZIP, []];
    }

    /**
     * @param array<string, string> $headers
     * @param array<string, string> $others
     */
    #[DataProvider('encodings')]
    public function testMissAndHitOfEveryPageAgree(array $headers, array $others): void
    {
        $uris = array_keys(Crawl::bodies(self::$site));
        self::assertGreaterThan(75, \count($uris));
        self::$site->flush();
        foreach ($uris as $uri) {
            [$miss, $hit] = $this->missAndHit($uri, $headers);
            self::assertSame(
                [200, 'no-cache', 'Accept-Encoding', null],
                [$miss->status, $miss->header('Cache-Control'), $miss->header('Vary'), $miss->header('Last-Modified')],
                $uri,
            );
            self::assertSame(
                str_starts_with($uri, '/feed') ? 'application/rss+xml; charset=utf-8' : 'text/html; charset=utf-8',
                $miss->header('Content-Type'),
                $uri,
            );
            self::assertMatchesRegularExpression('/^"[0-9a-f]+-[0-9a-f]+"$/', (string) $miss->header('ETag'));
            self::assertSame($headers === [] ? null : 'gzip', $miss->header('Content-Encoding'));
            self::assertSame(self::comparable($miss), self::comparable($hit), $uri);
            self::assertSame($miss->body, $hit->body, $uri);
            $this->assertOtherForm($miss, self::$site->get($uri, $others), $uri);
        }
    }

    public function testAnEditWithinTheSecondAndOfEqualLengthIsSeen(): void
    {
        $letter = 'a';
        do {
            $second = time();
            $old = $this->edited(++$letter);
            $new = $this->edited(++$letter);
        } while (time() !== $second);

        self::assertSame(\strlen($old->body), \strlen($new->body));
        foreach ([[], self::GZIP] as $headers) {
            $current = self::$site->get('/news/9', $headers);
            self::assertSame('larder; hit', $current->header('Cache-Status'));
            $stale = self::$site->get('/news/9', ['If-None-Match' => (string) $old->header('ETag')] + $headers);
            self::assertSame([200, $current->body], [$stale->status, $stale->body]);
            $same = self::$site->get('/news/9', ['If-None-Match' => (string) $current->header('ETag')] + $headers);
            self::assertSame(
                [304, '', $current->header('ETag'), 'no-cache', 'Accept-Encoding'],
                [
                    $same->status,
                    $same->body,
                    $same->header('ETag'),
                    $same->header('Cache-Control'),
                    $same->header('Vary'),
                ],
            );
        }
    }

    public function testAConditionalRequestThatIsAMissGetsThePage(): void
    {
        $old = $this->edited('y');
        self::$site->flush();
        foreach ([(string) $old->header('ETag'), '*'] as $tag) {
            self::$site->flush();
            $answer = self::$site->get(
                '/news/9',
                ['If-None-Match' => $tag, 'If-Modified-Since' => 'Fri, 01 Jan 2300 00:00:00 GMT'],
            );
            self::assertSame([200, $old->body], [$answer->status, $answer->body]);
        }
        self::assertNotSame(
            $old->header('ETag'),
            self::$site->get('/news/9')->header('ETag'),
            'A flush does not bring a number back.',
        );
        self::assertSame(
            200,
            self::$site->get('/news/9', ['If-Modified-Since' => 'Fri, 01 Jan 2300 00:00:00 GMT'])->status,
        );
    }

    public function testHeadOfAHitIsTheHitWithoutItsBody(): void
    {
        foreach (['/', '/feed', '/category/jars?page=2'] as $uri) {
            foreach ([[], self::GZIP] as $headers) {
                self::$site->get($uri);
                $get = self::$site->get($uri, $headers);
                $head = self::$site->ask('HEAD', $uri, $headers);
                self::assertSame(['larder; hit', ''], [$head->header('Cache-Status'), $head->body]);
                self::assertSame(self::comparable($get), self::comparable($head));
            }
        }
    }

    /**
     * Saves item 9 with a summary of one letter more, of the same length each time, and gets its page as nginx has it.
     */
    private function edited(string $letter): Response
    {
        $fields = ['title' => 'nine', 'summary' => 'letter ' . $letter, 'body' => 'text', 'category' => 'jars'];
        self::assertSame(303, self::$site->post('/news/9/edit', $fields)->status);
        $page = self::$site->get('/news/9');
        self::assertSame('larder; fwd=miss; stored', $page->header('Cache-Status'));
        self::assertStringContainsString('letter ' . $letter, $page->body);

        return self::$site->get('/news/9');
    }

    /**
     * A page of policy ttl may have its end between the two.
     *
     * @param array<string, string> $headers
     *
     * @return array{Response, Response}
     */
    private function missAndHit(string $uri, array $headers): array
    {
        for ($try = 1; ; ++$try) {
            if ($try > 1) {
                self::$site->flush();
            }
            $miss = self::$site->get($uri, $headers);
            $requests = self::$site->servers->php->requests();
            $hit = self::$site->get($uri, $headers);
            if ($hit->header('Cache-Status') === 'larder; hit' || $try === 10) {
                self::assertSame(
                    ['larder; fwd=miss; stored', 'larder; hit'],
                    [$miss->header('Cache-Status'), $hit->header('Cache-Status')],
                    $uri,
                );
                self::assertSame($requests, self::$site->servers->php->requests(), 'nginx answers, and not PHP.');

                return [$miss, $hit];
            }
        }
    }

    private function assertOtherForm(Response $page, Response $other, string $uri): void
    {
        $text = static fn(Response $answer): string => $answer->header('Content-Encoding') === 'gzip'
            ? (string) gzdecode($answer->body)
            : $answer->body;
        if ($other->header('Cache-Status') === 'larder; hit') {
            self::assertSame($text($page), $text($other), $uri);
            self::assertNotSame($page->header('Content-Encoding'), $other->header('Content-Encoding'));
            self::assertNotSame($page->header('ETag'), $other->header('ETag'));
        } else {
            self::assertStringStartsWith('/find/', $uri, 'Only a page of policy ttl ends by itself.');
        }
    }

    /**
     * @return array<string, string> all headers but the clock's, Larder's own word, and that nginx offers parts of a
     *     file
     */
    private static function comparable(Response $answer): array
    {
        $headers = array_diff_key($answer->headers, ['date' => 1, 'cache-status' => 1, 'accept-ranges' => 1]);
        ksort($headers);

        return ['status' => (string) $answer->status] + $headers;
    }
}
