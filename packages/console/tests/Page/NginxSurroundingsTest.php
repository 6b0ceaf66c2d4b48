<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Closure;
use Larder\Console\Doctor\Check;
use Larder\Console\Doctor\ServerChecks;
use Larder\Console\HttpServer;
use Larder\Page\Area;
use Larder\Page\NginxConfig;
use Larder\Page\NginxMaps;
use Larder\Page\NginxTarget;
use Larder\Page\NginxTemplates;
use Larder\Page\Operations;
use Larder\Page\Pages;
use Larder\Page\Serving;
use Larder\Page\Site;
use Larder\Page\Storage;
use Larder\Page\Urls;
use Larder\Page\Visitors;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Server\Nginx;
use Larder\Testbed\Server\PhpFpm;
use Larder\Testbed\Server\Ports;
use Larder\Testbed\Server\Program;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\NewsController;
use OpenSSLCertificateSigningRequest;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** The parts that a site's own configuration includes, in surroundings that sites have: each loads and serves. */
#[CoversClass(HttpServer::class)]
#[CoversClass(NginxConfig::class)]
#[CoversClass(NginxTemplates::class)]
#[CoversClass(NginxTarget::class)]
#[CoversClass(ServerChecks::class)]
#[CoversClass(NginxMaps::class)]
final class NginxSurroundingsTest extends TestCase
{
    private const FRONT = <<<'PHP'
        <?php
        require %s;
        $site = Larder\Tests\Page\NginxSurroundingsTest::site(%s, %s, %s);
        $database = Larder\Page\Pages::of($site)->connect();
        Larder\Page\Pages::of($site)->plainFront($database)->run(
            Larder\Tests\Support\NewsController::class,
            function () use ($site): void {
                header('Content-Type: text/html; charset=utf-8');
                str_ends_with($_SERVER['REQUEST_URI'], '/cookie') && header('Set-Cookie: who=made');
                echo json_encode(['site' => $site->name] + array_intersect_key($_SERVER, array_flip(
                    ['REQUEST_URI', 'SCRIPT_NAME', 'HTTPS', 'REMOTE_ADDR', 'QUERY_STRING', 'HTTP_COOKIE'],
                )));
            },
        );
        PHP;

    private static TemporaryDirectory $directory;
    private static Account $account;
    private static Memcached $memcached;
    private static PhpFpm $php;
    private static int $pages = 0;

    private ?Nginx $nginx = null;

    public static function setUpBeforeClass(): void
    {
        self::$directory = new TemporaryDirectory('larder-around');
        self::$memcached = new Memcached(self::home('stored') . '/mc', socket: true);
        foreach (['news' => '/', 'blog-2' => '/', 'shop' => '/shop', 'stored' => '/'] as $name => $path) {
            $home = self::home($name);
            mkdir($home . '/public', recursive: true);
            mkdir($home . '/data');
            file_put_contents($home . '/public/index.php', \sprintf(
                self::FRONT,
                ...array_map(
                    static fn(string $word): string => var_export($word, true),
                    [\dirname(__DIR__, 4) . '/vendor/autoload.php', $home, $name, $path],
                ),
            ));
            Pages::of(self::site($home, $name, $path))->deploy('r1');
        }
        self::$account = Account::ableToReach(__FILE__);
        self::$account->own(self::$directory->path);
        mkdir(self::$directory->path . '/php/tmp', recursive: true);
        self::$php = new PhpFpm(self::$directory->path . '/php', self::$account, 2);
    }

    public static function tearDownAfterClass(): void
    {
        self::$php->stop();
        self::$memcached->stop();
        self::$directory->remove();
    }

    protected function tearDown(): void
    {
        $this->nginx?->stop();
    }

