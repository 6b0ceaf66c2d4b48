<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Page\Area;
use Larder\Page\NginxConfig;
use Larder\Page\NginxTemplates;
use Larder\Page\Query;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Http\Response;
use Larder\Testbed\Net\Exchange;
use Larder\Testbed\Site\StandIn;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** What nginx hands to PHP, and with which key. */
#[CoversClass(NginxConfig::class)]
#[CoversClass(NginxTemplates::class)]
final class NginxMissTest extends TestCase
{
    private const PAGE = 'the stored page';

    private static ?StandIn $standIn = null;

    public static function setUpBeforeClass(): void
    {
        self::$standIn = new StandIn(
            [new Area('/feed', 'application/rss+xml')],
            [new Query('/list', ['page' => '[^0].*']), new Query('/.*/all', ['q' => '.+'])],
            ['Accept-Language', 'X-Api-Version'],
        );
        foreach ([
            '/',
            '/news/4',
            '/news/5/',
            '/list?page=2',
            '/@2026-11-21T06:15+00:00/find/foo',
            '/feed/net',
        ] as $key) {
            self::$standIn->place($key, self::PAGE);
        }
        file_put_contents(self::$standIn->directory->path . '/pages/r/1/.hidden', self::PAGE);
    }

    public static function tearDownAfterClass(): void
    {
        self::$standIn?->remove();
        self::$standIn = null;
    }

    /** @return iterable<string, array{string}> */
    public static function keys(): iterable
    {
        foreach ([
            '/news/6',
            '/news/6/',
            '/news/5',
            '/news/4/',
            '/news/4/x.css',
            '/feed',
            '/feed/',
            '/feed/x',
            '/current',
            '/r/1/news/4',
            '/draft',
            '/list?page=3',
            '/a/b/all?q=x',
            '/' . str_repeat('a', 199),
            '/' . str_repeat('a/', 15) . 'b',
            '/a.b,c:d+e_f-g',
            '/news/a%20b',
            '/news/gr%C3%B6%C3%9Fe',
            '/%E2%82%AC/%22%3C',
        ] as $uri) {
            yield $uri => [$uri];
        }
    }

    #[DataProvider('keys')]
    public function testAMissReachesPhpWithItsKeyAndNothingThatIsNotInTheKey(string $uri): void
    {
        $headers = [
            'Host' => 'LOCALHOST:99',
            'Cookie' => 'theme=dark',
            'User-Agent' => 'x',
            'X-Forwarded-Host' => 'evil.example',
            'X-Larder-Page' => '/x',
            'Larder-Page' => '/x',
            'Proxy' => 'evil',
            'Range' => 'bytes=0-1',
            'If-None-Match' => '*',
            'Accept-Language' => 'de',
            'Accept-Encoding' => 'gzip',
            'Content-Type' => 'text/evil',
            'Script-Filename' => '/x',
        ];
        $answer = Connection::ask($this->standIn()->address, 'GET', $uri, $headers, 'a body');
        $told = StandIn::told($answer);

        self::assertSame(200, $answer->status);
        self::assertSame($uri, $told['LARDER_PAGE']);
        self::assertSame($uri, $told['REQUEST_URI']);
        self::assertSame((string) parse_url($uri, PHP_URL_QUERY), $told['QUERY_STRING']);
        self::assertSame(
            ['news.example', 'GET', 'HTTP/1.1', '/index.php'],
            [$told['SERVER_NAME'], $told['REQUEST_METHOD'], $told['SERVER_PROTOCOL'], $told['SCRIPT_NAME']],
        );
        self::assertSame('', $told['body']);
        self::assertSame(
            ['HTTP_ACCEPT_LANGUAGE' => 'de'],
            array_filter(
                $told,
                static fn(int|string $name): bool => str_starts_with((string) $name, 'HTTP_'),
                ARRAY_FILTER_USE_KEY,
            ),
        );
        self::assertSame('gzip', $told['LARDER_ACCEPT_ENCODING']);
        foreach ([
            'REMOTE_ADDR', 'REMOTE_PORT', 'SERVER_PORT', 'SERVER_ADDR', 'CONTENT_TYPE', 'CONTENT_LENGTH', 'HTTPS',
            'PATH_INFO',
        ] as $name) {
            self::assertArrayNotHasKey($name, $told);
        }
    }

    /** @return iterable<string, array{string, string}> */
    public static function encodings(): iterable
    {
        yield 'none' => ['', ''];
        yield 'gzip' => ['gzip', 'gzip'];
        yield 'browser' => ['gzip, deflate, br', 'gzip'];
        yield 'second' => ['br;q=1.0, gzip;q=0.8, *;q=0.1', 'gzip'];
        yield 'in capitals' => ['GZIP', 'gzip'];
        yield 'refused' => ['gzip;q=0', ''];
        yield 'refused with digits' => ['deflate, gzip; q=0.000', ''];
        yield 'another word' => ['x-gzippy', ''];
        yield 'markup' => ['<script>, gzip', 'gzip'];
    }

