<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Closure;
use Larder\Console\GuardCommand;
use Larder\Console\ShellCommand;
use Larder\Page\Guard;
use Larder\Page\GuardedServers;
use Larder\Page\NginxTemplates;
use Larder\Page\Operations;
use Larder\Page\Pages;
use Larder\Page\Serving;
use Larder\Page\Site;
use Larder\Page\Storage;
use Larder\Sql\Exception\LedgerUnavailable;
use Larder\Sql\Exception\PageStoreFailed;
use Larder\Sql\Tracker\RecordingPdo;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Http\Response;
use Larder\Testbed\Net\Exchange;
use Larder\Testbed\Process\WorkerPool;
use Larder\Testbed\Server\MariaDb;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Server\ProcessTree;
use Larder\Testbed\Site\RunningSite;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\NewsController;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use Psr\Log\NullLogger;
use Symfony\Component\Process\Process;

/** Two web servers with a guard each, over two memcached servers, of which one is stopped while visitors read. */
#[CoversClass(Guard::class)]
#[CoversClass(GuardCommand::class)]
#[CoversClass(NginxTemplates::class)]
#[CoversClass(ShellCommand::class)]
final class GuardedHostsTest extends TestCase
{
    private const FRONT = <<<'PHP'
        <?php
        require %s;
        $site = Larder\Tests\Page\GuardedHostsTest::site(getenv('HOME_OF_HOST'), %s, %s);
        $database = Larder\Page\Pages::of($site)->connect();
        Larder\Page\Pages::of($site)->plainFront($database)->run(
            Larder\Tests\Support\NewsController::class,
            static function () use ($database): void {
                $id = (int) substr($_SERVER['REQUEST_URI'], 6);
                echo $database->select('SELECT title FROM news WHERE id = ?', [$id])[0]['title'];
            },
        );
        PHP;

    private static TemporaryDirectory $directory;

    private static MariaDb $mariadb;

    /** @var array{Memcached, Memcached} */
    private static array $memcached;

    /** @var array<string, RunningSite> by name */
    private static array $hosts = [];

    private static int $news = 10;

    /** @var array<string, Process> by host */
    private array $guards = [];

    private RecordingPdo $writer;

    /** @var array{list<string>, list<string>} URIs of pages by the server that has them */
    private array $pages = [[], []];

    public static function setUpBeforeClass(): void
    {
        self::$directory = new TemporaryDirectory('larder-guard');
        $path = self::$directory->path;
        self::$mariadb = new MariaDb($path . '/db', [], ['innodb-flush-log-at-trx-commit' => '1']);
        self::$memcached = [new Memcached($path . '/mc1'), new Memcached($path . '/mc2')];
        $autoload = \dirname(__DIR__, 4) . '/vendor/autoload.php';
        $words = [$autoload, self::database(), self::servers()];
        $words = array_map(static fn(mixed $word): string => var_export($word, true), $words);
        file_put_contents($path . '/front.php', \sprintf(self::FRONT, ...$words));
        foreach (['one', 'two'] as $name) {
            mkdir("$path/$name/guard", recursive: true);
            file_put_contents("$path/$name/larder.php", \sprintf(
                '<?php require %s; return Larder\Tests\Page\GuardedHostsTest::site(%s, %s, %s);',
                $words[0],
                var_export("$path/$name", true),
                $words[1],
                $words[2],
            ));
        }
        $writer = self::connect();
        $writer->exec('CREATE TABLE news (id INT PRIMARY KEY, title VARCHAR(200))');
        $writer->exec('CREATE TABLE comment (id INT PRIMARY KEY)');
        Pages::of(self::site($path . '/one', self::database(), self::servers()))->deploy('r1');
        copy("$path/one/list.php", "$path/two/list.php");
        foreach (['one', 'two'] as $name) {
            self::assertSame(0, self::larder($name, '--once', '--test=true', '--reload=true')->run());
            $home = "$path/$name";
            self::$hosts[$name] = RunningSite::start(
                self::site($home, self::database(), self::servers()),
                $home . '/run',
                $path . '/front.php',
                workers: 2,
                environment: ['HOME_OF_HOST' => $home],
                isPatient: false,
            );
        }
    }