    /** @param list<string> $cookies */
    public static function site(
        string $home,
        string $name,
        string $path,
        array $cookies = ['sid', '__Host-sid', 'wordpress_logged_in_*'],
    ): Site {
        return new Site(
            name: $name,
            hosts: [strtok($name, '-') . '.example'],
            pages: $home . '/pages',
            list: $home . '/list.php',
            controllers: [NewsController::class],
            connect: static function () use ($home): RecordingPdo {
                $database = new RecordingPdo('sqlite:' . $home . '/data/site.sqlite');
                foreach (['news', 'comment'] as $table) {
                    $database->exec("CREATE TABLE IF NOT EXISTS $table (id INTEGER PRIMARY KEY)");
                }

                return $database;
            },
            urls: new Urls(areas: [new Area(rtrim($path, '/') . '/open', ignoreCookies: true)], path: $path),
            visitors: new Visitors(sessionCookies: $cookies),
            serving: new Serving(
                headers: [
                    'Strict-Transport-Security' => 'max-age=600',
                    'Content-Security-Policy' => "default-src 'self'",
                ],
                // So that the next request is answered by nginx.
                answersFirst: false,
            ),
            operations: new Operations(code: []),
            storage: new Storage(
                memcached: is_dir($home . '/mc') ? ["unix:$home/mc/memcached.sock"] : [],
                patience: 2_000,
            ),
        );
    }

    public function testDebiansDefaultConfigurationWithAWholeServerBlockBesideItsDefaultSite(): void
    {
        $this->start(fn(int $port): array => [
            'conf.d/news.conf' => self::config('news', ["127.0.0.1:$port"])->http()
                . self::config('news', ["127.0.0.1:$port"])->server(),
        ]);

        $this->assertPages($this->url('http://news.example'));
        self::assertArrayNotHasKey('cache-status', $this->ask($this->url('http://other.example') . '/')['headers']);
    }

    public function testDebiansDefaultConfigurationWithTheSitesOwnServerBlock(): void
    {
        $this->start(fn(int $port): array => self::parts('news', "listen 127.0.0.1:$port;"));

        $told = $this->assertPages($this->url('http://news.example'));
        self::assertSame('/index.php', $told['SCRIPT_NAME']);
        self::assertArrayNotHasKey('HTTPS', $told);
    }

    public function testTlsAndHttp2(): void
    {
        $certificate = self::certificate();
        $options = version_compare(self::version(), '1.25.1', '>=') ? 'ssl; http2 on;' : 'ssl http2;';
        $this->start(fn(int $port): array => self::parts(
            'news',
            "listen 127.0.0.1:$port $options ssl_certificate $certificate; ssl_certificate_key $certificate;",
            https: true,
        ), beside: false);
        $url = $this->url('https://news.example');

        foreach ([CURL_HTTP_VERSION_1_1 => 1, CURL_HTTP_VERSION_2TLS => 2] as $version => $major) {
            $options = [CURLOPT_HTTP_VERSION => $version];
            $told = $this->assertPages($url, $options);
            self::assertSame('on', $told['HTTPS'] ?? null);
            self::assertSame($major, $this->ask($url . '/x', $options)['major']);
        }
        self::assertSame([], $this->ills('news', "https://127.0.0.1:{$this->nginx?->port()}"));
    }

    public function testTwoSites(): void
    {
        $this->start(fn(int $port): array => [
            ...self::parts('news', "listen 127.0.0.1:$port;"),
            ...self::parts('blog-2', "listen 127.0.0.1:$port;"),
        ]);

        self::assertSame('news', $this->assertPages($this->url('http://news.example'))['site']);
        self::assertSame('blog-2', $this->assertPages($this->url('http://blog.example'))['site']);
    }

    public function testTheSameSiteTwiceIsRefusedByNginx(): void
    {
        $http = self::config('news', [])->http();
        $directory = self::$directory->path . '/twice';
        mkdir($directory);
        file_put_contents($directory . '/nginx.conf', "events {}\nhttp {\n$http\n$http\n}\n");
        exec(self::command($directory) . ' -t 2>&1', $lines, $code);

        self::assertSame(1, $code);
        self::assertStringContainsString('duplicate upstream "larder_news"', implode("\n", $lines));
    }

