<?php

declare(strict_types=1);

namespace Larder\Tests\Dashboard;

use Larder\Dashboard\Admission;
use Larder\Dashboard\Dashboard;
use Larder\Dashboard\FlushTokens;
use Larder\Dashboard\Visit;
use Larder\Page\Flush;
use Larder\Page\Response;
use Larder\Tests\Discovery\SteppedClock;
use Larder\Tests\Support\NewsSite;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** What may flush is the dashboard's own page, asked for on this machine, once. */
#[CoversClass(Admission::class)]
#[CoversClass(Dashboard::class)]
#[CoversClass(Flush::class)]
#[CoversClass(FlushTokens::class)]
#[CoversClass(Visit::class)]
final class FlushTest extends TestCase
{
    private const HOST = 'localhost:8080';

    private NewsSite $news;
    private const SECRET = 'a secret of sixteen bytes or more';

    private SteppedClock $clock;

    protected function setUp(): void
    {
        $this->news = new NewsSite();
        $this->clock = new SteppedClock();
        foreach ([4, 5] as $id) {
            $this->news->get("/news/$id", fn(): Response => $this->news->item($id));
        }
    }

    protected function tearDown(): void
    {
        $this->news->remove();
    }

    public function testFlushesAPageAndAName(): void
    {
        $answer = $this->flush(['page' => '/news/4']);

        self::assertSame([200, '{"name":"news:4","pages":["/news/4"]}'], [$answer->status, $answer->body]);
        self::assertFalse($this->news->stores('/news/4'));
        self::assertTrue($this->news->stores('/news/5'));
        self::assertSame(404, $this->flush(['page' => '/news/4'])->status, 'it is gone');
        self::assertSame(404, $this->flush([])->status);

        self::assertSame('{"name":"news!","pages":["/news/5"]}', $this->flush(['name' => 'news!'])->body);
        self::assertFalse($this->news->stores('/news/5'));
    }

    public function testARenderOfBeforeIsNotStoredAfterAFlush(): void
    {
        $this->news->get('/news/4', function (): Response {
            $answer = $this->news->item(4);
            self::assertSame(200, $this->flush(['page' => '/news/5'])->status);

            return $answer;
        });
        self::assertTrue($this->news->stores('/news/4'), 'it has nothing of the other page');
        $this->flush(['page' => '/news/4']);
        $answer = $this->news->get('/news/6', function (): Response {
            $answer = $this->news->item(4);
            self::assertSame(200, $this->flush(['name' => 'news:4'])->status);

            return $answer;
        });

        self::assertFalse($this->news->stores('/news/6'), (string) $answer->header('cache-status'));
    }

