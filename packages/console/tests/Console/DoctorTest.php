<?php

declare(strict_types=1);

namespace Larder\Tests\Console;

use Closure;
use Larder\Console\Doctor\DirectoryChecks;
use Larder\Console\Doctor\LedgerChecks;
use Larder\Console\Doctor\ProcessReport;
use Larder\Console\Doctor\SchemaChecks;
use Larder\Console\Doctor\ServerChecks;
use Larder\Console\Doctor\StoreChecks;
use Larder\Console\Doctor\UserProcess;
use Larder\Console\DoctorCommand;
use Larder\Console\Examination;
use Larder\Console\FastCgi;
use Larder\Console\HttpServer;
use Larder\Page\FollowedPages;
use Larder\Page\Pages;
use Larder\Testbed\Net\Exchange;
use Larder\Testbed\Server\Ports;
use Larder\Tests\Store\MemcachedServers;
use Larder\Tests\Store\RedisServers;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/** Breaks an installation in each way that somebody met, and looks whether `larder doctor` names that and no other. */
#[CoversClass(DoctorCommand::class)]
#[CoversClass(Examination::class)]
#[CoversClass(DirectoryChecks::class)]
#[CoversClass(HttpServer::class)]
#[CoversClass(FastCgi::class)]
#[CoversClass(LedgerChecks::class)]
#[CoversClass(ProcessReport::class)]
#[CoversClass(SchemaChecks::class)]
#[CoversClass(ServerChecks::class)]
#[CoversClass(StoreChecks::class)]
#[CoversClass(UserProcess::class)]
final class DoctorTest extends TestCase
{
    private const LOADED = 'nginx has loaded the configuration that nginx:config prints now';
    private const WRITES = 'php-fpm\'s user may write to the page directory';
    private const READS = 'php-fpm\'s user may read the list and the code';
    private const THERE = 'the page directory is there';
    private const STORE = 'the store of values answers';
    private const SHARED = "store: fn(\$log) => Larder\\Store\\SharedMemoryStore::on('news', \$log)";

    private static ?Installation $installation = null;

    /** @var list<Closure(): mixed> */
    private array $mend = [];

    public static function setUpBeforeClass(): void
    {
        if (posix_geteuid() !== 0) {
            self::markTestSkipped('needs root, to be php-fpm\'s user and not to be it');
        }
        self::$installation = new Installation();
    }

    public static function tearDownAfterClass(): void
    {
        self::$installation?->remove();
        self::$installation = null;
    }

    protected function tearDown(): void
    {
        foreach (array_reverse($this->mend) as $mend) {
            $mend();
        }
        self::installation()->restore();
    }

    public function testASoundInstallationHasNoIll(): void
    {
        self::installation()->describe(self::SHARED);
        [$code, $checks] = self::installation()->doctor();

        self::assertSame([], array_filter($checks, static fn(array $check): bool => $check['state'] !== 'ok'));
        self::assertSame(0, $code);
        self::assertGreaterThanOrEqual(25, \count($checks));
        self::assertTrue(self::tells('X-Other: 1'));
        self::assertFalse(self::tells('X-Other: 1', '"php":'), 'A proxy here that adds no header is this machine.');
        $asked = self::installation()->path . '/run/pages/asked';
        $name = str_repeat('0a', 16);
        self::assertSame([], array_diff((array) scandir($asked), ['.', '..']), 'The doctor has taken it away.');
        file_put_contents("$asked/$name", '');
        self::assertTrue(self::tells("Larder-Asked: $name", '"php":'));
        foreach (['', '.', '..', '../current', strtoupper($name), str_repeat('0', 32)] as $other) {
            self::assertFalse(self::tells("Larder-Asked: $other", '"php":'), $other);
        }
        unlink("$asked/$name");
        self::assertFalse(self::tells('X-Forwarded-For: 203.0.113.9'), 'it is for this machine only');
    }