    public function testFilesThatCameLaterAreServedAndSourcesAndHiddenFilesAreNot(): void
    {
        $this->start(fn(int $port): array => self::parts('news', "listen 127.0.0.1:$port;"));
        $url = $this->url('http://news.example');
        $public = self::home('news') . '/public';
        mkdir($public . '/uploads/.well-known', recursive: true);
        symlink($public . '/uploads', $public . '/storage');
        foreach ([
            'a.txt', 'a b%.txt', 'größe.txt', 'x.php', 'x.phtml', 'x.php.bak', 'x.php~', '.env', 'shell.PHP', 'no.txt',
        ] as $name) {
            file_put_contents($public . '/uploads/' . $name, 'bytes of ' . $name);
        }
        chmod($public . '/uploads/no.txt', 0);
        file_put_contents($public . '/uploads/a.txt.gz', (string) gzencode('bytes of a.txt'));

        foreach ([
            'a.txt' => 'a.txt', 'a.txt?v=3' => 'a.txt', 'a.txt?utm_source=x' => 'a.txt', 'a%20b%25.txt' => 'a b%.txt',
            'gr%C3%B6%C3%9fe.txt' => 'größe.txt', 'gr%C3%B6%C3%9Fe.txt' => 'größe.txt', '%61.txt' => 'a.txt',
        ] as $uri => $name) {
            foreach (['/uploads/', '/storage/'] as $place) {
                foreach ([[], ['Cookie: sid=1'], ['Authorization: x']] as $headers) {
                    $answer = $this->ask($url . $place . $uri, [CURLOPT_HTTPHEADER => $headers]);
                    self::assertSame([200, "bytes of $name"], [$answer['status'], $answer['body']], $uri);
                    self::assertSame('text/plain; charset=utf-8', $answer['headers']['content-type'] ?? null);
                    self::assertSame('max-age=600', $answer['headers']['strict-transport-security'] ?? null);
                }
            }
        }
        $requests = self::$php->requests();
        $gzip = $this->ask($url . '/uploads/a.txt', [CURLOPT_HTTPHEADER => ['Accept-Encoding: gzip']]);
        self::assertSame(['gzip', 'Accept-Encoding'], [
            $gzip['headers']['content-encoding'] ?? null,
            $gzip['headers']['vary'] ?? null,
        ]);
        self::assertSame($requests, self::$php->requests());

        $others = [
            'x.php', 'x.phtml', 'x.php.bak', 'x.php~', '.env', 'shell.PHP', 'x%2Ephp', 'x.php/a', '', '../index.php',
        ];
        // Root may read all files.
        foreach (self::$account->isRoot() ? $others : [...$others, 'no.txt'] as $uri) {
            $answer = $this->ask($url . '/uploads/' . $uri, [CURLOPT_PATH_AS_IS => true]);
            self::assertStringContainsString('"site":"news"', $answer['body'], $uri);
        }
        $post = $this->ask($url . '/uploads/a.txt', [CURLOPT_POSTFIELDS => 'x=1']);
        self::assertStringContainsString('"site":"news"', $post['body'], 'A form is for PHP.');
    }

    /** What lies there by mistake: dumps, archives, keys, databases with their journals, configurations. */
    public function testOnlyFilesOfKnownEndingsAreServed(): void
    {
        $this->start(fn(int $port): array => self::parts('news', "listen 127.0.0.1:$port;"));
        $url = $this->url('http://news.example');
        $public = self::home('news') . '/public';
        @mkdir($public . '/.well-known/acme-challenge', recursive: true);
        mkdir($public . '/left');
        $asked = function (string $name) use ($url, $public): bool {
            file_put_contents("$public/$name", 'bytes of ' . basename($name));

            return $this->ask("$url/$name")['body'] === 'bytes of ' . basename($name);
        };
        foreach ([
            'dump.sql', 'dump.sql.gz', 'dump.sql.bz2', 'dump.sql.1', 'dump.sql.xz', 'site.tar', 'site.tar.gz',
            'site.tgz', 'backup.zip', 'backup.7z', 'backup.rar', 'db.sqlite', 'db.sqlite3', 'db.sqlite-wal',
            'db.sqlite-journal',
            'db.sqlite-shm', 'news.db', 'news.mdb', 'config.yml', 'config.yaml', 'settings.toml', 'app.properties',
            'app.ini', 'web.config', 'docker-compose.yml', 'Dockerfile', 'Makefile', 'error_log', 'access.log', 'log.1',
            'core', 'id_rsa', 'id_ed25519', 'server.key', 'server.pem', 'server.crt', 'key.p12', 'key.pfx', 'x.py',
            'x.pl', 'x.cgi', 'x.jsp', 'x.rb', 'x.asp', 'x.php', 'x.php.txt', 'x.css.bak', 'x.css~', 'x.css.gz',
            'composer.lock',
        ] as $name) {
            self::assertFalse($asked("left/$name"), $name);
        }
        foreach (['x.css', 'X.JPG', 'a.b.js', 'x.pdf', 'x.mp4', 'x.woff2'] as $name) {
            self::assertTrue($asked("left/$name"), $name);
        }
        self::assertTrue($asked('.well-known/acme-challenge/Abc_-9'));
        self::assertTrue($asked('.well-known/security.txt'));
        self::assertFalse($asked('.well-known/left.key'));
        $serving = new Serving(files: ['zip', 'DOCX']);
        $never = static fn(): never => self::fail('Nobody connects.');
        $more = (new NginxMaps(new Site('a', ['a'], '/a/b', '/l', [], $never, serving: $serving), 'a'))->files();
        self::assertSame([1, 1, 1, 0], array_map(
            static fn(string $path): int|false => preg_match("~$more~", "GET:/$path"),
            ['x.zip', 'x.docx', 'x.css', 'x.tar.gz'],
        ));
        $this->expectExceptionMessage('serving.files: not ".zip". Allowed: letters and digits, without the dot');
        new Site('a', ['a'], '/a/b', '/l', [], $never, serving: new Serving(files: ['.zip']));
    }

