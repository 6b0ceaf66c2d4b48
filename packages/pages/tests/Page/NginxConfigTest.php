<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Closure;
use Larder\Page\Area;
use Larder\Page\Exception\InvalidSite;
use Larder\Page\NginxConfig;
use Larder\Page\NginxMaps;
use Larder\Page\NginxTarget;
use Larder\Page\NginxTemplates;
use Larder\Page\NginxText;
use Larder\Page\Operations;
use Larder\Page\Part;
use Larder\Page\PartKind;
use Larder\Page\Query;
use Larder\Page\Serving;
use Larder\Page\Site;
use Larder\Page\Storage;
use Larder\Page\Urls;
use Larder\Page\Visitors;
use Larder\Testbed\TemporaryDirectory;
use LogicException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** The text; that nginx reads it as meant is tested with nginx, beside the example site. */
#[CoversClass(NginxConfig::class)]
#[CoversClass(NginxTemplates::class)]
#[CoversClass(NginxTarget::class)]
#[CoversClass(NginxText::class)]
#[CoversClass(NginxMaps::class)]
final class NginxConfigTest extends TestCase
{
    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testTheSameSiteMakesTheSameText(): void
    {
        $make = static fn(): string => (new NginxConfig(
            self::site(areas: [new Area('/a'), new Area('/bb')]),
            self::target(),
        ))->whole();

        self::assertSame($make(), $make());
        self::assertSame(
            $make(),
            (new NginxConfig(self::site(areas: [new Area('/bb'), new Area('/a')]), self::target()))->whole(),
        );
    }

    /** A script in the page tells a hit by it, wherever the pages are. */
    public function testAHitSaysThatItIsOneToScriptsWhereTheSiteIsForDemonstrations(): void
    {
        foreach ([[], ['10.0.0.1:11211']] as $memcached) {
            foreach ([true, false] as $notes) {
                $config = new NginxConfig(self::site(memcached: $memcached, notes: $notes), self::target());

                self::assertSame($notes, str_contains($config->whole(), 'add_header Server-Timing "larder;desc=hit";'));
            }
        }
    }

    public function testEveryNameInNginxIsTheSitesOwnAndFitsIntoItsTableOfVariables(): void
    {
        foreach (['news' => 'news', 'News-2' => 'news_2', str_repeat('a', 60) => str_repeat('a', 20)] as $name => $in) {
            $config = new NginxConfig(self::site([new Area('/a', ttl: 86400)], name: $name), self::target());
            preg_match_all(
                '/(?:map \S+ \$|location @|upstream )(\w+)/',
                $config->http() . $config->server(),
                $found,
            );

            self::assertGreaterThan(15, \count($found[1]));
            foreach ($found[1] as $word) {
                self::assertStringStartsWith("larder_$in", $word);
                self::assertLessThan(46, \strlen($word));
            }
        }
    }

    public function testTheHashIsOfBothPartsAndOfAllThatTheyAreMadeFrom(): void
    {
        $parts = static fn(Site $site, ?string $public = null): NginxConfig => new NginxConfig(
            $site,
            new NginxTarget([], '/run/php.sock', '/srv/index.php', $public),
        );
        $config = $parts(self::site());
        $hash = $config->hash();

        self::assertStringContainsString("\"$hash\"", $config->http());
        self::assertStringContainsString("\"$hash\"", $config->locations());
        self::assertStringNotContainsString('server_name', $config->http() . $config->locations());
        self::assertCount(7, array_unique([
            $hash,
            $parts(self::site(areas: [new Area('/a')]))->hash(),
            $parts(self::site(areas: [new Area('/a', ignoreCookies: true)]))->hash(),
            $parts(self::site(cookies: ['sid']))->hash(),
            $parts(self::site(ignored: []))->hash(),
            $parts(self::site(headers: ['X-A' => 'b']))->hash(),
            $parts(self::site(), '/srv')->hash(),
        ]));
        self::assertSame($hash, $parts(self::site())->hash());
    }

    public function testASiteWithoutQueriesAndTtlHasNoMapForThem(): void
    {
        $config = new NginxConfig(self::site(ignored: []), self::target());

        self::assertStringNotContainsString('bucket', $config->http());
        self::assertStringNotContainsString('larder_path', $config->http() . $config->server());
    }

