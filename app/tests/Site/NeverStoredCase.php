<?php

declare(strict_types=1);

namespace App\Tests\Site;

use Larder\Testbed\Http\Response;
use Larder\Testbed\Net\Exchange;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\DataProviderExternal;
use PHPUnit\Framework\TestCase;

/** Over real HTTP: the right answer to this visitor, and nothing of it in the page store for the next one. */
abstract class NeverStoredCase extends TestCase
{
    /** The next visitor's: none of them opens a session. */
    private const BLUE = [
        'X-Forwarded-Host' => 'blue.example',
        'Accept-Language' => 'fr',
        'User-Agent' => 'blue',
        'Cookie' => 'colour=blue',
    ];

    /** Without a byte of an answer. */
    private const CLOSED = '~^$~D';

    /** What a visitor sends who must not be in anybody's page. */
    private const USERS = ['red1secret', 'blue2secret'];

    protected static LiveSite $site;

    public static function tearDownAfterClass(): void
    {
        self::$site->stop();
    }

    protected function setUp(): void
    {
        self::$site->flush();
    }

    /** @return iterable<string, array{UnstorableRequest}> */
    abstract public static function requests(): iterable;

    /** @return int entries that a page has in the store */
    abstract protected static function ofOnePage(): int;

    #[DataProvider('requests')]
    public function testGetsItsAnswerAndLeavesNothing(UnstorableRequest $request): void
    {
        if ($request->stored) {
            self::$site->get($request->uri);
            self::assertStringContainsString('hit', (string) self::$site->get($request->uri)->header('Cache-Status'));
        }
        $before = self::$site->stored();
        self::assertCount($request->stored ? static::ofOnePage() : 0, $before, implode(' ', $before));

        $answer = self::$site->ask($request->method, $request->uri, $request->headers, $request->body);
        $this->assertAnswer($request->status, $request->marker, $answer);
        self::assertStringContainsString($request->why, (string) $answer->header('Cache-Status'));
        self::assertSame([], array_diff(self::$site->stored(), $before), 'Something new lies in the page store.');

        $next = self::$site->get($request->nextUri ?? $request->uri, self::BLUE);
        $this->assertAnswer($request->nextStatus ?? $request->status, $request->nextMarker ?? $request->marker, $next);
        if (preg_match('/render \d+/', $answer->body, $render) === 1) {
            self::assertStringNotContainsString(
                $render[0] . '<',
                $next->body,
                'The next visitor has this visitor\'s page.',
            );
        }
    }

    public function testThereAreAtLeastSoManyTrials(): void
    {
        self::assertGreaterThanOrEqual(95, \count(iterator_to_array(static::requests())));
        self::assertGreaterThanOrEqual(60, \count(iterator_to_array(OddRequests::all())));
    }

    /** Two visitors send it, each with a word of his own; then somebody asks who has none. */
    #[DataProviderExternal(OddRequests::class, 'all')]
    public function testNothingOfTwoVisitorsIsInWhatTheNextOneGets(OddRequest $request): void
    {
        $answers = [];
        foreach (self::USERS as $user) {
            $answers[$user] = (string) Exchange::with(
                'tcp://' . self::$site->address,
                str_replace('WHO', $user, $request->bytes),
                null,
            );
        }
        $stored = self::$site->stored();
        foreach ($stored as $name) {
            self::assertStringContainsString($request->stores ?? 'nothing at all', $name, 'It is stored.');
        }
        [$red, $blue] = self::USERS;
        self::assertStringNotContainsString($red, $answers[$blue], 'The second visitor has a word of the first.');
        foreach (['/trap/mirror', $request->next] as $uri) {
            $next = Exchange::with(
                'tcp://' . self::$site->address,
                "GET $uri HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                null,
            );
            self::assertMatchesRegularExpression('~^HTTP/1\.1 (?:200|404) ~', (string) $next, $uri);
            self::assertStringNotContainsString($red, (string) $next);
            self::assertStringNotContainsString($blue, (string) $next);
        }
        if ($request->answer !== null) {
            self::assertMatchesRegularExpression($request->answer, $answers[$red]);
        }
    }

