<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Page\Area;
use Larder\Page\NginxConfig;
use Larder\Page\NginxTemplates;
use Larder\Page\Query;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Http\Response;
use Larder\Testbed\Site\StandIn;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** What nginx answers by itself. */
#[CoversClass(NginxConfig::class)]
#[CoversClass(NginxTemplates::class)]
final class NginxHitTest extends TestCase
{
    private const PAGES = [
        '/', '/news/4', '/news/5/', '/feed', '/feed/net', '/feeds', '/list', '/list?page=2', '/list/net?page=31',
        '/feed/net?page=2', '/c++,v1.0_:/-x', '/feed.d/x',
    ];
    private const RSS = 'application/rss+xml; charset=utf-8';

    private static ?StandIn $standIn = null;

    public static function setUpBeforeClass(): void
    {
        self::$standIn = new StandIn(
            [new Area('/feed', self::RSS)],
            [new Query('/list(?:/[a-z]+)?|/feed/net', ['page' => '[2-9]|[1-9]\d+'])],
        );
        foreach (self::PAGES as $uri) {
            self::$standIn->place($uri, self::page($uri));
        }
    }

    public static function tearDownAfterClass(): void
    {
        self::$standIn?->remove();
        self::$standIn = null;
    }

    /** @return iterable<string, array{string, string}> URI, Content-Type */
    public static function pages(): iterable
    {
        foreach (self::PAGES as $uri) {
            yield $uri => [$uri, preg_match('~^/feed(?:[/?]|$)~', $uri) === 1 ? self::RSS : Area::HTML];
        }
    }

    #[DataProvider('pages')]
    public function testServesThePageAsItIs(string $uri, string $type): void
    {
        $answer = $this->get($uri);

        self::assertSame(200, $answer->status);
        self::assertSame(self::page($uri), $answer->body);
        self::assertSame($type, $answer->header('Content-Type'));
        self::assertSame(self::etag(self::page($uri)), $answer->header('ETag'));
        self::assertSame('no-cache', $answer->header('Cache-Control'));
        self::assertSame('larder; hit', $answer->header('Cache-Status'));
        self::assertSame('Accept-Encoding', $answer->header('Vary'));
        self::assertSame('nosniff', $answer->header('X-Content-Type-Options'));
        self::assertSame("default-src 'self'; style-src 'self'", $answer->header('Content-Security-Policy'));
        self::assertNull($answer->header('Last-Modified'));
        self::assertNull($answer->header('Content-Encoding'));
    }

    #[DataProvider('pages')]
    public function testServesTheTwinToWhoeverTakesIt(string $uri, string $type): void
    {
        foreach ([
            ['Accept-Encoding' => 'gzip'],
            ['Accept-Encoding' => 'br;q=1.0, gzip;q=0.8', 'Via' => '1.0 proxy'],
        ] as $headers) {
            foreach (['1.0', '1.1'] as $version) {
                $answer = Connection::ask($this->standIn()->address, 'GET', $uri, $headers, version: $version);

                self::assertSame(200, $answer->status);
                self::assertSame('gzip', $answer->header('Content-Encoding'));
                self::assertSame(self::page($uri), gzdecode($answer->body));
                self::assertSame($type, $answer->header('Content-Type'));
                self::assertSame(self::etag($answer->body), $answer->header('ETag'));
                self::assertSame('Accept-Encoding', $answer->header('Vary'));
                self::assertNull($answer->header('Last-Modified'));
            }
        }
    }

    #[DataProvider('pages')]
    public function testAnswersAConditionalGetByTheEtagAlone(string $uri): void
    {
        foreach (['identity', 'gzip'] as $encoding) {
            $headers = ['Accept-Encoding' => $encoding];
            $etag = (string) $this->get($uri, $headers)->header('ETag');

            $same = $this->get($uri, $headers + ['If-None-Match' => $etag]);
            self::assertSame([304, ''], [$same->status, $same->body]);
            self::assertSame(
                [$etag, 'no-cache', 'larder; hit', 'Accept-Encoding'],
                array_map($same->header(...), ['ETag', 'Cache-Control', 'Cache-Status', 'Vary']),
            );
            self::assertSame(200, $this->get($uri, $headers + ['If-None-Match' => '"6-10"'])->status);
        }
    }

    public function testBelievesNoDate(): void
    {
        foreach ([self::generationDate(), gmdate('D, d M Y H:i:s \G\M\T'), 'Thu, 01 Jan 2099 00:00:00 GMT'] as $date) {
            self::assertSame(200, $this->get('/news/4', ['If-Modified-Since' => $date])->status);
        }
    }