    public function testASoundInstallationOnMemcachedHasNoIll(): void
    {
        $servers = new MemcachedServers(2);
        $this->mend[] = $servers->stop(...);
        self::installation()->describe(self::memcached(...$servers->addresses()));
        [$code, $checks] = self::installation()->doctor();

        self::assertSame([], array_filter($checks, static fn(array $check): bool => $check['state'] !== 'ok'));
        self::assertSame(0, $code);
        self::assertContains('the clocks of memcached and this host agree', array_column($checks, 'check'));
    }

    public function testAFollowedSiteWithoutAFollowerIsNamed(): void
    {
        self::installation()->describe('followed: true');
        $state = static function (): ?string {
            $checks = array_column(self::installation()->doctor()[1], 'state', 'check');

            return $checks['a follower lets pages be served'] ?? null;
        };
        self::assertSame('failed', $state());
        $pages = self::installation()->path . '/run/pages';
        (new FollowedPages($pages))->serveUntil(time() + 600);
        self::assertSame('ok', $state());
        exec('rm -r ' . escapeshellarg($pages . '/followed'));
    }

    /**
     * @return iterable<string, array{string, string, Closure(Installation, self): mixed}> the check that fails, what
     *     its remedy says, and how to break it; what that returns are options of doctor
     */
    public static function broken(): iterable
    {
        yield from self::brokenServers();
        yield from self::brokenDirectories();
        yield from self::brokenReleases();
        yield from self::brokenDatabases();
        yield from self::brokenStores();
    }

    /** @param Closure(Installation, self): mixed $break */
    #[DataProvider('broken')]
    public function testABrokenInstallationIsNamedAndNothingElse(string $name, string $remedy, Closure $break): void
    {
        $installation = self::installation();
        $returned = $break($installation, $this);
        $options = \is_array($returned) ? array_values(array_filter($returned, is_string(...))) : [];
        [$code, $checks] = $installation->doctor($options);
        $failed = array_values(array_filter($checks, static fn(array $check): bool => $check['state'] === 'failed'));

        self::assertSame([$name], array_column($failed, 'check'), (string) json_encode($failed, JSON_PRETTY_PRINT));
        self::assertStringContainsString($remedy, (string) $failed[0]['remedy']);
        self::assertSame(1, $code);
    }

    /** @return iterable<string, array{string, string, Closure(Installation): mixed}> */
    public static function remarkable(): iterable
    {
        yield 'a trigger' => [
            'news has no trigger',
            'a bulk change of what the trigger writes',
            static fn(Installation $site) => $site->open()->exec(
                'CREATE TRIGGER t AFTER UPDATE ON news BEGIN UPDATE comment SET news_id = 1 WHERE id = 1; END',
            ),
        ];
        yield 'a cascade' => [
            'a change of news changes no row of comment',
            'a foreign key does (CASCADE)',
            static function (Installation $site): void {
                $site->open()->exec('DROP TABLE comment');
                $site->open()->exec('CREATE TABLE comment (id INTEGER PRIMARY KEY, news_id INTEGER NOT NULL REFERENCES '
                    . 'news (id) ON DELETE CASCADE)');
                $site->describe("connect: function () { \$pdo = Larder\\Page\\Pages::of("
                    . "Larder\\Tests\\Console\\Installation::site(__DIR__))->connect(); "
                    . "\$pdo->exec('PRAGMA foreign_keys = ON'); return \$pdo; }");
            },
        ];
        yield 'readers and the writer block each other' => [
            'the database is set up for readers beside a writer',
            'journal_mode = WAL',
            static fn(Installation $site) => $site->open()->exec('PRAGMA journal_mode = DELETE'),
        ];
        yield 'code that php-fpm may not read' => [
            self::READS,
            'www-data may not read',
            static function (Installation $site): void {
                file_put_contents($site->path . '/own.php', '<?php');
                chmod($site->path . '/own.php', 0o600);
                $site->relist(static fn(array $files): array
                    => $files + ["$site->path/own.php" => '5 0 0 ' . hash('xxh128', '<?php')]);
            },
        ];
        yield 'an empty directory, as after a reboot' => [
            'the page directory belongs to this ledger',
            'the first miss sets it up',
            // This one is a copy: without its identity it is another one.
            static fn(Installation $site) => exec("find $site->path/run/pages -mindepth 1 ! -name identity -delete"),
        ];
        yield 'a directory that all users may write to' => [
            'not everybody may write to the page directory',
            'chmod o-w',
            static fn(Installation $site) => chmod("$site->path/run/pages", 0o777),
        ];
    }