    public static function tearDownAfterClass(): void
    {
        foreach ([...array_values(self::$hosts), ...self::$memcached, self::$mariadb] as $server) {
            $server->stop();
        }
        self::$hosts = [];
        self::$directory->remove();
    }

    protected function setUp(): void
    {
        $this->writer = self::connect();
        $this->fill();
    }

    protected function tearDown(): void
    {
        foreach ($this->guards as $guard) {
            $guard->stop(5.0, SIGKILL);
        }
        foreach (self::$memcached as $server) {
            $server->resume();
        }
        // Each test finds both servers in.
        foreach (array_keys(self::$hosts) as $host) {
            self::larder($host, ...$this->options($host), ...['--once'])->run();
        }
    }

    /**
     * @param list<string> $database
     * @param list<string> $memcached
     */
    public static function site(string $home, array $database, array $memcached): Site
    {
        return new Site(
            name: 'news',
            hosts: ['localhost'],
            pages: $home . '/pages',
            list: $home . '/list.php',
            controllers: [NewsController::class],
            connect: static fn(): RecordingPdo => new RecordingPdo(
                $database[0],
                user: $database[1],
                password: $database[2],
                logger: new NullLogger(),
            ),
            operations: new Operations(code: []),
            storage: new Storage(memcached: $memcached, guard: $home . '/guard'),
            serving: new Serving(
                // So that the next request is answered by nginx.
                answersFirst: false,
            ),
        );
    }

    public function testHitsOfOthersGoOnAndNobodyAsksTheOneThatHangsAndItComesBackEmpty(): void
    {
        foreach (array_keys(self::$hosts) as $host) {
            $this->guard($host);
        }
        [$changed, $steady] = $this->pages[1];
        $readers = $this->readers($steady);
        $gets = self::gets();
        $this->stopTheFirst();

        // Its pages are made by PHP, and those of the other are hits.
        foreach (array_keys(self::$hosts) as $host) {
            foreach ($this->pages[0] as $uri) {
                $made = $this->get($uri, $host);
                self::assertSame([200, 'before'], [$made->status, $made->body]);
                self::assertStringStartsWith(
                    'larder; fwd=miss; detail="the page store failed: it does not answer, and is out until larder',
                    $made->headers['cache-status'] ?? '',
                );
            }
            self::assertSame('larder; hit', $this->get($steady, $host)->headers['cache-status'] ?? '');
        }

        // A change of a page there fails, one of the other does not.
        try {
            $this->change($this->pages[0][0], 'after');
            self::fail('The page may be served again.');
        } catch (LedgerUnavailable $failed) {
            $cause = $failed->getPrevious();
            self::assertInstanceOf(PageStoreFailed::class, $cause);
            self::assertSame('it does not answer, and is out until larder guard takes it back', $cause->cause);
        }
        $this->change($changed, 'after');
        self::assertSame(['after', 'after'], $this->bodies($changed));

        // As if a change had been lost. Were the server not emptied, this were a stale hit.
        $lost = $this->pages[0][1];
        self::plain()->exec('UPDATE news SET title = \'after\' WHERE id = ' . substr($lost, 6));
        $this->afterReload(function (): void {
            self::$memcached[0]->resume();
            foreach (array_keys(self::$hosts) as $host) {
                $this->await($host, 'up');
            }
        });
        self::assertSame($gets, self::gets(), 'Nobody has asked it for a page.');
        self::assertSame(['after', 'after'], $this->bodies($lost));
        self::assertSame('larder; hit', $this->get($lost, 'two')->headers['cache-status'] ?? '');
        $this->change($lost, 'again');
        self::assertSame(['again', 'again'], $this->bodies($lost));

        [$hits, $others] = $this->found($readers);
        self::assertGreaterThan(50, $hits);
        self::assertSame([], $others, 'Readers of the other server had hits all the time.');
    }