    /** @return iterable<string, array{string, string}> request, expression for the answer */
    public static function hosts(): iterable
    {
        yield 'unknown' => ["GET /news/4 HTTP/1.1\r\nHost: evil.example\r\n\r\n", self::CLOSED];
        yield 'unknown in the request line' => [
            "GET http://evil.example/news/4 HTTP/1.1\r\nHost: localhost\r\n\r\n",
            self::CLOSED,
        ];
        yield 'none' => ["GET /news/4 HTTP/1.0\r\n\r\n", self::CLOSED];
        yield 'none, where one must be' => ["GET /news/4 HTTP/1.1\r\n\r\n", '~^HTTP/1\.1 400 ~'];
        yield 'two' => ["GET /news/4 HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", '~^HTTP/1\.1 400 ~'];
    }

    #[DataProvider('hosts')]
    public function testAnUnknownHostHasNoPage(string $request, string $answer): void
    {
        $raw = (string) Exchange::with(
            'tcp://' . self::$site->address,
            str_replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n", $request),
            null,
        );

        self::assertMatchesRegularExpression($answer, $raw);
        self::assertStringNotContainsString('/news/4', $raw);
        self::assertSame([], self::$site->stored());
        $this->assertAnswer(200, 'href="/news/4/edit"', self::$site->get('/news/4'));
    }

    public function testAnAnalyticsCookieIsNoSession(): void
    {
        $miss = self::$site->get('/news/4', ['Cookie' => '_ga=GA1.2.3; app_sessions=1']);
        $requests = self::$site->servers->php->requests();
        $hit = self::$site->get('/news/4', ['Cookie' => '_ga=GA1.2.4; xapp_session=1']);

        self::assertSame($requests, self::$site->servers->php->requests(), 'PHP is not asked.');
        self::assertSame(
            ['larder; fwd=miss; stored', 'larder; hit'],
            [$miss->header('Cache-Status'), $hit->header('Cache-Status')],
        );
        self::assertSame($miss->body, $hit->body);
    }

    /** @return iterable<string, array{string}> */
    public static function superglobals(): iterable
    {
        yield 'server' => ['/trap/agent-global'];
        yield 'cookie' => ['/trap/cookie-global'];
    }

    #[DataProvider('superglobals')]
    public function testWhatSuperglobalsWouldTellIsNotThereForAPageThatIsStored(string $uri): void
    {
        $first = self::$site->get($uri, ['User-Agent' => 'red', 'Cookie' => 'colour=red']);
        $next = self::$site->get($uri, self::BLUE);

        self::assertStringContainsString('saw nothing', $first->body);
        self::assertSame(['larder; hit', $first->body], [$next->header('Cache-Status'), $next->body]);
    }

    public function testNoHeaderOfOneVisitorIsInTheFeedOfAll(): void
    {
        $evil = [
            'Host' => '127.0.0.1',
            'X-Forwarded-Host' => 'evil.example',
            'X-Forwarded-Proto' => 'evil',
            'X-Original-URL' => '/news/5',
            'X-Rewrite-URL' => '/news/5',
            'X-HTTP-Method-Override' => 'POST',
            'Forwarded' => 'host=evil.example',
            'Accept' => 'evil/evil',
            'Range' => 'bytes=0-10',
        ];
        $first = self::$site->get('/feed', $evil);
        $next = self::$site->get('/feed', ['Host' => 'localhost']);

        self::assertSame([200, 200, 'larder; hit'], [$first->status, $next->status, $next->header('Cache-Status')]);
        self::assertSame($first->body, $next->body);
        self::assertStringNotContainsString('evil', $next->body);
        self::assertStringContainsString('<link>http://localhost/news/60</link>', $next->body);
    }

    public function testACanonicalQueryIsAPageOfItsOwn(): void
    {
        foreach (['/trap/plain', '/trap/plain?a=1&b=2', '/trap/plain?a=2&b=1'] as $uri) {
            $miss = self::$site->get($uri);
            $hit = self::$site->get($uri);
            self::assertSame(
                ['larder; fwd=miss; stored', 'larder; hit', $miss->body],
                [$miss->header('Cache-Status'), $hit->header('Cache-Status'), $hit->body],
            );
        }
        self::assertCount(3 * static::ofOnePage(), self::$site->stored());
    }

    private function assertAnswer(int $status, string $marker, Response $answer): void
    {
        self::assertSame($status, $answer->status, $answer->body);
        self::assertStringContainsString($marker, $answer->body);
        self::assertTrue($marker !== '' || $answer->body === '', 'An empty body.');
        $length = $answer->header('Content-Length');
        self::assertTrue($length === null || $answer->body === '' || (int) $length === \strlen($answer->body));
    }
}