    /** @param Closure(Installation): mixed $change */
    #[DataProvider('remarkable')]
    public function testWhatIsNoIllByItselfIsARemark(string $name, string $remark, Closure $change): void
    {
        $change(self::installation());
        [$code, $checks] = self::installation()->doctor();
        $found = array_values(array_filter($checks, static fn(array $check): bool => $check['state'] !== 'ok'));

        self::assertSame([[$name, 'remark']], array_map(
            static fn(array $check): array => [$check['check'], $check['state']],
            $found,
        ), (string) json_encode($found, JSON_PRETTY_PRINT));
        self::assertStringContainsString($remark, (string) $found[0]['remedy']);
        self::assertSame(0, $code);
    }

    /** @return iterable<string, array{string, string, Closure(Installation, self): mixed}> */
    private static function brokenServers(): iterable
    {
        yield 'nginx is stopped' => ['nginx answers', 'Connection refused. Start nginx', static function (
            Installation $site,
            self $test,
        ): void {
            $site->running->nginx->stop();
            $test->mend[] = $site->running->nginx->start(...);
        }];
        yield 'php-fpm is stopped' => ['php-fpm answers', 'Start php-fpm', static function (
            Installation $site,
            self $test,
        ): void {
            $site->running->php->stop();
            $test->mend[] = $site->running->php->start(...);
        }];
        yield 'another server answers at nginx\'s address' => [
            self::LOADED,
            'has another configuration than this site\'s',
            static function (Installation $site, self $test): array {
                $servers = new MemcachedServers(1);
                $test->mend[] = $servers->stop(...);

                return ['--nginx=' . $servers->address(0)];
            },
        ];
        $again = 'print it again by larder nginx:config, and reload nginx';
        yield 'another session cookie, not printed again' => [
            self::LOADED,
            $again,
            static fn(Installation $site) => $site->describe("sessionCookies: ['sid']"),
        ];
        yield 'other headers, not printed again' => [
            self::LOADED,
            $again,
            static fn(Installation $site) => $site->describe("headers: ['X-Frame-Options' => 'DENY']"),
        ];
        yield 'nginx may not use the socket' => [
            'nginx reaches php-fpm',
            'may nginx\'s user use the socket?',
            static function (Installation $site, self $test): void {
                $socket = $site->running->php->socket;
                chown($socket, 'root');
                chmod($socket, 0o600);
                $test->mend[] = static function () use ($socket): void {
                    chown($socket, 'www-data');
                    chmod($socket, 0o660);
                };
            },
        ];
    }