    public function testAServerStaysOutWithoutAGuardUntilTheNextOneHasEmptiedIt(): void
    {
        $this->guard('one');
        $this->guard('two');
        $this->stopTheFirst();
        self::assertSame(2, self::larder('one')->run(), 'There is one guard.');
        $this->guards['one']->stop(5.0, SIGKILL);
        $this->guards['two']->signal(SIGTERM);
        self::assertSame(0, $this->guards['two']->wait());
        self::$memcached[0]->resume();
        $uri = $this->pages[0][0];
        $refused = $this->get($uri, 'one')->headers['cache-status'] ?? '';
        self::assertStringContainsString('fwd=miss; detail="the page', $refused);
        self::plain()->exec('UPDATE news SET title = \'after\' WHERE id = ' . substr($uri, 6));
        $this->afterReload(function (): void {
            foreach (array_keys(self::$hosts) as $host) {
                $once = self::larder($host, ...$this->options($host), ...['--once']);
                self::assertSame(0, $once->run(), $once->getOutput());
                self::assertSame(['returning', 'up', 'up'], self::states($once), $once->getOutput());
            }
        });
        self::assertSame(['after', 'after'], $this->bodies($uri));
        self::assertSame('larder; hit', $this->get($uri, 'one')->headers['cache-status']);
    }

    public function testWithAllOfThemOutPhpMakesEachPage(): void
    {
        $this->guard('one');
        foreach (self::$memcached as $server) {
            $server->pause();
        }
        $this->until('one', static fn(): bool => \count(self::out('one')) === 2);
        $requests = self::$hosts['one']->php->requests();
        foreach ([...$this->pages[0], ...$this->pages[1]] as $uri) {
            $made = $this->get($uri, 'one');
            self::assertSame([200, 'before'], [$made->status, $made->body]);
            self::assertStringStartsWith('larder; fwd=miss; detail="the page', $made->headers['cache-status'] ?? '');
        }
        $made = \count([...$this->pages[0], ...$this->pages[1]]);
        self::assertSame($made, self::$hosts['one']->php->requests() - $requests);
    }

    public function testDoctorFindsItSound(): void
    {
        $this->guard('one');
        $doctor = $this->doctor();
        self::assertSame(0, $doctor->run(), $doctor->getOutput());
        self::assertStringContainsString('ok      nginx has the modules srcache and memc', $doctor->getOutput());
        self::assertStringContainsString('ok      larder guard runs on this host', $doctor->getOutput());
        $loaded = 'nginx has loaded the file of larder guard';
        self::assertStringContainsString("ok      $loaded", $doctor->getOutput());
        $site = self::site(self::$directory->path . '/one', self::database(), self::servers());
        $written = GuardedServers::of($site)?->path() ?? '';
        touch($written, time() + 60);
        try {
            $doctor = $this->doctor();
            self::assertSame(1, $doctor->run());
            self::assertStringContainsString("failed  $loaded", $doctor->getOutput());
        } finally {
            touch($written, time() - 60);
        }

        $file = self::$directory->path . '/one/larder.php';
        $site = (string) file_get_contents($file);
        file_put_contents($file, self::withServersTurned($site));
        try {
            $doctor = $this->doctor();
            self::assertSame(1, $doctor->run());
            self::assertStringContainsString('failed  nginx has loaded the configuration that', $doctor->getOutput());
            self::assertStringContainsString('failed  the pages are where they were deployed', $doctor->getOutput());
        } finally {
            file_put_contents($file, $site);
        }
    }

