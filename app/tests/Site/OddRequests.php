<?php

declare(strict_types=1);

namespace App\Tests\Site;

/**
 * Requests that are unusual or made to deceive, each of which says WHO sends it: in a header, cookie, query, path or
 * body. The page /trap/mirror shows all that a render sees.
 */
final readonly class OddRequests
{
    private const PAGE = '/trap/mirror';

    private const SESSION = "Cookie: app_session=WHO\r\n";

    /** @return iterable<string, array{OddRequest}> */
    public static function all(): iterable
    {
        yield from self::methods();
        yield from self::conditions();
        yield from self::connections();
        yield from self::hosts();
        yield from self::cookies();
        yield from self::credentials();
        yield from self::queries();
        yield from self::paths();
        yield from self::proxies();
        yield from self::versions();
        yield from self::answers();
    }

    /** @return iterable<string, array{OddRequest}> */
    private static function methods(): iterable
    {
        foreach (['TRACE', 'CONNECT', 'PROPFIND', 'PURGE', 'BREW', 'get', 'QUERY'] as $method) {
            $head = "$method /trap/mirror HTTP/1.1\r\nHost: localhost\r\nX-Who: WHO\r\n";
            yield "method $method" => [self::bytes($head)];
        }
        yield 'a GET with a body' => [
            self::bytes(self::start() . "Content-Length: 11\r\n", 'a=WHO012345', stores: self::PAGE),
        ];
        yield 'a GET with a form' => [
            self::bytes(
                self::start() . "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 12\r\n",
                'a=WHO&b=1234567',
                stores: self::PAGE,
            ),
        ];
        yield 'a GET that calls itself a POST' => [
            self::get("X-HTTP-Method-Override: POST\r\nX-Method: WHO\r\n", true),
        ];
    }

    /** @return iterable<string, array{OddRequest}> */
    private static function conditions(): iterable
    {
        foreach ([
            'Range: bytes=0-10', 'Range: bytes=-5', 'Range: bytes=0-1,3-4', "Range: bytes=0-3\r\nIf-Range: \"WHO\"",
            'If-None-Match: *', 'If-None-Match: "WHO"', 'If-Match: "WHO"',
            'If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT', 'If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT',
            'Cache-Control: no-store, WHO', 'Cache-Control: only-if-cached', 'Pragma: no-cache',
            'Accept-Encoding: WHO, gzip;q=0', 'Accept-Encoding: br, *;q=0.5', 'Accept-Encoding: identity;q=0',
            'Accept: WHO/WHO', 'Vary: X-WHO', 'TE: trailers, WHO',
        ] as $header) {
            yield strtr($header, ["\r\n" => ' and ']) => [self::get("$header\r\nX-Who: WHO\r\n", true)];
        }
    }

    /** @return iterable<string, array{OddRequest}> */
    private static function connections(): iterable
    {
        foreach ([
            'Connection: close, Cookie', 'Connection: X-Who', 'Keep-Alive: WHO', 'Proxy-Connection: WHO',
            'Upgrade: websocket', "Upgrade: h2c\r\nHTTP2-Settings: WHO", 'Proxy-Authorization: Basic WHO',
            'Expect: 100-continue', 'Max-Forwards: 0',
        ] as $header) {
            yield strtr($header, ["\r\n" => ' and ']) => [self::get("$header\r\nX-Who: WHO\r\n", true)];
        }
        yield 'a chunked body with a trailer' => [
            self::bytes(
                self::start() . "Transfer-Encoding: chunked\r\nTrailer: Cookie\r\n",
                "3\r\nWHO\r\n0\r\nCookie: app_session=WHO\r\n\r\n",
                stores: self::PAGE,
            ),
        ];
        yield 'two lengths' => [
            self::bytes(self::start() . "Content-Length: 3\r\nContent-Length: 9\r\n", 'WHOWHO', answer: '~ 400 ~'),
        ];
        yield 'a length and chunks' => [
            self::bytes(
                self::start() . "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
                "0\r\n\r\n",
                answer: '~ 400 ~',
            ),
        ];
        yield 'an unknown coding' => [
            self::bytes(self::start() . "Transfer-Encoding: xchunked\r\n", 'WHO', answer: '~ (?:400|501) ~'),
        ];
        $next = self::start() . self::SESSION . "\r\n";
        yield 'a request of a session in the body of another' => [
            self::bytes(self::start() . 'Content-Length: ' . \strlen($next) . "\r\n", $next, stores: self::PAGE),
        ];
        $anonymous = "GET /trap/mirror HTTP/1.1\r\nHost: localhost\r\n\r\n";
        yield 'pipelined behind a session' => [
            new OddRequest(
                "GET /trap/mirror HTTP/1.1\r\nHost: localhost\r\n" . self::SESSION . "\r\n" . self::start() . "\r\n",
                self::PAGE,
            ),
        ];
        yield 'a session pipelined behind it' => [
            new OddRequest($anonymous . self::start() . self::SESSION . "\r\n", self::PAGE),
        ];
    }

    /** @return iterable<string, array{OddRequest}> */
    private static function hosts(): iterable
    {
        foreach ([
            'LOCALHOST', 'localhost.', 'localhost:1', 'WHO@localhost', 'localhost/WHO', 'localhost WHO', '[::1]', '',
            'localhost,WHO', 'WHO.localhost',
        ] as $host) {
            yield "host \"$host\"" => [
                self::bytes("GET /trap/mirror HTTP/1.1\r\nHost: $host\r\nX-Who: WHO\r\n", stores: self::PAGE),
            ];
        }
        foreach (['http://WHO@localhost', 'http://localhost:80', 'HTTP://LOCALHOST', 'https://localhost'] as $origin) {
            yield "absolute, $origin" => [
                self::bytes(
                    "GET $origin/trap/mirror HTTP/1.1\r\nHost: localhost\r\nX-Who: WHO\r\n",
                    stores: self::PAGE,
                ),
            ];
        }
        yield 'two equal hosts' => [
            self::bytes(self::start() . "Host: localhost\r\nX-Who: WHO\r\n", answer: '~ 400 ~'),
        ];
    }

    /** @return iterable<string, array{OddRequest}> */
    private static function cookies(): iterable
    {
        foreach ([
            'a huge one' => 'colour=' . str_repeat('WHO', 1_000),
            'one without a value' => 'WHO',
            'one without a name' => '=WHO',
            'many' => implode('; ', array_map(static fn(int $number): string => "c$number=WHO", range(1, 100))),
            'a session without a value' => 'app_session=; colour=WHO',
            'a name that only begins so' => 'app_session_id=WHO',
            'a control character' => "colour=\x01WHO",
        ] as $what => $cookie) {
            yield "cookie: $what" => [self::get("Cookie: $cookie\r\n", true)];
        }
        foreach ([
            'capitals' => 'APP_SESSION=WHO',
            'a blank before the sign' => 'app_session =WHO',
            'quoted' => 'app_session="WHO"',
            'a version' => '$Version=1; app_session=WHO; $Path=/',
            'a comma' => 'colour=red,app_session=WHO',
            'twice' => 'app_session=; app_session=WHO',
            'no blank' => 'colour=red;app_session=WHO',
        ] as $what => $cookie) {
            // nginx may read it as a session or not. No render sees the cookie of a page that is stored.
            yield "session: $what" => [self::get("Cookie: $cookie\r\n", true)];
        }
        yield 'session: in the second of two headers' => [self::get("Cookie: colour=red\r\n" . self::SESSION)];
        yield 'session: folded' => [self::get("Cookie: colour=red;\r\n app_session=WHO\r\n", true)];
        yield 'session: too large a header' => [self::get('Cookie: app_session=' . str_repeat('WHO', 20_000) . "\r\n")];
    }

    /** @return iterable<string, array{OddRequest}> */
    private static function credentials(): iterable
    {
        foreach (['Bearer WHO', 'Digest username="WHO"', 'Negotiate WHO', 'WHO', 'basic WHO'] as $authorization) {
            // The page shows it to who sent it. So it would show it to the next one too, if it were stored.
            yield "authorization $authorization" => [
                self::bytes(self::start() . "Authorization: $authorization\r\n", answer: '~ 200 .*red1secret~s'),
            ];
        }
        yield 'authorization in small letters' => [self::get("authorization: Basic WHO\r\n")];
        yield 'authorization with a blank before the colon' => [self::get("Authorization : Basic WHO\r\n", true)];
        yield 'authorization with nothing' => [self::get("Authorization:\r\nX-Who: WHO\r\n", true)];
        yield 'authorization twice' => [self::get("Authorization: Basic WHO\r\nAuthorization: Basic x\r\n")];
        yield 'another key' => [self::get("X-Api-Key: WHO\r\nX-Auth-Token: WHO\r\nX-CSRF-Token: WHO\r\n", true)];
    }

    /** @return iterable<string, array{OddRequest}> */
    private static function queries(): iterable
    {
        $queries = ['?WHO', '?a=WHO', '??WHO', '?a[]=WHO', '?a=%00WHO', '?;a=WHO', '?a=1&a=WHO', '?WHO=1&b=2'];
        foreach ($queries as $query) {
            yield "query $query" => [self::of(self::PAGE . $query)];
        }
        // Larder's own: nginx takes it out, and PHP never gets it.
        yield 'a parameter that is ignored' => [self::of(self::PAGE . '?utm_source=WHO', self::PAGE)];
        yield 'two that are ignored' => [self::of(self::PAGE . '?fbclid=WHO&gclid=WHO', self::PAGE)];
        yield 'one that is ignored beside another' => [self::of(self::PAGE . '?utm_source=WHO&x=WHO')];
        yield 'a fragment' => [self::of(self::PAGE . '#WHO', self::PAGE)];
    }

    /** @return iterable<string, array{OddRequest}> */
    private static function paths(): iterable
    {
        foreach ([
            '/trap%2Fmirror', '/trap/mirror%2F', '/trap/mirror%00WHO', '//trap/mirror', '/trap//mirror',
            '/trap/./mirror', '/WHO/../trap/mirror', '/trap/mirror/.', '/%2e/trap/mirror', '/trap/mirror;WHO',
            '/trap/mirror\\WHO', '/trap/mir%72or', '/trap/mirror~page', '/r/WHO', '/@larder', '/@larder/page',
            '/@larder/page?larder/larder-app/trap/mirror', '/@larder/php', '/@2026-11-23T10:00/trap/mirror',
            '/trap/mirror%0d%0aSet-Cookie:WHO', '/trap/mirror%3FWHO', '/trap/mirror%23WHO', '/trap/mirror%25WHO',
            '/trap/%C0%AEWHO', '/trap/mirror.php/WHO', '/trap/mirror/', '/front.php?WHO',
        ] as $path) {
            yield "path $path" => [self::of($path)];
        }
        yield 'no path' => [
            self::bytes("GET localhost HTTP/1.1\r\nHost: localhost\r\nX-Who: WHO\r\n", answer: '~ 400 ~'),
        ];
        yield 'an asterisk' => [self::bytes("OPTIONS * HTTP/1.1\r\nHost: localhost\r\nX-Who: WHO\r\n")];
    }

    /** @return iterable<string, array{OddRequest}> */
    private static function proxies(): iterable
    {
        foreach ([
            'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Forwarded-Port', 'X-Forwarded-Prefix',
            'X-Forwarded-User', 'Forwarded', 'X-Real-IP', 'Via', 'X-Original-URL', 'X-Rewrite-URL', 'X-Original-Method',
            'X-Accel-Redirect', 'X-Accel-Expires', 'X-Sendfile', 'Surrogate-Key', 'Surrogate-Control',
            'Surrogate-Capability', 'Cache-Tag', 'CDN-Cache-Control', 'xkey-purge', 'Larder-Page', 'LARDER_PAGE',
            'Larder_Accept_Encoding', 'Script-Name', 'Proxy', 'X-Host', 'Referer', 'Origin', 'Cache-Status',
        ] as $header) {
            yield "header $header" => [self::get("$header: WHO\r\n", true)];
        }
        yield 'a header with a tab' => [self::get("X-Who:\tWHO\r\n", true)];
        yield 'a header with a line feed only' => [self::get("X-Who: a\nX-Other: WHO\r\n", true)];
    }

    /** @return iterable<string, array{OddRequest}> */
    private static function versions(): iterable
    {
        yield 'HTTP/1.0' => [
            new OddRequest("GET /trap/mirror HTTP/1.0\r\nHost: localhost\r\nX-Who: WHO\r\n\r\n", self::PAGE),
        ];
        yield 'HTTP/1.0 with a session' => [
            new OddRequest("GET /trap/mirror HTTP/1.0\r\nHost: localhost\r\n" . self::SESSION . "\r\n"),
        ];
        yield 'HTTP/0.9' => [new OddRequest("GET /trap/mirror?WHO\r\n")];
        yield 'HTTP/1.9' => [
            self::bytes("GET /trap/mirror HTTP/1.9\r\nHost: localhost\r\nX-Who: WHO\r\n", stores: self::PAGE),
        ];
        yield 'HTTP/2 without a word before' => [new OddRequest("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nWHO")];
        yield 'no version' => [self::bytes("GET /trap/mirror WHO\r\nHost: localhost\r\n", answer: '~ 400 ~')];
    }

    /** @return iterable<string, array{OddRequest}> renders that say WHO by what they do */
    private static function answers(): iterable
    {
        foreach (['cookie', 'session', 'session-closed', 'echo-flushed', 'status-503', 'redirect'] as $what) {
            yield "answer $what" => [
                new OddRequest(
                    "GET /trap/$what HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nUser-Agent: WHO\r\n\r\n",
                ),
            ];
        }
        foreach (['agent', 'language', 'forwarded-host', 'cookie-read', 'all-headers'] as $what) {
            yield "answer by $what" => [
                new OddRequest(
                    "GET /trap/$what HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nUser-Agent: WHO\r\n"
                        . "Accept-Language: WHO\r\nX-Forwarded-Host: WHO\r\nCookie: colour=WHO\r\n\r\n",
                    next: "/trap/$what",
                    answer: '~saw red1secret~',
                ),
            ];
        }
    }

    private static function get(string $headers, bool $stores = false): OddRequest
    {
        return self::bytes(self::start() . $headers, stores: $stores ? self::PAGE : null);
    }

    private static function of(string $uri, ?string $stores = null): OddRequest
    {
        return self::bytes("GET $uri HTTP/1.1\r\nHost: localhost\r\nX-Who: WHO\r\n", stores: $stores);
    }

    private static function bytes(
        string $head,
        string $body = '',
        ?string $stores = null,
        ?string $answer = null,
    ): OddRequest {
        $close = str_contains($head, 'Connection: close') ? '' : "Connection: close\r\n";

        return new OddRequest("$head$close\r\n$body", $stores, answer: $answer);
    }

    private static function start(): string
    {
        return "GET /trap/mirror HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
    }
}