    public function testASubdirectoryBesideAnotherApplication(): void
    {
        $this->start(fn(int $port): array => self::parts(
            'shop',
            "listen 127.0.0.1:$port;\nlocation / { return 200 other; }",
        ));
        $url = $this->url('http://shop.example');
        file_put_contents(self::home('shop') . '/public/later.css', 'a {}');

        $told = $this->assertPages($url, path: '/shop');
        self::assertSame('/shop/index.php', $told['SCRIPT_NAME']);
        self::assertSame('a {}', $this->ask($url . '/shop/later.css')['body']);
        foreach (['/', '/shopping', '/news/1', '/later.css', '/@larder'] as $uri) {
            self::assertSame('other', $this->ask($url . $uri)['body']);
        }
        $this->ask($url . '/shop');
        self::assertSame('larder; hit', $this->ask($url . '/shop')['headers']['cache-status'] ?? null);
        self::assertSame([], $this->ills('shop'));
    }

    public function testIpv6AndAUnixSocket(): void
    {
        $socket = self::$directory->path . '/web.sock';
        $this->start(fn(int $port): array => self::parts('news', "listen [::1]:$port; listen unix:$socket;"));

        $this->assertPages("http://[::1]:{$this->nginx?->port()}", [CURLOPT_HTTPHEADER => ['Host: news.example']]);
        $this->assertPages('http://news.example', [CURLOPT_UNIX_SOCKET_PATH => $socket]);
        self::assertSame([], $this->ills('news', 'unix:' . $socket));
    }

    public function testBehindAProxyWithRealIp(): void
    {
        $front = 0;
        $this->start(static function (int $port) use (&$front): array {
            $front = Ports::free();

            return [
                ...self::parts(
                    'news',
                    "listen 127.0.0.1:$port; set_real_ip_from 127.0.0.1; real_ip_header X-Forwarded-For;",
                    https: true,
                ),
                'sites-enabled/proxy' => "server { listen 127.0.0.1:$front; location / { "
                    . "proxy_pass http://127.0.0.1:$port; "
                    . 'proxy_set_header Host $host; proxy_set_header X-Forwarded-For 203.0.113.9; } }',
            ];
        });

        $told = $this->assertPages("http://news.example:$front");
        self::assertSame('on', $told['HTTPS'] ?? null, 'The proxy ends TLS.');
        self::assertArrayNotHasKey('REMOTE_ADDR', $told, 'It is not in the key.');
        $own = $this->ask("http://news.example:$front/news/1", [CURLOPT_HTTPHEADER => ['Cookie: sid=1']])['body'];
        self::assertStringContainsString('"REMOTE_ADDR":"203.0.113.9"', $own);
        $told = fn(string $url): array => $this->ask($url . '/@larder')['headers'];
        self::assertArrayHasKey('larder-configuration', $told($this->url('http://news.example')));
        self::assertArrayNotHasKey('larder-configuration', $told("http://news.example:$front"));
    }