    public function testEveryAreaHasItsTypeAndItsPlaceForItselfAndBelow(): void
    {
        $server = (new NginxConfig(
            self::site(areas: [new Area('/feed', 'application/rss+xml'), new Area('/find', ttl: 60)]),
            self::target(),
        ))->server();

        foreach ([
            'location = /feed {',
            'location /feed/ {',
            'location = /find {',
            'location /find/ {',
            'location / {',
        ] as $location) {
            self::assertSame(1, substr_count($server, $location), $location);
        }
        // Two for itself and below, one for other URIs, and one for each other status.
        self::assertSame(7, substr_count($server, 'default_type "application/rss+xml";'));
        self::assertSame(2, substr_count($server, 'rewrite ^ /@$larder_news_bucket_60$uri~page break;'));
    }

    public function testABucketMapIsMadeOncePerTtl(): void
    {
        $http = (new NginxConfig(
            self::site(areas: [new Area('/a', ttl: 60), new Area('/b', ttl: 60), new Area('/c', ttl: 5)]),
            self::target(),
        ))->http();

        self::assertSame(1, substr_count($http, 'map $time_iso8601 $larder_news_bucket_60 {'));
        self::assertSame(1, substr_count($http, 'map $time_iso8601 $larder_news_bucket_5 {'));
        self::assertStringNotContainsString('volatile', $http);
    }

    public function testTheQueriesOfNginxAreTheOnesOfPhp(): void
    {
        $query = new Query('/list', ['page' => '[1-9]\d*']);

        self::assertStringContainsString(
            '"~' . $query->expression() . '" $request_uri;',
            (new NginxConfig(self::site(queries: [$query]), self::target()))->http(),
        );
    }

    /** @return iterable<string, array{string, bool}> */
    public static function uris(): iterable
    {
        foreach (['/a/all?q=x&page=2', '/a/b/all?q=x.y-z_&page=2'] as $uri) {
            yield $uri => [$uri, true];
        }
        foreach ([
            '/a/all?q=x&page=2&z=1', '/a/all?page=2&q=x', '/a/all?q=x', '/a/all?q=/&page=2', '/a/all?q=%41&page=2',
            '/a/all?q=&page=2', '/a/all?q=~page&page=2', '/a/../b/all?q=x&page=2', '/a//all?q=x&page=2',
            '/a/all?q=x&page=2?', '/.a/all?q=x&page=2', '/a/all?q=x&page=2&page=2',
        ] as $uri) {
            yield $uri => [$uri, false];
        }
    }

    #[DataProvider('uris')]
    public function testAGenerousExpressionAllowsNoStrangeQuery(string $uri, bool $allowed): void
    {
        $query = new Query('/.*/all', ['q' => '.*', 'page' => '.+']);

        self::assertSame($allowed, preg_match('~' . $query->expression() . '~D', $uri) === 1);
        self::assertSame($allowed, self::site(queries: [$query])->urls->page($uri) !== null);
    }

    public function testThePiecesOfAPageAreSentTogetherUnlessOneWaitsForPhp(): void
    {
        $shell = static fn(Part ...$parts): string => (new NginxConfig(
            self::site(parts: array_values($parts)),
            self::target(),
        ))->server();
        $together = 'postpone_output 16k;';
        self::assertSame(2, substr_count($shell(new Part('box')), $together));
        self::assertStringNotContainsString($together, $shell(new Part('box'), new Part('me', PartKind::Private)));
        self::assertStringNotContainsString($together, $shell());
        $idle = static fn(Part ...$parts): string => (new NginxConfig(
            self::site(memcached: ['127.0.0.1:1'], parts: array_values($parts)),
            self::target(),
        ))->http();
        self::assertStringContainsString('keepalive 128;', $idle(new Part('box')));
        self::assertStringContainsString('keepalive 32;', $idle());
    }

    /** nginx takes `if ($a$b)` for one variable with a strange name, and a value of "0" for nothing. */
    public function testEachConditionComparesOneVariable(): void
    {
        preg_match_all(
            '/if \((.*)\) \{/',
            (new NginxConfig(self::site(queries: [new Query('/list', ['page' => '\d'])]), self::target()))->server(),
            $matches,
        );

        self::assertNotEmpty($matches[1]);
        foreach ($matches[1] as $condition) {
            self::assertMatchesRegularExpression(
                '/^(?:\$[A-Za-z_]+ (?:!= (?:""|\$uri)|= (?:""|POST))|-[df] \/[\/a-z]+@status\d+\$uri'
                    . '|!-f \/[\/a-z]+\/asked\/\$[A-Za-z_]+)$/D',
                $condition,
            );
        }
    }

