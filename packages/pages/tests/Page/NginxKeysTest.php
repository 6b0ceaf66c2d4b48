<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Page\Area;
use Larder\Page\NginxConfig;
use Larder\Page\PagePath;
use Larder\Page\Query;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Site\StandIn;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Random\Engine\Mt19937;
use Random\Randomizer;

/**
 * Random requests, and the key that each must have by a model that shares no text with the library: nginx hands PHP
 * that key, PHP takes it for a page of the site, and nginx serves the page at that key and no other.
 */
#[CoversClass(NginxConfig::class)]
#[CoversClass(PagePath::class)]
#[CoversClass(Query::class)]
final class NginxKeysTest extends TestCase
{
    private const REQUESTS = 1500;

    private const PIECES = [
        'a', 'B', '9', '4', '/', '/', '/', '.', '..', '_', ':', ',', '+', '-', '~', '~page', '@', ';', '*', "'", '=',
        '%C3%B6', '%c3%b6', '%E2%82%AC', '%20', '%2F', '%2f', '%3F', '%3f', '%23', '%25', '%41', '%7E', '%5C', '%2E',
        '%2B', '%40', '%26', '%0A', "\u{f6}", '//', '/./', '%FF', '%7F', '%22', '.x', '%2e',
    ];

    private const PATHS = ['/', '/news/4', '/list', '/list', '/open', '/open/own', '/open/own/', '/open/', '/opener/'];

    private const PARAMETERS = [
        'utm_source=x', 'utm_a', 'fbclid', 'gclid=a%2Fb/c', 'UTM_source=x', 'utm_x=?', 'utm_x=a?page=2', 'page=2',
        'page=2', 'page=02', 'page=%32', 'pag%65=2', 'x=1', '', 'page=2~page', 'fbclidx=1', 'mtm_kwd==&', 'page=',
    ];

    private static ?StandIn $standIn = null;

    public static function setUpBeforeClass(): void
    {
        self::$standIn = new StandIn(
            [new Area('/open', ignoreCookies: true), new Area('/open/own')],
            [new Query('/list|/open/.*', ['page' => '[1-9][0-9]?'])],
        );
    }

    public static function tearDownAfterClass(): void
    {
        self::$standIn?->remove();
        self::$standIn = null;
    }

    public function testNginxAndPhpAgreeOnEachKey(): void
    {
        self::assertNotNull(self::$standIn);
        $standIn = self::$standIn;
        $seed = random_int(0, 1 << 30);
        $random = new Randomizer(new Mt19937($seed));
        $requests = $pages = [];
        $aliases = 0;
        for ($number = 0; $number < self::REQUESTS; ++$number) {
            $uri = self::uri($random);
            $headers = match ($random->getInt(0, 3)) {
                0 => ['Cookie' => 'x=y; app_session=1'],
                1 => ['Authorization' => 'x'],
                default => [],
            };
            $answer = Connection::ask($standIn->address, 'GET', $uri, $headers);
            if ($answer->status === 400) {
                self::assertMatchesRegularExpression('~(/|%2f)\.\.|%2e~i', $uri, "seed $seed: climbs above the root");
                continue;
            }
            $key = self::key($uri, $headers);
            $told = StandIn::told($answer);
            $shown = "seed $seed: $uri " . json_encode($headers);
            self::assertSame($key, $told['LARDER_PAGE'], $shown);
            self::assertSame($key === '' ? $uri : $key, $told['REQUEST_URI'], $shown);
            self::assertSame(explode('?', $key === '' ? $uri : $key, 2)[1] ?? '', $told['QUERY_STRING'], $shown);
            self::assertSame($key !== '', $standIn->site->urls->page($key) !== null, $shown);
            $requests[] = [$uri, $headers, $key];
            if ($key !== '') {
                $pages[$key] = "the page $key";
            }
        }
        foreach ($pages as $key => $page) {
            $standIn->place($key, $page);
        }
        foreach ($requests as [$uri, $headers, $key]) {
            $answer = Connection::ask($standIn->address, 'GET', $uri, $headers);
            $shown = "seed $seed: $uri " . json_encode($headers);
            if ($key !== '') {
                self::assertSame($pages[$key], $answer->body, $shown);
            } else {
                self::assertSame('', StandIn::told($answer)['LARDER_PAGE'], $shown);
                $aliases += isset($pages[self::loosely($uri)]) ? 1 : 0;
            }
        }

        self::assertGreaterThan(50, \count($pages), 'The control: many have a page,');
        self::assertGreaterThan(50, \count($requests) - \count($pages), 'many have none,');
        self::assertGreaterThan(5, $aliases, 'and some of these would have one by a model that is less strict.');
    }