    public function testAWholeConfigurationForANewHost(): void
    {
        $directory = $this->fresh();
        $this->nginx = new Nginx($directory, static fn(int $port): string => (new NginxConfig(
            self::site(self::home('news'), 'news', '/'),
            self::target('news', ["127.0.0.1:$port"], directory: $directory),
        ))->whole());

        $this->assertLoads($directory);
        $this->assertPages($this->url('http://news.example'));
        self::assertSame(0, $this->ask($this->url('http://other.example') . '/')['status'], 'It hangs up.');
        self::assertSame([], $this->ills('news'));
    }

    public function testWithCompressionByNginxAndBrotli(): void
    {
        $modules = glob('/usr/lib/nginx/modules/ngx_http_brotli_*_module.so');
        $load = '';
        foreach ($modules === false ? [] : $modules as $module) {
            $isEnabled = glob('/etc/nginx/modules-enabled/*brotli*');
            $load .= $isEnabled === [] || $isEnabled === false ? "load_module $module;\n" : '';
        }
        $all = 'gzip on; gzip_vary on; gzip_proxied any; gzip_types *; gzip_min_length 1; charset utf-8; expires 1h; '
            . 'etag off; ssi on; ' . ($modules === [] ? '' : 'brotli on; brotli_static on; brotli_types *; ')
            . 'add_header X-Of-The-Server 1; error_page 404 500 /error.html; open_file_cache max=100;';
        $this->start(fn(int $port): array => self::parts('news', "listen 127.0.0.1:$port; $all"), $load);
        $url = $this->url('http://news.example');

        $this->assertPages($url);
        $this->assertPages($url, [CURLOPT_HTTPHEADER => ['Accept-Encoding: br, gzip']]);
    }

    /** Its packages load the modules in nginx.conf, so the parts must not. */
    public function testPagesInMemcachedByTheModulesThatDebianLoads(): void
    {
        $this->start(fn(int $port): array => [
            ...self::parts('stored', "listen 127.0.0.1:$port;"),
            ...self::parts('news', "listen 127.0.0.1:$port;"),
        ]);

        self::assertSame('stored', $this->assertPages($this->url('http://stored.example'))['site']);
        self::assertSame('news', $this->assertPages($this->url('http://news.example'))['site']);
        self::assertSame([], $this->ills('stored'));
    }

    public function testAWholeConfigurationForPagesInMemcached(): void
    {
        $directory = $this->fresh();
        $this->nginx = new Nginx($directory, static fn(int $port): string => (new NginxConfig(
            self::site(self::home('stored'), 'stored', '/'),
            self::target('stored', ["127.0.0.1:$port"], directory: $directory),
        ))->whole());

        $this->assertLoads($directory);
        $this->assertPages($this->url('http://stored.example'));
    }

    public function testDoctorTellsAPartThatIsOfAnotherTime(): void
    {
        $this->start(fn(int $port): array => self::parts('news', "listen 127.0.0.1:$port;"));
        $name = 'nginx has loaded the configuration that nginx:config prints now';
        self::assertSame([], $this->ills('news'));
        $changed = self::site(self::home('news'), 'news', '/', ['other']);
        $before = $this->ask($this->url('http://news.example') . '/@larder')['headers']['larder-configuration'] ?? '';

        $now = new NginxConfig($changed, self::target('news', []));
        self::assertSame([$name => 'the site or Larder changed'], $this->ills('news', site: $changed));

        file_put_contents($this->fresh() . '/larder/news.conf', $now->locations());
        $this->reload($now->hash());
        self::assertSame([$name => 'the part for http is of another time'], $this->ills('news', site: $changed));
        $headers = $this->ask($this->url('http://news.example') . '/@larder')['headers'];
        self::assertSame([$now->hash(), $before], [
            $headers['larder-configuration'] ?? null,
            $headers['larder-configuration-http'] ?? null,
        ]);

        file_put_contents($this->fresh() . '/conf.d/larder-news.conf', $now->http());
        $this->nginx?->stop();
        $this->nginx?->start();
    }