    public function testOnlyFilesThatAreSafeToShowAreServed(): void
    {
        $files = (new NginxMaps(self::site(), 'a'))->files();
        $isServed = static fn(string $name): bool => preg_match('#' . NginxMaps::NEVER . '#', 'GET:' . $name) !== 1
            && preg_match("#$files#", 'GET:' . $name) === 1;
        foreach ([
            '/style.css', '/a b.txt', '/x"y.txt', '/.well-known/acme-challenge/a', '/theme.css', '/app.module.css',
            '/x.log.txt', '/php/a.png', '/@scope/x.js', '/A.JPG',
        ] as $name) {
            self::assertTrue($isServed($name), $name);
        }
        foreach ([
            '/index.php', '/x.PHP', '/x.php5', '/x.phtml', '/.htaccess', '/deep/.git/config', '/back~', '/a.php.bak',
            '/a.php~', '/a.php/b', '/a.php.txt', '/dump.sql', '/x.inc', '/x.Phar', '/.well-known/.env', '/.env.txt',
            '/deep/note', '/only.gz', '/css', '/x.css/', '/well-known/a',
        ] as $name) {
            self::assertFalse($isServed($name), $name);
        }
    }

    public function testTlsAndTheServerForStrangersAreAMatterOfTheTarget(): void
    {
        $plain = (new NginxConfig(self::site(), self::target()))->server();
        $other = (new NginxConfig(
            self::site(),
            new NginxTarget(
                ['8080', '[::1]:8080', 'unix:/run/x.sock'],
                '/run/php.sock',
                '/srv/index.php',
                https: true,
                defaultServer: false,
            ),
        ))->server();

        self::assertStringContainsString('return 444;', $plain);
        self::assertStringNotContainsString('HTTPS', $plain);
        self::assertStringNotContainsString('return 444;', $other);
        self::assertSame(2, substr_count($other, 'fastcgi_param HTTPS "on";'));
        self::assertStringContainsString(
            "listen 8080;\n    listen [::1]:8080;\n    listen unix:/run/x.sock;\n",
            $other,
        );
    }

    public function testAHeaderOfTheSiteIsNeitherPassedOnFromPhpNorSaidTwice(): void
    {
        $server = (new NginxConfig(
            self::site(headers: ['X-Frame-Options' => "a 'quoted'; value {x}"]),
            self::target(),
        ))->server();

        self::assertSame(2, substr_count($server, 'fastcgi_hide_header X-Frame-Options;'));
        self::assertStringContainsString('add_header X-Frame-Options "a \'quoted\'; value {x}" always;', $server);
    }

    /** SentIsStoredTest sees it, but only with an nginx that passes Host by itself. */
    public function testWhereNoHeaderIsPassedHostIsNotEither(): void
    {
        $server = (new NginxConfig(self::site(), self::target()))->server();
        preg_match_all('/^ *fastcgi_pass_request_headers off;\n(.*)$/m', $server, $next);

        self::assertNotSame([], $next[1]);
        foreach ($next[1] as $line) {
            self::assertSame('fastcgi_param HTTP_HOST "";', trim($line));
        }
    }

    public function testAPassedHeaderIsNamedOnce(): void
    {
        $server = (new NginxConfig(
            self::site(passHeaders: ['Accept-Language', 'accept-language']),
            self::target(),
        ))->server();

        self::assertSame(
            1,
            substr_count($server, 'fastcgi_param HTTP_ACCEPT_LANGUAGE "$http_accept_language" if_not_empty;'),
        );
    }