    /** @return iterable<string, array{\Closure(Visit, self): Visit, int}> */
    public static function bypasses(): iterable
    {
        $with = static fn(string ...$headers): \Closure => static fn(Visit $visit): Visit
            => self::changed($visit, headers: $headers + $visit->headers);
        $without = static fn(string $header): \Closure => static fn(Visit $visit): Visit
            => self::changed($visit, headers: array_diff_key($visit->headers, [$header => true]));
        $body = static fn(string $key, ?string $value): \Closure => static fn(Visit $visit): Visit
            => self::changed($visit, body: (string) json_encode(
                [$key => $value] + (array) json_decode($visit->body, true),
            ));
        $method = static fn(string $method): \Closure => static fn(Visit $visit): Visit
            => self::changed($visit, method: $method);

        yield 'GET' => [$method('GET'), 404];
        yield 'HEAD' => [$method('HEAD'), 404];
        yield 'PUT' => [$method('PUT'), 405];
        yield 'DELETE' => [$method('DELETE'), 405];
        yield 'post in small letters' => [$method('post'), 405];
        yield 'GET that says it is a POST in a header' => [
            static fn(Visit $visit): Visit => self::changed($visit, method: 'GET', headers: [
                'x-http-method-override' => 'POST', 'x-http-method' => 'POST', 'x-method-override' => 'POST',
            ] + $visit->headers),
            404,
        ];
        yield 'GET that says it is a POST in the query' => [
            static fn(Visit $visit): Visit => self::changed($visit, method: 'GET', query: [
                'see' => 'flush', '_method' => 'POST', 'page' => '/news/4',
            ]),
            404,
        ];
        yield 'no token' => [$body('token', null), 403];
        yield 'an empty token' => [$body('token', ''), 403];
        yield 'a token of nobody' => [
            $body('token', '9999999999.' . str_repeat('0', 32) . '.' . str_repeat('0', 64)),
            403,
        ];
        yield 'a token as a list' => [
            static fn(Visit $visit): Visit => self::changed($visit, body: '{"token":["x"],"page":"/news/4"}'),
            403,
        ];
        yield 'a later end' => [
            static function (Visit $visit): Visit {
                ['token' => $token] = (array) json_decode($visit->body, true);
                self::assertIsString($token);

                return self::changed($visit, body: (string) json_encode([
                    'token' => '9' . $token, 'page' => '/news/4',
                ]));
            },
            403,
        ];
        yield 'no cookie' => [static fn(Visit $visit): Visit => self::changed($visit, cookies: []), 403];
        yield 'another cookie' => [
            static fn(Visit $visit): Visit => self::changed($visit, cookies: [
                FlushTokens::COOKIE => str_repeat('a', 32),
            ]),
            403,
        ];
        yield 'the token in both places' => [
            static function (Visit $visit): Visit {
                ['token' => $token] = (array) json_decode($visit->body, true);

                return self::changed($visit, cookies: [FlushTokens::COOKIE => $token]);
            },
            403,
        ];
        yield 'the same word in both places' => [
            static fn(Visit $visit): Visit => self::changed(
                $visit,
                cookies: [FlushTokens::COOKIE => str_repeat('a', 32)],
                body: (string) json_encode(['token' => str_repeat('a', 32), 'page' => '/news/4']),
            ),
            403,
        ];
        yield 'another Origin' => [$with(...['origin' => 'http://evil.example']), 403];
        yield 'Origin null' => [$with(...['origin' => 'null']), 403];
        yield 'no Origin' => [$without('origin'), 403];
        yield 'Origin of another port' => [$with(...['origin' => 'http://localhost:8081']), 403];
        yield 'Origin that begins alike' => [$with(...['origin' => 'http://localhost:8080.evil.example']), 403];
        yield 'a Referer instead of an Origin' => [
            static fn(Visit $visit): Visit => self::changed($visit, headers: [
                'origin' => '', 'referer' => 'http://localhost:8080/dashboard.php',
            ] + $visit->headers),
            403,
        ];
        yield 'Origin of another port, and a Host without one' => [
            $with(...['host' => 'localhost', 'origin' => 'http://localhost:81', 'sec-fetch-site' => '']),
            403,
        ];
        yield 'Origin of another host, and a Host without a port' => [
            $with(...['host' => 'localhost', 'origin' => 'http://localhost.evil.example:8080']),
            403,
        ];
        yield 'cross-site' => [$with(...['sec-fetch-site' => 'cross-site']), 403];
        yield 'same-site, another host' => [$with(...['sec-fetch-site' => 'same-site']), 403];
        yield 'typed into the address' => [$with(...['sec-fetch-site' => 'none']), 403];
        yield 'a form' => [$with(...['content-type' => 'application/x-www-form-urlencoded']), 403];
        yield 'a form that is nearly JSON' => [$with(...['content-type' => 'text/plain']), 403];
        yield 'http for a page of https' => [
            static fn(Visit $visit): Visit => self::changed($visit, isHttps: true),
            403,
        ];
        yield 'ten minutes later' => [
            static function (Visit $visit, self $test): Visit {
                $test->clock->seconds += 601.0;

                return $visit;
            },
            403,
        ];
        yield 'another host, with a key of its own' => [
            static function (Visit $visit, self $test): Visit {
                unlink($test->news->site->pages . '/host-key');

                return $visit;
            },
            403,
        ];
    }

    /** @param \Closure(Visit, self): Visit $change */
    #[DataProvider('bypasses')]
    public function testNothingElseFlushes(\Closure $change, int $status): void
    {
        $visit = $this->visit(['page' => '/news/4']);
        $answer = $this->dashboard()->answer($change($visit, $this));

        self::assertSame($status, $answer->status, $answer->body);
        self::assertTrue($this->news->stores('/news/4'));
    }

