<?php

declare(strict_types=1);

namespace Larder\Tests\Support;

/** Requests of visitors who would have parts, shells or contexts that are not theirs. Each says WHO sends it. */
final readonly class PartRequests
{
    private const PART = '/@larder/part/';

    private const WHO = "X-Who: WHO\r\nCookie: who=WHO\r\nConnection: close\r\n";

    /** @return iterable<string, array{PartRequest}> all of them */
    public static function all(): iterable
    {
        yield from self::spellings();
        yield from self::places();
        yield from self::methods();
        yield from self::hosts();
        yield from self::headers();
    }

    /** @return iterable<string, array{PartRequest}> of the URI of a part */
    private static function spellings(): iterable
    {
        foreach (['box/latest', 'menu', 'own'] as $part) {
            foreach ([
                "/@larder/part/$part", "/%40larder/part/$part", "/@larder%2Fpart/$part", "/@larder%2fpart%2f$part",
                "//@larder/part/$part", "/@larder//part/$part", "/./@larder/part/$part", "/x/../@larder/part/$part",
                "/x/%2e%2e/@larder/part/$part", "/page/4/../../@larder/part/$part", "/@larder/part/../part/$part",
                "/@larder/part/$part/", "/@larder/part/$part/.", "/@larder/part/$part?x=1", "/@larder/part/$part?",
                "/@larder/part/$part?utm_source=x", "/@larder/part/$part~page", "/@larder/part/$part%7Epage",
                "/@larder/part/$part~page.gz", "/@larder/part/$part;a=b", "/@larder/part/$part%20",
                "/@larder/part/$part%23", "/@larder/part/$part.html", "/@LARDER/part/$part", "/@larder/Part/$part",
                "/page/4/@larder/part/$part", "/%2540larder/part/$part", "/@larder/part/$part\\",
                "/@larder/make/$part", "/@larder/make/$part~page", "/%40larder/make/$part",
            ] as $uri) {
                yield $uri => [self::get($uri)];
            }
        }
        yield 'with a NUL' => [self::get(self::PART . 'own%00', status: '400')];
        yield 'above the root' => [self::get('/../@larder/part/own', status: '400')];
        yield 'in two letters for one' => [self::get('/%c1%80larder/part/own')];
        yield 'of a part that nobody declares' => [self::get(self::PART . 'nobody')];
        yield 'of no part' => [self::get(self::PART)];
        yield 'oversized' => [self::get(self::PART . 'own/' . str_repeat('a/', 2_000))];
    }

    /** @return iterable<string, array{PartRequest}> of keys in the store and of what leads to them */
    private static function places(): iterable
    {
        foreach ([
            '/@=role:editor/@larder/part/menu', '/@=role:editor/@larder/part/menu~page', '/@=/@larder/part/menu',
            '/%40=role:editor/@larder/part/menu', '/@%3Drole:editor/@larder/part/menu',
            '/@=role%3Aeditor/@larder/part/menu~page', '//@=role:editor/@larder/part/menu~page',
            '/x/../@=role:editor/@larder/part/menu~page', '/page/@=role:editor/@larder/part/menu',
            '/@larder/@=role:editor/@larder/part/menu', '/@larder/part/@=role:editor/@larder/part/menu',
            '/@=role:editor/page/4', '/@=role:editor/@shell/page/4',
            '/@shell/page/4', '/@shell/page/4~page', '/%40shell/page/4', '//@shell/page/4', '/@shell//page/4',
            '/@shell/page/4?x=1', '/@shell/', '/@shell', '/x/../@shell/page/4~page',
            '/@larder/@shell/page/4', '/@larder/@shell/page/4~page', '/@larder/%40shell/page/4',
            '/@larder/%40shell/page/4~page', '//@larder/@shell/page/4', '/@larder/@shell/page/4?larder',
            '/page/4~page', '/page/4~page.gz', '/current/@shell/page/4~page', '/r/r1/@shell/page/4~page',
            '/current/@=role:editor/@larder/part/menu~page', '/pages/current/@larder/part/box/latest~page',
            '/@larder/page?larder/news/@shell/page/4', '/@larder/page?larder/news/@=role:editor/@larder/part/menu',
            '/@larder/memcached?larder/news/@shell/page/4', '/larder/news/@shell/page/4',
            '/@news_shell_0', '/@larder_news_part_1', '/@larder_news_shell_0', '/@larder_news_bypass',
            '/../contexts.secrets%3f',
        ] as $uri) {
            yield $uri => [self::get($uri, status: str_starts_with($uri, '/../') ? '400' : '404')];
        }
    }

    /** @return iterable<string, array{PartRequest}> */
    private static function methods(): iterable
    {
        foreach (['POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'PURGE', 'PROPFIND', 'QUERY'] as $method) {
            foreach ([self::PART . 'own', '/@=role:editor/@larder/part/menu', '/@larder/@shell/page/4'] as $uri) {
                yield "$method $uri" => [
                    new PartRequest("$method $uri HTTP/1.1\r\nHost: localhost\r\n" . self::WHO . "\r\n"),
                ];
            }
        }
        yield 'a method in small letters' => [
            new PartRequest(
                'get ' . self::PART . "own HTTP/1.1\r\nHost: localhost\r\n" . self::WHO . "\r\n",
                status: '400',
            ),
        ];
        yield 'TRACE' => [
            new PartRequest(
                'TRACE ' . self::PART . "own HTTP/1.1\r\nHost: localhost\r\n" . self::WHO . "\r\n",
                status: '405',
            ),
        ];
        yield 'HTTP/1.0' => [
            new PartRequest('GET ' . self::PART . "own HTTP/1.0\r\nHost: localhost\r\n" . self::WHO . "\r\n"),
        ];
        yield 'HTTP/0.9' => [new PartRequest('GET ' . self::PART . "own\r\n", status: '')];
        yield 'pipelined behind a page' => [
            new PartRequest(
                "GET /page/4 HTTP/1.1\r\nHost: localhost\r\nX-Who: WHO\r\n\r\nGET " . self::PART
                    . "menu HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                '/page/4',
                '200',
            ),
        ];
    }

    /** @return iterable<string, array{PartRequest}> */
    private static function hosts(): iterable
    {
        foreach ([
            'http://localhost/@larder/part/own', 'http://localhost//@larder/part/own',
            'HTTP://LOCALHOST/@larder/part/own',
            'http://localhost/@=role:editor/@larder/part/menu', 'https://localhost/@larder/part/menu',
            'http://localhost:80/@larder/@shell/page/4', 'http://localhost/%40larder/part/box/latest',
        ] as $uri) {
            yield "absolute, $uri" => [self::get($uri)];
        }
        foreach ([
            'localhost/@larder/part/own' => '400', 'localhost:80/../@larder/part/own' => '400', '@larder' => '(?:400|)',
            'localhost.' => '404', 'LOCALHOST' => '404', 'localhost:@larder' => '(?:400|404)', '' => '(?:400|)',
        ] as $host => $status) {
            yield "host \"$host\"" => [
                new PartRequest(
                    'GET ' . self::PART . "own HTTP/1.1\r\nHost: $host\r\n" . self::WHO . "\r\n",
                    status: $status,
                ),
            ];
        }
        yield 'two hosts' => [self::get(self::PART . 'own', "Host: localhost\r\n", status: '400')];
    }

    /** @return iterable<string, array{PartRequest}> */
    private static function headers(): iterable
    {
        $headers = [];
        foreach (['X-Accel-Redirect', 'X-Original-URL', 'X-Rewrite-URL', 'X-Sendfile', 'Destination'] as $name) {
            $headers[] = "$name: /@larder/part/own";
            $headers[] = "$name: /@=role:editor/@larder/part/menu";
        }
        foreach (['LARDER_PART', 'Larder-Part', 'HTTP_LARDER_PART', 'X-Larder-Part', 'Larder_Part'] as $name) {
            $headers[] = "$name: /@larder/part/menu";
        }
        foreach (['LARDER_PAGE', 'Larder-Page', 'HTTP_LARDER_PAGE'] as $name) {
            $headers[] = "$name: /@=role:editor/@larder/part/menu";
        }
        foreach (['LARDER_CONTEXT', 'Larder-Context', 'HTTP_LARDER_CONTEXT', 'X-Larder-Context'] as $name) {
            $headers[] = "$name: role:editor";
        }
        array_push(
            $headers,
            'LARDER_WHOLE: @larder_news_bypass',
            'Larder-Whole: @larder_news_bypass',
            'LARDER_ACCEPT_ENCODING: gzip',
            'Secure-Link: 1',
            'Range: bytes=0-5',
            'Range: bytes=-5',
            'Range: bytes=0-1,3-4',
            "Range: bytes=1-\r\nIf-Range: \"WHO\"",
            'If-None-Match: *',
            'If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT',
            'Surrogate-Capability: WHO="ESI/1.0 SSI/1.0"',
            'X-Forwarded-Uri: /@larder/part/own',
            'X-Forwarded-Host: WHO',
            'Forwarded: host=WHO',
            'X-HTTP-Method-Override: PURGE',
            'Surrogate-Key: WHO',
            'Accept-Language: fr',
            'Upgrade: h2c',
        );
        foreach ($headers as $header) {
            $name = strtr($header, ["\r\n" => ' and ']);
            yield "$name, for a page" => [self::get('/page/4', "$header\r\n", '/page/4', '(?:200|304)')];
            yield "$name, for a part" => [self::get(self::PART . 'menu', "$header\r\n")];
        }
    }

    private static function get(
        string $uri,
        string $headers = '',
        ?string $page = null,
        string $status = '404',
    ): PartRequest {
        return new PartRequest(
            "GET $uri HTTP/1.1\r\nHost: localhost\r\n$headers" . self::WHO . "\r\n",
            $page,
            $status,
        );
    }
}
