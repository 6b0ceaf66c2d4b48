<?php

declare(strict_types=1);

namespace App\Tests\Site;

/** The requests of NeverStoredTest. */
final readonly class UnstorableRequests
{
    private const BYPASS = 'fwd=bypass; detail="not a request whose page could be stored"';
    private const NO_ROUTE = 'NotFound declares no #[Reads]';
    private const ITEM = 'href="/news/4/edit"';
    private const FORM = ['Content-Type' => 'application/x-www-form-urlencoded'];

    /** @return iterable<string, array{UnstorableRequest}> all of them */
    public static function all(): iterable
    {
        yield from self::methods();
        yield from self::askers();
        yield from self::answers();
        yield from self::renders();
        yield from self::uris();
    }

    /**
     * Those that no store keeps: one that keeps heads has the page of a type or of a header.
     *
     * @return iterable<string, array{UnstorableRequest}>
     */
    public static function withHeads(): iterable
    {
        foreach (self::all() as $name => [$request]) {
            if (preg_match('/header content-language|^Content-Type is/', $request->why) !== 1) {
                yield $name => [$request];
            }
        }
    }

    /** @return iterable<string, array{UnstorableRequest}> */
    public static function methods(): iterable
    {
        foreach (['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as $method) {
            foreach (['an unstored' => false, 'a stored' => true] as $which => $stored) {
                yield "$method of $which page" => [
                    new UnstorableRequest(
                        '/news/4',
                        404,
                        'page /news/4',
                        self::BYPASS,
                        $method,
                        self::FORM,
                        'a=b',
                        $stored,
                        nextStatus: 200,
                        nextMarker: self::ITEM,
                    ),
                ];
            }
        }
        yield 'HEAD of an unstored page' => [
            new UnstorableRequest('/news/4', 200, '', self::BYPASS, 'HEAD', nextMarker: self::ITEM),
        ];
        yield 'a comment' => [
            new UnstorableRequest(
                '/news/50/comment',
                303,
                '',
                self::BYPASS,
                'POST',
                self::FORM,
                'author=Ida&text=kept+in+the+larder',
                nextUri: '/news/50',
                nextStatus: 200,
                nextMarker: 'kept in the larder',
            ),
        ];
        yield 'a comment that is refused' => [
            new UnstorableRequest(
                '/news/50/comment',
                422,
                '<b>author</b>',
                self::BYPASS,
                'POST',
                self::FORM,
                'author=&text=x',
                nextUri: '/news/50',
                nextStatus: 200,
                nextMarker: 'href="/news/50/edit"',
            ),
        ];
        yield 'a comment on nothing' => [
            new UnstorableRequest(
                '/news/999/comment',
                404,
                'item 999',
                self::BYPASS,
                'POST',
                self::FORM,
                'author=a&text=b',
                nextUri: '/news/999',
            ),
        ];
    }

    /** @return iterable<string, array{UnstorableRequest}> */
    public static function askers(): iterable
    {
        foreach (['an unstored' => false, 'a stored' => true] as $which => $stored) {
            yield "Authorization for $which page" => [
                new UnstorableRequest(
                    '/news/4',
                    200,
                    self::ITEM,
                    self::BYPASS,
                    headers: ['Authorization' => 'Basic YTpi'],
                    stored: $stored,
                ),
            ];
            yield "a session for $which page" => [
                new UnstorableRequest(
                    '/news/4',
                    200,
                    self::ITEM,
                    self::BYPASS,
                    headers: ['Cookie' => 'colour=red; app_session=a1'],
                    stored: $stored,
                ),
            ];
        }
        yield 'a session with a query' => [
            new UnstorableRequest(
                '/category/jars?page=2',
                200,
                'rel="prev" href="/category/jars"',
                self::BYPASS,
                headers: ['Cookie' => 'app_session=a1'],
                stored: true,
            ),
        ];
    }

    /** @return iterable<string, array{UnstorableRequest}> */
    public static function answers(): iterable
    {
        yield 'no such route' => [new UnstorableRequest('/nowhere', 404, 'page /nowhere', self::NO_ROUTE)];
        yield 'a controller that declares nothing' => [
            new UnstorableRequest('/news/4/edit', 200, 'action="/news/4/edit', 'EditForm declares no #[Reads]'),
        ];
        yield 'the search form' => [new UnstorableRequest('/search?for=sage', 303, '', self::BYPASS)];
        yield 'the search form, refused' => [
            new UnstorableRequest('/search?for=%21', 422, 'has no word', self::BYPASS),
        ];
        yield from self::trap([
            'cookie' => 'the answer sets a cookie',
            'cookie-beside' => 'the answer sets a cookie',
            'session' => 'the answer sets a cookie',
            'session-bare' => 'a session was started',
            'session-closed' => 'a session was started',
            'private' => 'Cache-Control forbids it: max-age=60, private',
            'private-beside' => 'Cache-Control forbids it: private',
            'no-store' => 'Cache-Control forbids it: No-Store',
            'max-age' => 'nginx cannot repeat the header cache-control',
            'header' => 'nginx cannot repeat the header content-language',
            'header-beside' => 'nginx cannot repeat the header content-language',
            'vary' => 'nginx cannot repeat the header vary',
            'type' => 'Content-Type is \"application/json\"',
            'large' => 'more than ' . TrapSite::LARGEST,
            'echo' => 'output was sent beside the answer',
            'echo-flushed' => '',
        ]);
        yield from self::trap(['status-201' => 'status 201 is not 200'], 201);
        yield from self::trap(['status-422' => 'status 422 is not 200'], 422);
        yield from self::trap(['status-503' => 'status 503 is not 200'], 503);
        yield from self::trap(['redirect' => 'status 303 is not 200'], 303);
        foreach (['throw', 'echo-throw'] as $what) {
            yield 'trap ' . $what => [new UnstorableRequest('/trap/' . $what, 500, '', '')];
        }
        yield 'trap empty' => [new UnstorableRequest('/trap/empty', 200, '', 'the body is empty')];
    }

    /** @return iterable<string, array{UnstorableRequest}> */
    public static function renders(): iterable
    {
        yield from self::trap([
            'write' => 'a statement writes',
            'begin' => 'a statement is no SELECT',
            'setting' => 'a statement is no SELECT',
            'undeclared' => 'it read comment, which #[Reads] does not declare',
            'unregistered' => 'a statement reads larder_ledger, which the registry does not declare',
            'clock' => 'a statement asks for the time',
            'chance' => 'a statement asks for the time, for chance',
        ]);
        $red = [
            'X-Forwarded-Host' => 'evil.example',
            'Accept-Language' => 'de',
            'User-Agent' => 'red',
            'Cookie' => 'colour=red',
        ];
        foreach ([
            'forwarded-host' => ['the header X-Forwarded-Host', 'evil.example', 'blue.example'],
            'language' => ['the header Accept-Language', 'de', 'fr'],
            'agent' => ['the header User-Agent', 'red', 'blue'],
            'all-headers' => ['all headers', 'red', 'blue'],
            'cookie-read' => ['the cookies', 'red', 'blue'],
            'address' => ['the server parameters', 'nothing', 'nothing'],
        ] as $what => [$read, $seen, $next]) {
            yield 'trap ' . $what => [
                new UnstorableRequest(
                    '/trap/' . $what,
                    200,
                    'saw ' . $seen,
                    "the render read $read, which the key does not hold",
                    headers: $red,
                    nextMarker: 'saw ' . $next,
                ),
            ];
        }
    }

    /** @return iterable<string, array{UnstorableRequest}> */
    public static function uris(): iterable
    {
        foreach (['/news/%34', '/news%2f4', '//news/4', '/news/4?source=a', '/news/4?', '/news/4?page=2'] as $uri) {
            yield $uri => [new UnstorableRequest($uri, 200, self::ITEM, self::BYPASS, nextUri: '/news/4')];
        }
        foreach ([
            '/news//4', '/news/4;a', '/news/../news/4', '/news/./4', '/news/%2e%2e/news/4', '/news/4%23', '/news/4%25',
            '/news/4~page', '/current/news/4~page',
            '/@2026-11-21T06:15:00+00:00/find/sage',
            '/@/news/4',
            '/.news/4',
            '/news/4\\',
            '/' . str_repeat('a/', 150) . 'a',
        ] as $uri) {
            yield substr($uri, 0, 40) => [
                new UnstorableRequest(
                    $uri,
                    404,
                    'Not found',
                    self::BYPASS,
                    nextUri: '/news/4',
                    nextStatus: 200,
                    nextMarker: self::ITEM,
                ),
            ];
        }
        foreach ([
            '/news/4%20', '/news/4/', '/news/04', '/news/4/x.css', '/news/4.css', '/NEWS/4', '/news/4/x.php',
            '/index.php',
            '/front.php/news/4',
        ] as $uri) {
            yield $uri => [
                new UnstorableRequest(
                    $uri,
                    404,
                    'Not found',
                    self::NO_ROUTE,
                    nextUri: '/news/4',
                    nextStatus: 200,
                    nextMarker: self::ITEM,
                ),
            ];
        }
        foreach ([
            '/category/jars?page=1',
            '/category/jars?page=02',
            '/category/jars?page=2%20',
            '/category/jars?page=1000',
            '/category/jars?page=',
        ] as $uri) {
            yield $uri => [
                new UnstorableRequest(
                    $uri,
                    404,
                    'Not found',
                    self::BYPASS,
                    nextUri: '/category/jars',
                    nextStatus: 200,
                    nextMarker: 'rel="next" href="/category/jars?page=2"',
                ),
            ];
        }
        foreach ([
            '/category/jars?page=2&x=1',
            '/category/jars?x=1&page=2',
            '/category/jars?page=2&page=2',
            '/category/jars?p%61ge=2',
            '/category/jars?page=2&',
        ] as $uri) {
            yield $uri => [
                new UnstorableRequest(
                    $uri,
                    200,
                    'rel="prev" href="/category/jars"',
                    self::BYPASS,
                    nextUri: '/category/jars?page=2',
                ),
            ];
        }
        foreach (['b=2&a=1', 'a=1', 'a=0&b=2', 'a=1&b=2&c=3', 'a=1&amp;b=2'] as $query) {
            yield '?' . $query => [
                new UnstorableRequest(
                    '/trap/query?' . $query,
                    200,
                    'saw ' . http_build_query(self::parsed($query)),
                    self::BYPASS,
                ),
            ];
        }
        yield 'a URI of 9 kB' => [new UnstorableRequest('/news/' . str_repeat('4', 9000), 414, '414', '')];
    }

    /**
     * @param array<string, string> $traps name to reason
     *
     * @return iterable<string, array{UnstorableRequest}>
     */
    private static function trap(array $traps, int $status = 200): iterable
    {
        foreach ($traps as $what => $why) {
            yield 'trap ' . $what => [new UnstorableRequest('/trap/' . $what, $status, $what . ', render ', $why)];
        }
    }

    /** @return array<array-key, mixed> */
    private static function parsed(string $query): array
    {
        parse_str($query, $values);

        return $values;
    }
}