    public function testTheServerMayLeaveThePortOutOfTheHost(): void
    {
        $without = ['host' => 'localhost', 'origin' => 'http://localhost:8080'];
        foreach ([['sec-fetch-site' => ''], []] as $more) {
            $visit = $this->visit(['name' => 'news:4']);
            $visit = self::changed($visit, headers: $more + $without + $visit->headers);

            self::assertSame(200, $this->dashboard()->answer($visit)->status);
        }
    }

    public function testATokenIsForOneUse(): void
    {
        $visit = $this->visit(['name' => 'news:4']);
        $again = self::changed($visit, body: str_replace('news:4', 'news:5', $visit->body));
        ['token' => $token] = (array) json_decode($visit->body, true);
        self::assertIsString($token);

        self::assertSame(200, $this->dashboard()->answer($visit)->status);
        self::assertSame(403, $this->dashboard()->answer($visit)->status, 'the same again');
        self::assertSame(403, $this->dashboard()->answer($again)->status, 'for another name');
        foreach (['.x', "\n", '.', ' '] as $end) {
            $written = (string) json_encode(['token' => $token . $end, 'name' => 'news:5']);
            self::assertSame(403, $this->dashboard()->answer(self::changed($visit, body: $written))->status);
        }
        self::assertTrue($this->news->stores('/news/5'));
    }

    public function testATokenWhoseNumberReadsAsAPowerOfTenIsForOneUseToo(): void
    {
        $visit = $this->visit(['name' => 'news:4']);
        $cookie = FlushTokens::cookie($visit);
        $end = (string) ((int) $this->clock->seconds + 600);
        $number = str_pad('9e999', 32, 'a');
        $key = (string) file_get_contents($this->news->site->pages . '/host-key');
        $code = hash_hmac('sha256', "larder flush\0$cookie\0$end\0$number", $key);
        $body = (string) json_encode(['token' => "$end.$number.$code", 'name' => 'news:4']);
        $visit = self::changed($visit, body: $body);

        self::assertSame(200, $this->dashboard()->answer($visit)->status);
        self::assertSame(403, $this->dashboard()->answer($visit)->status, 'the same again');
    }

    public function testWhereUseCannotBeWrittenDownNothingIsAllowed(): void
    {
        $visit = $this->visit(['page' => '/news/4']);
        mkdir($this->news->site->pages . '/dashboard-used');

        self::assertSame(403, $this->dashboard()->answer($visit)->status);
        self::assertTrue($this->news->stores('/news/4'));
    }

    public function testUsedTokensAreBoundedAndForgottenAfterTheirTime(): void
    {
        $used = $this->news->site->pages . '/dashboard-used';
        $end = (int) $this->clock->seconds + 600;
        file_put_contents($used, implode("\n", array_map(
            static fn(int $number): string => "$end.$number",
            range(1, 1000),
        )));

        self::assertSame(403, $this->flush(['page' => '/news/4'])->status);
        $this->clock->seconds += 601.0;
        self::assertSame(200, $this->flush(['page' => '/news/4'])->status);
        self::assertSame(1, substr_count((string) file_get_contents($used), "\n") + 1);
    }

    public function testItOnlyReadsUnlessItIsTold(): void
    {
        $visit = $this->visit(['page' => '/news/4']);
        $dashboard = Dashboard::of($this->news->site, self::all(), clock: $this->clock);

        self::assertSame(403, $dashboard->answer($visit)->status);
        self::assertSame(403, $dashboard->answer(self::look(['see' => 'token']))->status);
        self::assertTrue($this->news->stores('/news/4'));
    }

    public function testTheCookieIsForThisPageAndNoScript(): void
    {
        $answer = $this->dashboard()->answer(self::look(['see' => 'token'], path: '/admin/larder.php'));
        $secure = $this->dashboard()->answer(self::changed(self::look(['see' => 'token']), isHttps: true));
        $odd = $this->dashboard()->answer(self::look(['see' => 'token'], path: '/a;Domain=evil.example'));

        self::assertMatchesRegularExpression(
            '~^larder_dashboard=[0-9a-f]{32}; Path=/admin/larder\.php; HttpOnly; SameSite=Strict$~D',
            (string) $answer->header('set-cookie'),
        );
        self::assertStringEndsWith('; Secure', (string) $secure->header('set-cookie'));
        self::assertStringNotContainsString('evil', (string) $odd->header('set-cookie'));
        $key = $this->news->site->pages . '/host-key';
        self::assertSame([0o600, 32], [fileperms($key) & 0o777, filesize($key)]);
    }