    /** @return iterable<string, array{string, string, Closure(Installation, self): mixed}> */
    private static function brokenDirectories(): iterable
    {
        yield 'a directory of root\'s' => [
            self::WRITES,
            'chown -R www-data',
            static fn(Installation $site) => chown($site->path . '/run/pages', 'root'),
        ];
        yield 'a part of it is root\'s' => [
            self::WRITES,
            '/draft belongs to root',
            static fn(Installation $site) => chown($site->path . '/run/pages/draft', 'root'),
        ];
        yield 'a directory of root\'s, with php-fpm not to be asked' => [
            self::WRITES,
            'www-data may not',
            static function (Installation $site): array {
                chown($site->path . '/run/pages', 'root');

                return ['--user=www-data'];
            },
        ];
        yield 'no directory' => [
            self::THERE,
            'make ',
            static fn(Installation $site) => exec("rm -r $site->path/run/pages"),
        ];
        yield 'a directory that php-fpm cannot enter' => [
            self::THERE,
            'www-data does not see',
            static fn(Installation $site) => chmod($site->path . '/run', 0o700),
        ];
        yield 'the directory of another container at the same path' => [
            'the page directory belongs to this ledger',
            'run larder deploy --take',
            static function (Installation $site): void {
                rename($site->path . '/run/pages', $site->path . '/run/of-another');
                mkdir($site->path . '/run/pages');
                chown($site->path . '/run/pages', 'www-data');
            },
        ];
        yield 'a file system that is too small' => [
            'the page directory\'s file system can hold Limits::$bytes',
            'make it larger',
            static fn(Installation $site, self $test) => $test->mount($site, '512k'),
        ];
        yield 'a file system that is full' => [
            'the page directory\'s file system has room',
            'something else fills it',
            static function (Installation $site, self $test): void {
                $test->mount($site, '2m');
                @file_put_contents($site->path . '/run/pages/filler', str_repeat('x', 2 << 20));
            },
        ];
    }

    /** @return iterable<string, array{string, string, Closure(Installation, self): mixed}> */
    private static function brokenReleases(): iterable
    {
        yield 'no deployment' => [
            'a release is deployed',
            'run larder deploy',
            static fn(Installation $site) => unlink($site->path . '/list.php'),
        ];
        yield 'a list that php-fpm may not read' => [
            self::READS,
            'www-data may not read',
            static fn(Installation $site) => chmod($site->path . '/list.php', 0o600),
        ];
        $matches = 'the list of controllers matches the code';
        yield 'a controller that was not deployed' => [
            $matches,
            FixtureSite::class . ': run larder deploy',
            static fn(Installation $site) => $site->describe(
                "controllers: [Larder\\Tests\\Support\\NewsController::class, "
                . "Larder\\Tests\\Support\\QuickController::class, Larder\\Tests\\Console\\FixtureSite::class]",
            ),
        ];
        yield 'code that was changed' => [
            $matches,
            'NewsController.php: run larder deploy',
            static fn(Installation $site) => $site->relist(static fn(array $files): array => array_map(
                static fn(string $path): string => str_ends_with($path, '/NewsController.php') ? 'of old'
                    : $files[$path],
                array_combine(array_keys($files), array_map(strval(...), array_keys($files))),
            )),
        ];
        yield 'a registry that was not deployed' => [
            'the ledger knows this registry',
            'run larder deploy',
            static fn(Installation $site) => $site->describe(
                "connect: fn() => new Larder\\Sql\\Tracker\\RecordingPdo('sqlite:' . __DIR__ . '/data/site.sqlite')",
            ),
        ];
        yield 'another page directory was deployed over this database' => [
            'the list, the ledger and nginx have one release',
            'another page directory over this database',
            static fn(Installation $site) => Pages::of(Installation::site(
                $site->path,
                $site->path . '/elsewhere',
                $site->path . '/elsewhere.php',
            ))->deploy('r2'),
        ];
        yield 'another page directory was deployed than the site has' => [
            'the page directory is the one that was deployed',
            '/elsewhere was: run larder deploy for the site',
            static fn(Installation $site) => $site->open()->exec("UPDATE larder_place SET path = '/elsewhere'"),
        ];
        yield 'a page that nobody registered' => [
            'the pages in the directory are those in the ledger',
            '1 pages, such as /stray/4, are not registered',
            static function (Installation $site): void {
                mkdir($site->path . '/run/pages/current/stray');
                touch($site->path . '/run/pages/current/stray/4~page');
            },
        ];
        yield 'pages of another ledger' => [
            'the page directory belongs to this ledger',
            'run larder flush',
            static fn(Installation $site) => file_put_contents($site->path . '/run/pages/ledger', 'x'),
        ];
        yield 'no ledger' => [
            'the ledger answers',
            'no such table',
            static fn(Installation $site) => $site->open()->exec('DROP TABLE larder_ledger'),
        ];
    }