    public function testAnAreaThatIgnoresCookies(): void
    {
        $this->start(fn(int $port): array => self::parts('news', "listen 127.0.0.1:$port;"));
        $url = $this->url('http://news.example') . '/open/' . ++self::$pages;
        $session = [CURLOPT_HTTPHEADER => ['Cookie: sid=of-this-visitor']];

        $miss = $this->ask($url, $session);
        self::assertSame('larder; fwd=miss; stored', $miss['headers']['cache-status'] ?? null);
        self::assertStringNotContainsString('of-this-visitor', $miss['body'], 'PHP gets no cookie.');
        foreach ([$session, []] as $options) {
            $hit = $this->ask($url . '?gclid=1', $options);
            self::assertSame(['larder; hit', $miss['body']], [$hit['headers']['cache-status'] ?? null, $hit['body']]);
        }
        $known = $this->ask($url, [CURLOPT_HTTPHEADER => ['Authorization: x', 'Cookie: sid=1']]);
        self::assertStringStartsWith('larder; fwd=bypass', $known['headers']['cache-status'] ?? '');

        $new = $this->ask($url . '/cookie', []);
        $old = $this->ask($url . '/cookie', $session);
        self::assertSame('who=made', $new['headers']['set-cookie'] ?? null, 'A new visitor may get one,');
        self::assertArrayNotHasKey('set-cookie', $old['headers'], 'and nobody loses the one that he has.');
        foreach ([$new, $old] as $answer) {
            self::assertSame(
                'larder; fwd=miss; detail="the answer sets a cookie"',
                $answer['headers']['cache-status'] ?? null,
            );
        }
    }

    /**
     * Miss, hit and what goes past them.
     *
     * @param array<int, mixed> $options
     *
     * @return array<array-key, mixed> what PHP was told when it made the page
     */
    private function assertPages(string $base, array $options = [], string $path = ''): array
    {
        $uri = $path . '/news/' . ++self::$pages;
        $made = '';
        foreach ([$path . '/gr%C3%B6%C3%9Fe/' . self::$pages, $uri] as $page) {
            $miss = $this->ask($base . $page, $options);
            $made = $miss['body'];
            self::assertSame(
                [200, 'larder; fwd=miss; stored'],
                [$miss['status'], $miss['headers']['cache-status'] ?? null],
                $miss['body'],
            );
            $requests = self::$php->requests();
            foreach (['', '?utm_source=x&fbclid=y'] as $query) {
                $hit = $this->ask($base . $page . $query, $options);
                self::assertSame('larder; hit', $hit['headers']['cache-status'] ?? null, $page . $query);
                self::assertSame($miss['body'], $hit['body']);
                $same = [
                    'content-type', 'etag', 'cache-control', 'vary', 'content-encoding', 'strict-transport-security',
                    'content-security-policy',
                ];
                $of = static fn(array $answer): array => array_intersect_key($answer, array_flip($same));
                self::assertEquals($of($miss['headers']), $of($hit['headers']));
                self::assertArrayNotHasKey('x-of-the-server', $hit['headers']);
                self::assertArrayNotHasKey('expires', $hit['headers']);
            }
            self::assertSame($requests, self::$php->requests(), 'PHP is not asked.');
        }
        $headers = \is_array($options[CURLOPT_HTTPHEADER] ?? null) ? $options[CURLOPT_HTTPHEADER] : [];
        foreach ([
            ['sid=1'], ['a=b; __Host-sid=x'], ['a=b', '__host-sid = x'], ['wordpress_logged_in_ab12=x'],
        ] as $cookie) {
            $cookies = array_map(static fn(string $line): string => "Cookie: $line", $cookie);
            $session = $this->ask($base . $uri, [CURLOPT_HTTPHEADER => [...$headers, ...$cookies]] + $options);
            self::assertStringStartsWith('larder; fwd=bypass', $session['headers']['cache-status'] ?? '', $cookie[0]);
        }
        $others = [CURLOPT_HTTPHEADER => [...$headers, 'Cookie: xsid=1; sidx=1; x__Host-sid=1; a=__Host-sid']];
        $stranger = $this->ask($base . $uri, $others + $options);
        self::assertSame('larder; hit', $stranger['headers']['cache-status'] ?? null);

        return (array) json_decode(str_starts_with($made, "\x1F\x8B") ? (string) gzdecode($made) : $made, true);
    }