    public function testBracesAndQuotesAreBalancedWhateverTheSite(): void
    {
        $areas = array_map(static fn(int $ttl): Area => new Area('/every.+-:/' . $ttl, ttl: $ttl), Area::TTLS);
        $text = (new NginxConfig(
            self::site($areas, [new Query('/(?:list|a.b)', ['page' => '\d+|x'])]),
            self::target(),
        ))->whole(
            "server {\n    listen 9;\n}\n",
        );
        $bare = (string) preg_replace(
            ['/^ *#.*$/m', '/"[^"\n]*"/', "/'[^'\n]*'/"],
            ['', 'Q', 'Q'],
            (string) preg_replace('/; # .*$/m', ';', $text),
        );

        self::assertStringNotContainsString('"', $bare);
        self::assertSame(substr_count($bare, '{'), substr_count($bare, '}'));
        foreach (explode("\n", $bare) as $line) {
            self::assertMatchesRegularExpression('/^\s*(?:|.*;|.*\{|\}|.*\{ .*; \}|types \{\})$/D', $line);
        }
    }

    public function testEachLineIsIndentedByItsBlocksAndABlockOfTheCallerStaysAsItIs(): void
    {
        $more = "log_format own 'a'\n               'b';\n";
        $site = self::site([new Area('/a', stale: 5)], parts: [new Part('box')]);
        $lines = explode("\n", (new NginxConfig($site, self::target('/srv')))->whole($more));

        $depth = 0;
        $before = ';';
        foreach (\array_slice($lines, 0, -4) as $line) {
            $depth -= (int) (trim($line) === '}');
            // The files of try_files are lines of one directive.
            $expected = $line === '' ? 0 : 4 * ($depth + (int) preg_match('/try_files$|~page$/D', $before));
            self::assertSame($expected, \strlen($line) - \strlen(ltrim($line)), $line);
            $depth += (int) str_ends_with($line, '{');
            $before = $line;
        }
        self::assertSame(["    log_format own 'a'", "                   'b';", '}', ''], \array_slice($lines, -4));
        self::assertSame(1, $depth);
    }

    /** @return iterable<string, array{Closure(): mixed}> */
    public static function hostile(): iterable
    {
        $config = static fn(Site $site): NginxConfig => new NginxConfig($site, self::target());
        foreach ([
            'Cache-Control', 'cache-status', 'Last-Modified', 'ETag', 'Vary', 'Content-Type', 'Set-Cookie',
        ] as $name) {
            yield "header {$name}" => [static fn() => $config(self::site(headers: [$name => 'x']))];
        }
        foreach (['x" always; } server {', "x\ny", 'a $uri', 'x\\', "x\0y", "x\ty"] as $value) {
            yield 'header value ' . addcslashes($value, "\0..\37") => [
                static fn() => $config(self::site(headers: ['X-A' => $value]))->whole(),
            ];
        }
        foreach (['*', '_', 'a..b', '.', 'a;b', 'a b', '~x', 'a.*.b', ''] as $host) {
            yield "host '{$host}'" => [static fn() => $config(self::site(hosts: ['news.example', $host]))];
        }
        foreach (['*.example.org', '.example.org', 'www.example.*'] as $host) {
            yield "first host {$host}" => [static fn() => $config(self::site(hosts: [$host]))];
        }
        foreach (['Host', 'proxy'] as $name) {
            yield "passed header {$name}" => [static fn() => $config(self::site(passHeaders: [$name]))];
        }
        foreach ([
            '',
            '127.0.0.1',
            '127.0.0.1:0',
            '80;',
            "80\n",
            '80 ssl',
            'unix:',
            'unix:x',
            'unix:/a b',
            'unix:/a;b',
            '[::1',
            '999999',
        ] as $listen) {
            yield 'listen ' . addcslashes($listen, "\n") => [static fn() => new NginxTarget([$listen], '/a', '/b')];
        }
        $deaf = new NginxTarget([], '/a', '/b');
        yield 'no listen' => [static fn() => (new NginxConfig(self::site(), $deaf))->server()];
        foreach ([['a b'], ['a;b'], ['a=b'], [''], ["\u{e9}"], ['"a"'], ['a,b']] as $cookies) {
            yield 'cookie ' . $cookies[0] => [static fn() => self::site(cookies: $cookies)];
        }
        foreach ([['a|b'], ['*'], ['a*b'], ['']] as $ignored) {
            yield 'ignored ' . $ignored[0] => [static fn() => self::site(ignored: $ignored)];
        }
        yield 'many ignored' => [
            static fn() => $config(self::site(ignored: array_fill(0, 900, 'abc')))->http(),
        ];
        yield 'a parameter that a query has' => [
            static fn() => self::site(queries: [new Query('/list', ['gclid' => '[a-z]+'])]),
        ];
        yield 'an area beside the path' => [static fn() => self::site(areas: [new Area('/news')], path: '/shop')];
        yield 'ignored cookies that PHP gets' => [
            static fn() => self::site(areas: [new Area('/a', ignoreCookies: true)], passHeaders: ['Cookie']),
        ];
        yield 'a path with a slash' => [static fn() => self::site(path: '/shop/')];
        yield 'an area with an escape' => [static fn() => new Area('/gr%C3%B6')];
        foreach ([
            '',
            'relative',
            '/',
            '/a/',
            '/a b',
            '/a;b',
            '/a{b',
            '/a"b',
            "/a'b",
            '/$a',
            "/a\n",
            "/a\x01",
            '/a\\b',
        ] as $path) {
            yield 'path ' . addcslashes($path, "\0..\37") => [static fn() => new NginxTarget(['80'], $path, '/b')];
            yield 'script ' . addcslashes($path, "\0..\37") => [static fn() => new NginxTarget(['80'], '/a', $path)];
            yield 'public ' . addcslashes($path, "\0..\37") => [
                static fn() => new NginxTarget(['80'], '/a', '/b', $path),
            ];
            yield 'directory ' . addcslashes($path, "\0..\37") => [
                static fn() => new NginxTarget(['80'], '/a', '/b', directory: $path),
            ];
        }
        yield 'user' => [static fn() => new NginxTarget(['80'], '/a', '/b', user: 'x; load_module y')];
        foreach (['a"b', "a\nb", 'a b', 'a\\\\b', 'a\\tb'] as $expression) {
            yield 'expression ' . addcslashes($expression, "\n") => [static fn() => NginxText::expression($expression)];
        }
    }