    /**
     * A proxy on this machine adds no header if nobody tells it to, and passes on the site's name or its own address.
     *
     * @return iterable<string, array{string, array<string, string>}>
     */
    public static function strangers(): iterable
    {
        yield 'this machine' => ['127.0.0.1', ['host' => self::HOST]];
        yield 'this machine by IPv6' => ['::1', ['host' => '[::1]:8080']];
        yield 'a proxy here that adds nothing' => ['127.0.0.1', ['host' => 'localhost']];
        yield 'a name that somebody gave this address' => [
            '127.0.0.1',
            ['host' => 'evil.example', 'origin' => 'http://evil.example'],
        ];
        yield 'a unix socket' => ['unix:', ['host' => 'localhost']];
        yield 'no address' => ['', []];
        yield 'another machine' => ['10.0.0.7', ['host' => self::HOST, 'x-forwarded-for' => '127.0.0.1']];
        foreach ([
            'Basic', 'Basic !', 'Basic ' . base64_encode(self::SECRET),
            'Basic ' . base64_encode('eve:' . self::SECRET . 'x'), 'Basic ' . base64_encode('eve:'),
            'Bearer ' . self::SECRET, self::SECRET,
        ] as $given) {
            yield "who gives $given" => ['127.0.0.1', ['host' => self::HOST, 'authorization' => $given]];
        }
    }

    /** @param array<string, string> $headers */
    #[DataProvider('strangers')]
    public function testNoAddressAndNoHeaderOpensIt(string $address, array $headers): void
    {
        $file = $this->news->directory->path . '/passwords';
        file_put_contents($file, 'eve:' . password_hash('of eve', PASSWORD_BCRYPT, ['cost' => 4]) . "\n");
        $site = $this->news->site;
        foreach ([
            [null, 403],
            [Admission::by(static fn(): bool => false), 403],
            [Admission::secret(self::SECRET), 401],
            [Admission::passwords($file), 401],
            [Admission::passwords($file . '-none'), 403],
        ] as [$admission, $status]) {
            foreach (['', 'now', 'token'] as $see) {
                $query = $see === '' ? [] : ['see' => $see];
                $visit = new Visit('GET', $query, $headers, address: $address);
                self::assertSame($status, Dashboard::of($site, $admission, allowsFlush: true)->answer($visit)->status);
            }
            $visit = new Visit('POST', ['see' => 'flush'], $headers, address: $address);
            self::assertSame($status, Dashboard::of($site, $admission, allowsFlush: true)->answer($visit)->status);
        }
        self::assertSame(200, Dashboard::of($site, self::all())->answer(new Visit('GET', address: $address))->status);
    }

    public function testThePasswordOpensItFromAnywhere(): void
    {
        $file = $this->news->directory->path . '/passwords';
        $hash = password_hash('of eve', PASSWORD_BCRYPT, ['cost' => 4]);
        file_put_contents($file, "# who may\nbob:plain\nold:" . crypt('of old', '$1$salt') . "\neve:$hash\n");
        $status = function (Admission $admission, string $user, string $password): int {
            $headers = ['authorization' => 'Basic ' . base64_encode("$user:$password")];

            return Dashboard::of($this->news->site, $admission)->answer(new Visit('GET', [], $headers))->status;
        };
        self::assertSame(200, $status(Admission::secret(self::SECRET), 'any', self::SECRET));
        self::assertSame(200, $status(Admission::passwords($file), 'eve', 'of eve'));
        foreach ([
            ['bob', 'plain'], ['bob', ''], ['old', 'of old'], ['eve', $hash], ['', ''], ['# who may', ''],
        ] as $wrong) {
            self::assertSame(401, $status(Admission::passwords($file), ...$wrong), $wrong[0]);
        }
        $answer = Dashboard::of($this->news->site, Admission::secret(self::SECRET))->answer(new Visit('GET'));
        self::assertSame('Basic realm="Larder", charset="UTF-8"', $answer->header('www-authenticate'));
        $apache = Visit::of(['PHP_AUTH_USER' => 'x', 'PHP_AUTH_PW' => self::SECRET], [], []);
        self::assertNull(Admission::secret(self::SECRET)->refusal($apache));
        $this->expectExceptionMessage('has 5 bytes, fewer than 16');
        Admission::secret('short');
    }