    public function testAnNginxThatCannotLoadKeepsTheFile(): void
    {
        $home = self::$directory->path . '/one';
        $configuration = (string) file_get_contents($home . '/run/nginx.conf');
        $file = GuardedServers::of(self::site($home, self::database(), self::servers()))?->path() ?? '';
        $before = (string) file_get_contents($file);
        self::assertStringNotContainsString(' down;', $before);
        $this->guard('one');
        file_put_contents($home . '/run/nginx.conf', 'nonsense;' . $configuration);
        self::$memcached[0]->pause();
        $this->await('one', 'out');
        $this->awaitText('one', 'unknown directive');
        self::assertSame($before, file_get_contents($file));

        file_put_contents($home . '/run/nginx.conf', $configuration);
        $this->awaitFile($file, ' down;');
        $once = self::larder('one', '--once');
        self::assertSame(2, $once->run());
        $this->guards['one']->signal(SIGINT);
        self::assertSame(0, $this->guards['one']->wait());
        $once = self::larder('one', ...$this->options('one'), ...['--once']);
        self::assertSame(1, $once->run(), $once->getOutput());
        self::assertSame(['out', 'up'], self::states($once));
        self::$memcached[0]->resume();
        self::assertSame(0, self::larder('one', ...$this->options('one'), ...['--once'])->run());
        self::assertSame($before, file_get_contents($file));
    }

    /** Until each server has some pages. */
    private function fill(): void
    {
        while (min(\count($this->pages[0]), \count($this->pages[1])) < 2) {
            $id = ++self::$news;
            $this->writer->exec("INSERT INTO news VALUES ($id, 'before')");
            $this->get("/news/$id", 'one');
            self::assertSame('larder; hit', $this->get("/news/$id", 'two')->headers['cache-status'] ?? '');
            $isFirst = self::ask("mg larder/news/news/$id\r\nmn\r\n", "MN\r\n") === "HD\r\nMN\r\n";
            $this->pages[$isFirst ? 0 : 1][] = "/news/$id";
        }
    }

    /** Stops the first server, and returns when both guards have told their nginx. */
    private function stopTheFirst(): void
    {
        $this->afterReload(function (): void {
            self::$memcached[0]->pause();
            foreach (array_keys(self::$hosts) as $host) {
                $this->await($host, 'out');
            }
        });
    }

    /** @param Closure(): void $step lets both nginx load their configuration; no former worker is left then */
    private function afterReload(Closure $step): void
    {
        $workers = array_merge(...array_map(
            static fn(RunningSite $host): array => \array_slice(ProcessTree::of($host->nginx->pid()), 1),
            array_values(self::$hosts),
        ));
        $step();
        while (array_filter($workers, static fn(int $worker): bool => posix_kill($worker, 0)) !== []) {
            usleep(5_000);
        }
    }

    private function readers(string $uri): WorkerPool
    {
        $stop = self::$directory->path . '/stop';
        @unlink($stop);
        $readers = new WorkerPool(function (int $number) use ($uri, $stop): array {
            $found = [];
            while (!is_file($stop)) {
                $answer = $this->get($uri, ['one', 'two'][$number]);
                $what = $answer->body . ' ' . ($answer->headers['cache-status'] ?? '');
                $found[$what] = ($found[$what] ?? 0) + 1;
            }

            return $found;
        });
        $readers->fill(2);

        return $readers;
    }

    /** @return array{int, array<array-key, int>} hits, and how often what else was found */
    private function found(WorkerPool $readers): array
    {
        touch(self::$directory->path . '/stop');
        $hits = 0;
        $others = [];
        foreach ($readers->end(20.0) as $end) {
            self::assertTrue($end->finished, $end->reason());
            foreach ((array) $end->result as $what => $times) {
                self::assertIsInt($times);
                $what === 'before larder; hit' ? $hits += $times : $others[$what] = $times;
            }
        }

        return [$hits, $others];
    }

    private function guard(string $host): void
    {
        $this->guards[$host] = self::larder($host, ...$this->options($host));
        $this->guards[$host]->start();
        $this->await($host, 'up');
    }

    /** @return list<string> */
    private function options(string $host): array
    {
        $run = self::$directory->path . "/$host/run";
        $pid = self::$hosts[$host]->nginx->pid();

        return [
            '--interval=20', '--patience=300', '--reload=kill -HUP ' . $pid,
            "--test=nginx -t -q -p $run -e $run/test.log -c $run/nginx.conf",
        ];
    }

    /** @return list<string> */
    private static function out(string $host): array
    {
        $site = self::site(self::$directory->path . "/$host", self::database(), self::servers());

        return GuardedServers::of($site)?->out() ?? [];
    }