    #[DataProvider('encodings')]
    public function testPhpGetsOneWordOfAcceptEncodingAndNginxDecidesTheSameForAHit(string $header, string $word): void
    {
        $headers = $header === '' ? [] : ['Accept-Encoding' => $header];

        self::assertSame(
            [$word, $word === '' ? null : $word],
            [
                StandIn::told(
                    Connection::ask($this->standIn()->address, 'GET', '/news/6', $headers),
                )['LARDER_ACCEPT_ENCODING'],
                Connection::ask($this->standIn()->address, 'GET', '/news/4', $headers)->header('Content-Encoding'),
            ],
        );
    }

    public function testAMissHasTheSiteHeadersAndNoneOfAHit(): void
    {
        foreach (['/news/6', '/news/6?x=1'] as $uri) {
            $answer = Connection::ask($this->standIn()->address, 'GET', $uri);

            self::assertSame(
                ['nosniff', 'no-store', null, null, null],
                array_map(
                    $answer->header(...),
                    ['X-Content-Type-Options', 'Cache-Control', 'Cache-Status', 'X-Powered-By', 'X-Larder'],
                ),
            );
            self::assertStringStartsWith('text/html', (string) $answer->header('Content-Type'));
        }
    }

    /**
     * @return iterable<string, array{0: string, 1: string, 2?: array<string, string>, 3?: string}> method, URI,
     *     headers, body
     */
    public static function bypasses(): iterable
    {
        foreach (['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'] as $method) {
            foreach (['/', '/news/4', '/news/5/', '/list?page=2', '/news/6', '/news/6/', '/feed/net'] as $uri) {
                yield $method . ' ' . $uri => [$method, $uri, [], $method === 'OPTIONS' ? '' : 'some=body'];
            }
        }
        $uris = [
            '/news/4?', '/news/4?x=1', '/?source=x', '/news/4?&utm_source=x', '/list?utm_source=x&page=0',
            '/news/%34', '/%6eews/4', '//news/4', '/news//4', '/news/./4',
            '/x/../news/4', '/news/4/.', '/news/4/..', '/news/4;x', '/news/4~page',
            '/news/4~page.gz',
            '/~page',
            '/.hidden',
            '/news/.hidden',
            '/@2026-11-21T06:15+00:00/find/foo',
            '/@',
            '/@x',
            '/news/@x',
            '/news/%2e%2e/4',
            '/news/%2E%2E/4',
            '/news%2F4',
            '/news/x%3Fy',
            '/news/x%23y',
            '/news/x%25y',
            '/news/x%5Cy',
            '/news/x%0Ay',
            '/news/x%7Epage',
            '/news/x%40y',
            '/news/gr%c3%b6%c3%9fe',
            '/news/gr%C3%b6%C3%9fe',
            '/news/a+b%2Bc',
            '/news/a%20b?x=1',
            '/list?page=0', '/list?page=2&x=1', '/list?x=1&page=2', '/list?page=2&page=2', '/list?page=2~page',
            '/list?page=../../x', '/list?page=a/b', '/list?page=%32', '/list?page=2#x', '/LIST?page=2',
            '/list/?page=2',
            '/a/../b/all?q=x',
            '/a//all?q=x',
            '/a%2fb/all?q=x',
            '/news/4#x',
            '/' . str_repeat('a', 200),
            '/' . str_repeat('a', 3000),
            '/news/' . str_repeat('b/', 400),
            '/' . str_repeat('a/', 16) . 'b',
            "/news/\u{e9}",
            '/news/"x"',
            "/news/'x'",
            '/$uri',
            '/{x}',
            '/news\\4',
            '/news/4*',
        ];
        foreach ($uris as $uri) {
            yield 'GET ' . substr($uri, 0, 60) . ' of ' . \strlen($uri) => ['GET', $uri];
        }
        foreach (['/', '/news/4', '/news/5/', '/list?page=2', '/news/6'] as $uri) {
            foreach (['abc', '0', '""', 'a=b'] as $value) {
                yield "session cookie {$value} {$uri}" => [
                    'GET',
                    $uri,
                    ['Cookie' => 'theme=dark; app_session=' . $value . '; x=y'],
                ];
            }
            foreach (['Basic dXNlcjpwYXNz', '0', 'x'] as $value) {
                yield "Authorization {$value} {$uri}" => ['GET', $uri, ['Authorization' => $value]];
            }
        }
        yield 'both' => ['GET', '/news/4', ['Authorization' => 'x', 'Cookie' => 'app_session=1']];
    }