    /** @return iterable<string, array{string, string, Closure(Installation, self): mixed}> */
    private static function brokenDatabases(): iterable
    {
        yield 'a database that is not there' => [
            'the database opens',
            '/none/x.sqlite. Does its directory exist',
            static fn(Installation $site) => $site->describe("connect: fn() => new Larder\\Sql\\Tracker\\RecordingPdo("
                . "'sqlite:' . __DIR__ . '/none/x.sqlite', Larder\\Tests\\Support\\NewsSite::registry())"),
        ];
        yield 'a database that Larder does not know' => [
            'the database opens',
            'that can be SQLite, MariaDB and PostgreSQL only: this DSN begins with "odbc:"',
            static fn(Installation $site) => $site->describe("connect: fn() => new Larder\\Sql\\Tracker\\RecordingPdo("
                . "'odbc:news', Larder\\Tests\\Support\\NewsSite::registry())"),
        ];
        yield 'a clock that is off' => [
            'the clocks of the database and this host agree',
            '-300 s off',
            static fn(Installation $site) => $site->describe("connect: function () { \$pdo = "
                . "Larder\\Page\\Pages::of(Larder\\Tests\\Console\\Installation::site(__DIR__))->connect();"
                . "\$pdo->sqliteCreateFunction('strftime', fn() => time() - 300); return \$pdo; }"),
        ];
        yield 'no table' => [
            'comment is a table',
            'there is none of this name',
            static fn(Installation $site) => $site->open()->exec('DROP TABLE comment'),
        ];
        yield 'a view instead of a table' => [
            'comment is a table',
            'is a view, whose changes nobody announces',
            static function (Installation $site): void {
                $site->open()->exec('ALTER TABLE comment RENAME TO remark');
                $site->open()->exec('CREATE VIEW comment AS SELECT * FROM remark');
            },
        ];
        yield 'no column' => [
            'comment has the declared columns',
            'comment.news_id is not there',
            static fn(Installation $site) => $site->open()->exec('ALTER TABLE comment DROP COLUMN news_id'),
        ];
        $compares = 'news has the declared columns';
        foreach ([
            'another type' => [
                'category INTEGER, author TEXT COLLATE NOCASE',
                'news.category is declared as "text" and is INTEGER',
            ],
            'another collation' => [
                'category TEXT COLLATE NOCASE, author TEXT COLLATE NOCASE',
                'news.category is declared as "text" and is TEXT COLLATE NOCASE',
            ],
        ] as $what => [$columns, $remedy]) {
            yield $what => [$compares, $remedy, static function (Installation $site) use ($columns): void {
                $site->open()->exec('DROP TABLE news');
                $site->open()->exec("CREATE TABLE news (id INTEGER PRIMARY KEY, $columns)");
            }];
        }
    }