    private static function uri(Randomizer $random): string
    {
        $uri = self::one($random, self::PATHS);
        for ($pieces = $random->getInt(0, 3); $pieces > 0; --$pieces) {
            $uri .= self::one($random, self::PIECES);
        }
        if ($random->getInt(0, 1) === 1) {
            $parameters = [];
            for ($count = $random->getInt(1, 3); $count > 0; --$count) {
                $parameters[] = self::one($random, self::PARAMETERS);
            }
            $uri .= '?' . implode('&', $parameters);
        }

        return $uri;
    }

    /** @param non-empty-list<string> $words */
    private static function one(Randomizer $random, array $words): string
    {
        return $words[$random->getInt(0, \count($words) - 1)];
    }

    /** @param array<string, string> $headers */
    private static function key(string $uri, array $headers): string
    {
        $parts = explode('?', $uri, 2);
        $path = $parts[0];
        $isOpen = $path === '/open' || str_starts_with($path, '/open/');
        $isOwn = $path === '/open/own' || str_starts_with($path, '/open/own/');
        if (isset($headers['Authorization']) || (isset($headers['Cookie']) && (!$isOpen || $isOwn))) {
            return '';
        }
        if (!self::isCanonical($path)) {
            return '';
        }
        if (!isset($parts[1])) {
            return $path;
        }
        if (str_contains($parts[1], '?')) {
            return '';
        }
        $parameters = explode('&', $parts[1]);
        $isIgnored = static fn(string $parameter): bool => preg_match(
            '/^(?:utm_.*|mtm_.*|fbclid|gclid)$/D',
            explode('=', $parameter, 2)[0],
        ) === 1;
        while ($parameters !== [] && $isIgnored($parameters[0])) {
            array_shift($parameters);
        }
        while ($parameters !== [] && $isIgnored($parameters[\count($parameters) - 1])) {
            array_pop($parameters);
        }
        if ($parameters === []) {
            return $path;
        }
        $hasQuery = $path === '/list' || str_starts_with($path, '/open/');

        return $hasQuery && $parameters === ['page=2'] ? $path . '?page=2' : '';
    }

    /** Decodes each segment and encodes it in the one way that a page's path has. */
    private static function isCanonical(string $path): bool
    {
        $segments = explode('/', substr($path, 1));
        foreach ($segments as $number => $segment) {
            $isLast = $number === \count($segments) - 1;
            $bytes = rawurldecode($segment);
            if (($bytes === '' && !$isLast) || str_starts_with($bytes, '.')) {
                return false;
            }
            if (preg_match('~[\x00-\x1F\x7F#%/?@\\\\\~]~', $bytes) === 1) {
                return false;
            }
            $encoded = str_replace(['%3A', '%2C', '%2B'], [':', ',', '+'], rawurlencode($bytes));
            if ($encoded !== $segment) {
                return false;
            }
        }

        return \count($segments) <= 16 && \strlen($path) <= 200;
    }

    /** What a decoding cache would take the URI for. */
    private static function loosely(string $uri): string
    {
        $path = (string) preg_replace('~/+~', '/', rawurldecode(explode('?', $uri)[0]));

        return str_replace(
            ['%2F', '%3A', '%2C', '%2B'],
            ['/', ':', ',', '+'],
            rawurlencode($path),
        );
    }
}