    /** @param array<string, string> $headers */
    #[DataProvider('bypasses')]
    public function testWhatCannotBeAPageReachesPhpWholeAndWithoutAKey(
        string $method,
        string $uri,
        array $headers = [],
        string $body = '',
    ): void {
        $answer = Connection::ask(
            $this->standIn()->address,
            $method,
            $uri,
            $headers + ['User-Agent' => 'tester', 'Proxy' => 'evil', 'Larder-Page' => '/x'],
            $body,
        );
        $told = StandIn::told($answer);

        self::assertSame(200, $answer->status);
        self::assertSame(
            ['', $method, $uri, $body, 'tester', ''],
            [
                $told['LARDER_PAGE'],
                $told['REQUEST_METHOD'],
                $told['REQUEST_URI'],
                $told['body'],
                $told['HTTP_USER_AGENT'],
                $told['HTTP_PROXY'] ?? '',
            ],
        );
        self::assertSame($headers['Cookie'] ?? null, $told['HTTP_COOKIE'] ?? null);
        self::assertSame($headers['Authorization'] ?? null, $told['HTTP_AUTHORIZATION'] ?? null);
        self::assertSame('127.0.0.1', $told['REMOTE_ADDR']);
    }

    public function testAHeadThatNoPageAnswersReachesPhpWithoutAKey(): void
    {
        foreach (['/news/6', '/news/6/', '/list?page=3'] as $uri) {
            $before = $this->standIn()->servers->php->requests();
            $answer = Connection::ask($this->standIn()->address, 'HEAD', $uri);

            self::assertSame([200, '', 'php'], [$answer->status, $answer->body, $answer->header('X-Answered-By')]);
            self::assertSame($before + 1, $this->standIn()->servers->php->requests());
        }
    }

    public function testPhpsOwnStatusIsLeftAlone(): void
    {
        foreach ([404, 403, 405, 500, 502, 503] as $status) {
            $headers = ['X-Status' => (string) $status];
            $answer = Connection::ask($this->standIn()->address, 'GET', '/news/6?x=1', $headers);

            self::assertSame($status, $answer->status);
            self::assertSame('/news/6?x=1', StandIn::told($answer)['REQUEST_URI']);
        }
    }

    /** @return iterable<string, array{string}> */
    public static function strangers(): iterable
    {
        yield 'another host' => ["GET /news/4 HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"];
        yield 'a host below ours' => ["GET /news/4 HTTP/1.1\r\nHost: x.news.example\r\nConnection: close\r\n\r\n"];
        yield 'no host' => ["GET /news/4 HTTP/1.0\r\n\r\n"];
        yield 'another host in the request line' => [
            "GET http://evil.example/news/4 HTTP/1.1\r\nHost: news.example\r\nConnection: close\r\n\r\n",
        ];
        yield 'HTTP/0.9' => ["GET /news/4\r\n"];
    }

    #[DataProvider('strangers')]
    public function testHangsUpOn(string $request): void
    {
        $before = $this->standIn()->servers->php->requests();

        self::assertSame('', (string) Exchange::with('tcp://' . $this->standIn()->address, $request, null));
        self::assertSame($before, $this->standIn()->servers->php->requests());
    }

    /** @return iterable<string, array{string}> */
    public static function malformed(): iterable
    {
        yield 'above the root' => ["GET /../news/4 HTTP/1.1\r\nHost: news.example\r\nConnection: close\r\n\r\n"];
        yield 'no host in HTTP/1.1' => ["GET /news/4 HTTP/1.1\r\nConnection: close\r\n\r\n"];
        yield 'an empty host' => ["GET /news/4 HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n"];
        yield 'two hosts' => [
            "GET /news/4 HTTP/1.1\r\nHost: news.example\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
        ];
        yield 'a control character' => ["GET /news/\x01 HTTP/1.1\r\nHost: news.example\r\nConnection: close\r\n\r\n"];
        yield 'an escaped NUL' => ["GET /news/4%00 HTTP/1.1\r\nHost: news.example\r\nConnection: close\r\n\r\n"];
    }

    #[DataProvider('malformed')]
    public function testRefuses(string $request): void
    {
        $answer = Response::parse((string) Exchange::with('tcp://' . $this->standIn()->address, $request, null));

        self::assertSame(400, $answer->status);
        self::assertStringNotContainsString(self::PAGE, $answer->body);
    }

    private function standIn(): StandIn
    {
        self::assertNotNull(self::$standIn);

        return self::$standIn;
    }
}