    /** @return iterable<string, array{string, string, Closure(Installation, self): mixed}> */
    private static function brokenStores(): iterable
    {
        yield 'memcached is down' => [self::STORE, 'memcached: ', static fn(Installation $site) => $site->describe(
            self::memcached('127.0.0.1:' . Ports::free()),
        )];
        yield 'one of two memcached servers is down' => [self::STORE, 'memcached: ', static function (
            Installation $site,
            self $test,
        ): void {
            $servers = new MemcachedServers(1);
            $test->mend[] = $servers->stop(...);
            $site->describe(self::memcached($servers->address(0), '127.0.0.1:' . Ports::free()));
        }];
        yield 'memcached\'s port is another server\'s' => [
            self::STORE,
            'memcached: ',
            static fn(Installation $site) => $site->describe(self::memcached('127.0.0.1:' . $site->running->port)),
        ];
        yield 'a host that does not resolve' => [
            self::STORE,
            'nowhere.invalid',
            static fn(Installation $site) => $site->describe(self::memcached('nowhere.invalid:11211')),
        ];
        yield 'Redis is down' => [
            self::STORE,
            'see that Redis is running there',
            static fn(Installation $site) => $site->describe(
                \sprintf(
                    "store: fn(\$log) => Larder\\Store\\RedisStore::on('127.0.0.1:%d', 'news', \$log)",
                    Ports::free(),
                ),
            ),
        ];
        foreach ([
            'Redis is a replica' => [['REPLICAOF', '127.0.0.1', '1'], self::STORE, 'name its primary', ''],
            'Redis tells nothing' => [['ACL', 'SETUSER', 'default', '-info'], self::STORE, '+info', ''],
            'Redis that gives back what was before' => [
                ['PING'],
                'the store of values does not go back',
                'leave survives: true out',
                ', survives: true',
            ],
        ] as $what => [$command, $check, $remedy, $option]) {
            yield $what => [$check, $remedy, static function (Installation $site, self $test) use (
                $command,
                $option,
            ): void {
                $servers = new RedisServers();
                $test->mend[] = $servers->stop(...);
                $servers->direct()->rawcommand(...$command);
                $site->describe(
                    \sprintf(
                        "store: fn(\$log) => Larder\\Store\\RedisStore::on('%s', 'news', \$log%s)",
                        $servers->addresses()[0],
                        $option,
                    ),
                );
            }];
        }
        yield 'php-fpm without the extension' => [
            'php-fpm has the extension larder',
            'add extension=larder.so to its php.ini',
            static function (Installation $site, self $test): array {
                $site->describe(self::SHARED);
                $php = $site->otherPhp([]);
                $test->mend[] = $php->stop(...);

                return ['--php=' . $php->socket];
            },
        ];
    }

    public function testAProcessWithoutTheExtensionOrWithAnotherSegmentIsNamed(): void
    {
        self::installation()->describe(self::SHARED);
        foreach ([
            [['extension' => null], self::STORE, 'the PHP extension larder is not loaded'],
            [['larder.name' => ''], 'php-fpm and commands share one segment', 'this PHP one of its own'],
        ] as [$settings, $name, $remedy]) {
            [, $checks] = self::installation()->doctor(settings: $settings);
            $failed = array_values(array_filter($checks, static fn(array $check): bool => $check['state'] !== 'ok'));

            self::assertSame([$name], array_column($failed, 'check'));
            self::assertStringContainsString($remedy, (string) $failed[0]['remedy']);
        }
    }

    private function mount(Installation $site, string $size): void
    {
        $pages = $site->path . '/run/pages';
        $identity = file_get_contents($pages . '/identity');
        $mount = new Process(['mount', '-t', 'tmpfs', '-o', "size=$size,mode=0755", 'none', $pages]);
        if ($mount->run() !== 0) {
            self::markTestSkipped('a small file system cannot be mounted here: ' . trim($mount->getErrorOutput()));
        }
        $this->mend[] = static fn() => (new Process(['umount', '--lazy', $pages]))->mustRun();
        // What is looked at is its size, not that it is another directory.
        file_put_contents($pages . '/identity', $identity);
        chown($pages, 'www-data');
    }

    private static function memcached(string ...$servers): string
    {
        return \sprintf(
            "store: fn(\$log) => Larder\\Store\\MemcachedStore::on(%s, 'news', \$log)",
            var_export($servers, true),
        );
    }

    /** Whether nginx tells of its configuration to who asks with this header. */
    private static function tells(string $header, string $what = '"config":'): bool
    {
        $answer = Exchange::with(
            'tcp://127.0.0.1:' . self::installation()->running->port,
            "GET /@larder HTTP/1.0\r\nHost: localhost\r\n$header\r\n\r\n",
            null,
        );

        return str_contains((string) $answer, $what);
    }

    private static function installation(): Installation
    {
        return self::$installation ?? self::markTestSkipped('there is no installation');
    }
}