    private function doctor(): Process
    {
        $host = self::$hosts['one'];

        return new Process([
            PHP_BINARY, \dirname(__DIR__, 2) . '/bin/larder', 'doctor', "--nginx=127.0.0.1:$host->port",
            '--site=' . self::$directory->path . '/one/larder.php',
        ], timeout: 60.0);
    }

    /** The site file with the memcached servers in the other order. */
    private static function withServersTurned(string $site): string
    {
        [$first, $second] = self::servers();

        return strtr($site, [$first => $second, $second => $first]);
    }

    private static function larder(string $host, string ...$options): Process
    {
        $program = \dirname(__DIR__, 2) . '/bin/larder';
        $site = '--site=' . self::$directory->path . "/$host/larder.php";

        return new Process([PHP_BINARY, $program, 'guard', $site, '--format=json', ...$options], timeout: 60.0);
    }

    /** Until this is what a guard said last of the first server. */
    private function await(string $host, string $state): void
    {
        $this->until($host, static function (Process $guard) use ($state): bool {
            $server = preg_quote(self::servers()[0]);
            preg_match_all("/\"server\":\"$server\",\"state\":\"(\w+)\"/", $guard->getOutput(), $found);

            return ($found[1][\count($found[1]) - 1] ?? null) === $state;
        });
    }

    private function awaitText(string $host, string $text): void
    {
        $this->until($host, static fn(Process $guard): bool => str_contains($guard->getOutput(), $text));
    }

    private function awaitFile(string $file, string $text): void
    {
        $this->until('one', static fn(): bool => str_contains((string) file_get_contents($file), $text));
    }

    /** @param Closure(Process): bool $isDone */
    private function until(string $host, Closure $isDone): void
    {
        $guard = $this->guards[$host];
        while (!$isDone($guard)) {
            self::assertTrue($guard->isRunning(), $guard->getOutput() . $guard->getErrorOutput());
            $guard->checkTimeout();
            usleep(5_000);
        }
    }

    /** @return list<string> that a guard has said, of servers */
    private static function states(Process $guard): array
    {
        preg_match_all('/"state":"(\w+)"/', $guard->getOutput(), $found);

        return $found[1];
    }

    private function change(string $uri, string $title): void
    {
        $this->writer->prepare('UPDATE news SET title = ? WHERE id = ?')->execute([$title, substr($uri, 6)]);
    }

    /** @return list<string> on both hosts */
    private function bodies(string $uri): array
    {
        return [$this->get($uri, 'one')->body, $this->get($uri, 'two')->body];
    }

    private function get(string $uri, string $host): Response
    {
        return Connection::ask('127.0.0.1:' . self::$hosts[$host]->port, 'GET', $uri, ['Host' => 'localhost']);
    }

    /** How many values the first server was asked for. */
    private static function gets(): string
    {
        preg_match('/STAT cmd_get (\d+)/', self::ask("stats\r\n", "END\r\n"), $found);

        return $found[1] ?? '';
    }

    private static function ask(string $command, string $end): string
    {
        return (string) Exchange::with('tcp://' . self::servers()[0], $command, $end);
    }

    /** @return list<string> */
    private static function servers(): array
    {
        return array_map(
            static fn(Memcached $server): string => '127.0.0.1:' . $server->endpoint()->port,
            self::$memcached,
        );
    }

    /** @return list<string> DSN, user and password */
    private static function database(): array
    {
        ['dsn' => $dsn, 'user' => $user, 'password' => $password] = self::$mariadb->endpoint()->extra;

        return [$dsn, $user, $password];
    }

    private static function connect(): RecordingPdo
    {
        $site = self::site(self::$directory->path . '/one', self::database(), self::servers());
        $writer = Pages::of($site)->connect();
        self::assertInstanceOf(RecordingPdo::class, $writer);

        return $writer;
    }

    /** A connection that announces nothing. */
    private static function plain(): PDO
    {
        return new PDO(...self::database());
    }
}