    #[DataProvider('pages')]
    public function testAnswersHead(string $uri, string $type): void
    {
        $answer = Connection::ask($this->standIn()->address, 'HEAD', $uri);

        self::assertSame([200, ''], [$answer->status, $answer->body]);
        self::assertSame((string) \strlen(self::page($uri)), $answer->header('Content-Length'));
        self::assertSame([$type, 'larder; hit'], [$answer->header('Content-Type'), $answer->header('Cache-Status')]);
    }

    public function testServesRanges(): void
    {
        $answer = $this->get('/news/4', ['Range' => 'bytes=2-5']);
        self::assertSame(
            [206, substr(self::page('/news/4'), 2, 4), 'larder; hit'],
            [$answer->status, $answer->body, $answer->header('Cache-Status')],
        );

        $etag = (string) $answer->header('ETag');
        self::assertSame(206, $this->get('/news/4', ['Range' => 'bytes=2-5', 'If-Range' => $etag])->status);
        self::assertSame(200, $this->get('/news/4', ['Range' => 'bytes=2-5', 'If-Range' => '"6-10"'])->status);
        self::assertSame(416, $this->get('/news/4', ['Range' => 'bytes=90000-'])->status);
    }

    /** @return iterable<string, array{array<string, string>}> */
    public static function harmless(): iterable
    {
        yield 'another cookie' => [['Cookie' => '_ga=GA1.2.3; theme=dark']];
        yield 'a cookie whose name ends alike' => [['Cookie' => 'xapp_session=1']];
        yield 'an empty session cookie' => [['Cookie' => 'app_session=']];
        yield 'an empty Authorization' => [['Authorization' => '']];
        yield 'headers that a careless site would obey' => [[
            'X-Forwarded-Host' => 'evil.example',
            'X-HTTP-Method-Override' => 'PUT',
            'X-Original-URL' => '/admin',
            'Accept-Language' => 'xx',
        ]];
        yield 'the canonical host' => [['Host' => 'news.example']];
        yield 'a host in capitals' => [['Host' => 'NEWS.example:8080']];
    }

    /** @param array<string, string> $headers */
    #[DataProvider('harmless')]
    public function testIsNotPutOffBy(array $headers): void
    {
        self::assertSame('larder; hit', $this->get('/news/4', $headers)->header('Cache-Status'));
        self::assertSame('larder; hit', $this->get('/list?page=2', $headers)->header('Cache-Status'));
    }

    public function testServesTheFilesOfThePublicDirectoryAndNoOthers(): void
    {
        $style = $this->get('/style.css');
        self::assertSame(
            [200, 'body { color: black }', 'text/css; charset=utf-8'],
            [$style->status, $style->body, $style->header('Content-Type')],
        );
        self::assertSame(
            ['nosniff', 'no-cache', null],
            array_map($style->header(...), ['X-Content-Type-Options', 'Cache-Control', 'Cache-Status']),
        );
        self::assertSame(304, $this->get('/style.css', ['If-None-Match' => (string) $style->header('ETag')])->status);
        self::assertSame('a note', $this->get('/deep/note.txt')->body);

        foreach (['/secret.php', '/.env', '/deep', '/deep/', '/index.php', '/public/style.css'] as $uri) {
            self::assertSame($uri, StandIn::told($this->get($uri))['REQUEST_URI']);
        }
    }

    public function testAPageThatIsUnlinkedIsGoneAtOnce(): void
    {
        $standIn = $this->standIn();
        $standIn->place('/brief', 'first');
        self::assertSame('first', $this->get('/brief')->body);

        foreach (['', '.gz'] as $variant) {
            unlink($standIn->directory->path . '/pages/current/brief~page' . $variant);
        }

        self::assertSame('/brief', StandIn::told($this->get('/brief'))['LARDER_PAGE']);
    }

    private function standIn(): StandIn
    {
        self::assertNotNull(self::$standIn);

        return self::$standIn;
    }

    /** @param array<string, string> $headers */
    private function get(string $uri, array $headers = []): Response
    {
        return Connection::ask($this->standIn()->address, 'GET', $uri, $headers);
    }

    private static function page(string $uri): string
    {
        return str_repeat("<p>The page {$uri}</p>\n", 100);
    }

    private static function etag(string $body): string
    {
        return \sprintf('"%x-%x"', StandIn::GENERATION, \strlen($body));
    }

    private static function generationDate(): string
    {
        return gmdate('D, d M Y H:i:s \G\M\T', StandIn::GENERATION);
    }
}