    /**
     * @param array<int, mixed> $options
     *
     * @return array{status: int, headers: array<string, string>, body: string, major: int} status 0: no answer
     */
    private function ask(string $url, array $options = []): array
    {
        $headers = [];
        $handle = curl_init($url);
        self::assertNotFalse($handle);
        $hosts = array_map(static fn(string $host): string => "$host:127.0.0.1", self::hosts($url));
        curl_setopt_array($handle, $options + [
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_RESOLVE => $hosts,
            CURLOPT_SSL_VERIFYPEER => false,
            CURLOPT_SSL_VERIFYHOST => 0,
            CURLOPT_TIMEOUT => 20,
            CURLOPT_HEADERFUNCTION => static function ($handle, string $line) use (&$headers): int {
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $headers[strtolower($name)] = trim($value);

                return \strlen($line);
            },
        ]);
        $body = curl_exec($handle);
        $version = curl_getinfo($handle, CURLINFO_HTTP_VERSION);

        return [
            'status' => curl_getinfo($handle, CURLINFO_RESPONSE_CODE),
            'headers' => $headers,
            'body' => \is_string($body) ? $body : '',
            'major' => $version === CURL_HTTP_VERSION_2_0 ? 2 : 1,
        ];
    }

    /** @return list<string> */
    private static function hosts(string $url): array
    {
        $parts = parse_url($url);

        return \is_array($parts) && isset($parts['host'], $parts['port']) && str_ends_with($parts['host'], '.example')
            ? ["{$parts['host']}:{$parts['port']}"]
            : [];
    }

    private function url(string $host): string
    {
        return $host . ':' . $this->nginx?->port();
    }

    /** @return array<string, string> the start of the remedy by check, of what nginx has ill */
    private function ills(string $name, ?string $address = null, ?Site $site = null): array
    {
        $site ??= self::site(self::home($name), $name, $name === 'shop' ? '/shop' : '/');
        [$checks] = (new ServerChecks($site, $address ?? "127.0.0.1:{$this->nginx?->port()}", null))->run();
        $failed = array_filter($checks, static fn(Check $check): bool => $check->state === 'failed');

        return array_map(
            static fn(Check $check): string => (string) preg_replace('/ (?:since|than) .*/', '', $check->remedy ?? ''),
            array_column($failed, null, 'name'),
        );
    }

    /**
     * Starts Debian's nginx in a directory of its own, with its default site and further files.
     *
     * @param Closure(int): array<string, string> $files by name, for a port
     * @param string                              $load  begins nginx.conf
     * @param bool                                $beside whether the default site is there, on the same port
     */
    private function start(Closure $files, string $load = '', bool $beside = true): void
    {
        $main = @file_get_contents('/etc/nginx/nginx.conf');
        $default = @file_get_contents('/etc/nginx/sites-available/default');
        self::assertIsString($main, 'Debian\'s nginx has no nginx.conf here: see script/setup.');
        self::assertIsString($default, 'Debian\'s nginx has no default site here: see script/setup.');
        $directory = $this->fresh();
        $this->nginx = new Nginx($directory, static function (int $port) use (
            $directory,
            $main,
            $default,
            $files,
            $load,
            $beside,
        ): string {
            $default = preg_replace('/^(\s*listen )(?:80|\[::\]:(80)) /m', "\${1}127.0.0.1:$port ", $default, 1);
            $default = preg_replace('/^\s*listen \[::\]:80 .*$/m', '', (string) $default);
            $all = $files($port) + ($beside ? ['sites-enabled/default' => (string) $default] : []);
            foreach ($all as $name => $text) {
                @mkdir(\dirname("$directory/$name"), recursive: true);
                file_put_contents("$directory/$name", $text);
            }
            $temporary = '';
            foreach (['client_body', 'fastcgi', 'proxy', 'scgi', 'uwsgi'] as $kind) {
                $temporary .= "{$kind}_temp_path $directory/$kind;\n";
            }
            $user = self::$account->user;

            return $load . preg_replace(
                [
                    '/^user .*$/m',
                    '/^pid .*$/m',
                    '/^\s*(error|access)_log .*$/m',
                    '~/etc/nginx/(conf\.d|sites-enabled)/~',
                    '/^http \{$/m',
                ],
                [
                    $user === null ? '' : "user $user;",
                    "pid $directory/nginx.pid;",
                    '',
                    "$directory/\$1/",
                    "http {\naccess_log off;\n$temporary",
                ],
                $main,
            );
        });
        $this->assertLoads($directory);
    }