    public function testAnUnknownNameIsSaidToBeUnknown(): void
    {
        $said = (array) json_decode($this->flush(['name' => 'nosuch:1'])->body, true);
        self::assertSame([], $said['pages']);
        self::assertSame('There is no table "nosuch". Near names: news, comment.', $said['unknown']);
        foreach (['news:99', '#any word', 'news?category=none'] as $known) {
            $said = (array) json_decode($this->flush(['name' => $known])->body, true);
            self::assertSame(['name' => $known, 'pages' => []], $said);
        }
    }

    public function testAnotherSiteMayLinkToThePageAndAskNothing(): void
    {
        $from = static fn(array $query): Visit => new Visit('GET', $query, [
            'host' => self::HOST, 'sec-fetch-site' => 'cross-site',
        ], address: '127.0.0.1');

        self::assertSame(200, $this->dashboard()->answer($from([]))->status);
        foreach (['now', 'pages', 'token'] as $see) {
            self::assertSame(403, $this->dashboard()->answer($from(['see' => $see]))->status);
        }
    }

    public function testAVisitIsWhatTheServerSays(): void
    {
        $visit = Visit::of([
            'REQUEST_METHOD' => 'GET', 'REQUEST_URI' => '/d.php?see=now', 'REMOTE_ADDR' => '::1', 'HTTPS' => 'off',
            'HTTP_HOST' => 'a', 'HTTP_SEC_FETCH_SITE' => 'none', 'CONTENT_TYPE' => 'text/plain', 'HTTP_X' => ['b'],
        ], ['see' => 'now', 'like' => ['x']], []);

        self::assertSame(
            ['GET', '/d.php', '::1', false, 'a', 'none', 'text/plain', '', 'now', ''],
            [
                $visit->method, $visit->path, $visit->address, $visit->isHttps, $visit->header('host'),
                $visit->header('sec-fetch-site'), $visit->header('content-type'), $visit->header('x'),
                $visit->parameter('see'), $visit->parameter('like'),
            ],
        );
        self::assertTrue(Visit::of(['HTTPS' => 'on'], [], [])->isHttps);
    }

    /** @param array<string, string> $what */
    private function flush(array $what): Response
    {
        return $this->dashboard()->answer($this->visit($what));
    }

    /** @param array<string, string> $what */
    private function visit(array $what): Visit
    {
        $answer = $this->dashboard()->answer(self::look(['see' => 'token']));
        self::assertSame(1, preg_match('/=([0-9a-f]{32});/', (string) $answer->header('set-cookie'), $cookie));
        ['token' => $token] = (array) json_decode($answer->body, true);

        return new Visit(
            'POST',
            ['see' => 'flush'],
            [
                'host' => self::HOST, 'origin' => 'http://' . self::HOST, 'sec-fetch-site' => 'same-origin',
                'content-type' => 'application/json',
            ],
            [FlushTokens::COOKIE => $cookie[1]],
            '127.0.0.1',
            (string) json_encode(['token' => $token] + $what),
            port: 8080,
        );
    }

    /** @param array<string, string> $query */
    private static function look(array $query, string $path = '/dashboard.php'): Visit
    {
        return new Visit('GET', $query, ['host' => self::HOST], address: '127.0.0.1', path: $path);
    }

    /**
     * @param array<string, string>|null       $query
     * @param array<array-key, string>|null    $headers
     * @param array<array-key, mixed>|null     $cookies
     */
    private static function changed(
        Visit $visit,
        ?string $method = null,
        ?array $query = null,
        ?array $headers = null,
        ?array $cookies = null,
        ?string $body = null,
        ?bool $isHttps = null,
    ): Visit {
        /** @var array<string, string> $changed */
        $changed = $headers ?? $visit->headers;

        return new Visit(
            $method ?? $visit->method,
            $query ?? $visit->query,
            $changed,
            $cookies ?? $visit->cookies,
            $visit->address,
            $body ?? $visit->body,
            $isHttps ?? $visit->isHttps,
            $visit->path,
            $visit->port,
        );
    }

    private static function all(): Admission
    {
        return Admission::by(static fn(): bool => true);
    }

    private function dashboard(): Dashboard
    {
        return Dashboard::of($this->news->site, self::all(), allowsFlush: true, clock: $this->clock);
    }
}