    /** @param Closure(): mixed $make */
    #[DataProvider('hostile')]
    public function testRefuses(Closure $make): void
    {
        $this->expectException(InvalidSite::class);
        $make();
    }

    public function testWaitsForMemcachedAsLongAsTheSiteSays(): void
    {
        $site = self::site(memcached: ['10.0.0.1:11211'], patience: 300);
        $text = (new NginxConfig($site, self::target()))->whole();

        self::assertStringContainsString('memc_read_timeout 300ms;', $text);
        self::assertStringNotContainsString('50ms', $text);
        $this->expectException(InvalidSite::class);
        $this->expectExceptionMessage('Allowed: 1 to 60000');
        self::site(memcached: ['10.0.0.1:11211'], patience: 0);
    }

    private static function target(?string $public = null): NginxTarget
    {
        return new NginxTarget(['127.0.0.1:8080'], '/run/php.sock', '/srv/news/index.php', $public);
    }

    /**
     * @param list<Area>                       $areas
     * @param list<Query>                      $queries
     * @param non-empty-list<string>           $hosts
     * @param array<non-empty-string, string>  $headers
     * @param list<non-empty-string>           $passHeaders
     * @param list<string>                     $cookies
     * @param list<string>                     $ignored
     * @param list<string>                     $memcached
     * @param list<Part>                       $parts
     */
    private static function site(
        array $areas = [],
        array $queries = [],
        array $hosts = ['news.example', '*.news.example'],
        array $headers = [],
        array $passHeaders = [],
        array $cookies = ['PHPSESSID'],
        array $ignored = Urls::IGNORED,
        string $path = '/',
        string $name = 'news',
        array $memcached = [],
        bool $notes = false,
        array $parts = [],
        int $patience = 50,
    ): Site {
        return new Site(
            name: $name,
            hosts: $hosts,
            pages: '/run/larder/news',
            list: '/srv/news/list.php',
            controllers: [],
            connect: static fn() => throw new LogicException('No test here needs the database.'),
            urls: new Urls(areas: $areas, queries: $queries, ignoredParameters: $ignored, path: $path, parts: $parts),
            serving: new Serving(headers: $headers),
            visitors: new Visitors(sessionCookies: $cookies, passHeaders: $passHeaders),
            storage: new Storage(memcached: $memcached, patience: $patience),
            operations: new Operations(notes: $notes),
        );
    }
}