    private function fresh(): string
    {
        $directory = self::$directory->path . '/' . preg_replace('/[^a-z0-9]/i', '', $this->name());
        if (!is_dir($directory)) {
            mkdir($directory);
            // Debian's packages of modules name them from the directory that -p changes.
            symlink('/usr/lib/nginx/modules', "$directory/modules");
        }

        return $directory;
    }

    private function assertLoads(string $directory): void
    {
        exec(self::command($directory) . ' -t 2>&1', $lines, $code);

        self::assertSame(0, $code, implode("\n", $lines));
        // With more sites than one Debian's nginx.conf wants a larger table; the part for http says so.
        $warnings = array_filter($lines, static fn(string $line): bool => str_contains($line, '[warn]')
            && !str_contains($line, 'could not build optimal variables_hash'));
        self::assertSame([], $warnings);
    }

    private function reload(string $hash): void
    {
        exec(self::command($this->fresh()) . ' -s reload 2>&1', $lines, $code);
        self::assertSame(0, $code, implode("\n", $lines));
        $deadline = microtime(true) + 30;
        do {
            usleep(20_000);
            $headers = $this->ask($this->url('http://news.example') . '/@larder')['headers'];
            $told = $headers['larder-configuration'] ?? null;
        } while ($told !== $hash && microtime(true) < $deadline);
        self::assertSame($hash, $told);
    }

    private static function command(string $directory): string
    {
        return implode(' ', array_map(
            escapeshellarg(...),
            [Program::nginx(), '-p', $directory, '-e', $directory . '/nginx.log', '-c', $directory . '/nginx.conf'],
        ));
    }

    private static function version(): string
    {
        exec(escapeshellarg(Program::nginx()) . ' -v 2>&1', $lines);

        return (string) preg_replace('~^.*nginx/(\S+).*$~s', '$1', implode(' ', $lines));
    }

    private static function home(string $name): string
    {
        return self::$directory->path . '/' . $name;
    }

    /** @param list<string> $listen */
    private static function target(
        string $name,
        array $listen,
        bool $https = false,
        string $directory = '/run/x',
    ): NginxTarget {
        $public = self::home($name) . '/public';

        return new NginxTarget(
            $listen,
            self::$php->socket,
            $public . '/index.php',
            $public,
            $https,
            $directory !== '/run/x',
            $directory,
            self::$account->user,
        );
    }

    /** @param list<string> $listen */
    private static function config(string $name, array $listen, bool $https = false): NginxConfig
    {
        $site = self::site(self::home($name), $name, $name === 'shop' ? '/shop' : '/');

        return new NginxConfig($site, self::target($name, $listen, $https));
    }

    /** @return array<string, string> by name: the parts, and the server block of the site's owner */
    private static function parts(string $name, string $own, bool $https = false): array
    {
        $config = self::config($name, [], $https);
        $host = strtok($name, '-') . '.example';

        return [
            "conf.d/larder-$name.conf" => $config->http(),
            "larder/$name.conf" => $config->locations(),
            "sites-enabled/$name" => "server {\n$own\nserver_name $host;\nroot /nowhere;\n"
                . "include larder/$name.conf;\n}\n",
        ];
    }

    /** @return string file with a key and a certificate that it signs itself */
    private static function certificate(): string
    {
        $key = openssl_pkey_new(['private_key_type' => OPENSSL_KEYTYPE_EC, 'curve_name' => 'prime256v1']);
        self::assertNotFalse($key);
        $signer = $key;
        $request = openssl_csr_new(['commonName' => 'news.example'], $signer);
        self::assertInstanceOf(OpenSSLCertificateSigningRequest::class, $request);
        $certificate = openssl_csr_sign($request, null, $key, 2);
        self::assertNotFalse($certificate);
        $file = self::$directory->path . '/certificate.pem';
        openssl_x509_export_to_file($certificate, $file);
        openssl_pkey_export_to_file($key, $file . '.key');
        file_put_contents($file, file_get_contents($file . '.key'), FILE_APPEND);

        return $file;
    }
}
