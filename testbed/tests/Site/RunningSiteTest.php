<?php

declare(strict_types=1);

namespace Larder\Testbed\Tests\Site;

use Closure;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Process\Fork;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\Daemon;
use Larder\Testbed\Server\Nginx;
use Larder\Testbed\Server\PhpFpm;
use Larder\Testbed\Server\Program;
use Larder\Testbed\Server\ServerFailed;
use Larder\Testbed\Site\RunningSite;
use Larder\Testbed\Site\StandIn;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(RunningSite::class)]
#[CoversClass(Nginx::class)]
#[CoversClass(PhpFpm::class)]
#[CoversClass(Daemon::class)]
#[CoversClass(Account::class)]
#[CoversClass(Program::class)]
#[CoversClass(ServerFailed::class)]
final class RunningSiteTest extends TestCase
{
    /** @var list<StandIn> */
    private array $standIns = [];

    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
    }

    protected function tearDown(): void
    {
        foreach ($this->standIns as $standIn) {
            $standIn->remove();
        }
        $this->standIns = [];
        $this->directory->remove();
    }

    public function testTwoSitesRunSideBySideAndEndWithoutAProcessLeft(): void
    {
        $sites = [$this->standIn(['SITE' => 'one']), $this->standIn(['SITE' => 'two'])];
        self::assertSame(
            ['one', 'two'],
            array_map(
                static fn(StandIn $standIn): mixed => StandIn::told(
                    Connection::ask($standIn->address, 'GET', '/x'),
                )['SITE'],
                $sites,
            ),
        );

        $groups = array_merge(...array_map(static fn(StandIn $standIn): array => $standIn->servers->pids(), $sites));
        self::assertCount(4, array_unique($groups));
        foreach ($sites as $standIn) {
            $standIn->servers->stop();
            $standIn->servers->stop();
            self::assertSame([], $standIn->servers->pids());
        }
        foreach ($groups as $group) {
            self::assertFalse(posix_kill(-$group, 0), 'nobody of the group is left');
        }
    }

    public function testWithPhpStoppedPagesAreServedAndAMissSaysSo(): void
    {
        $standIn = $this->standIn();
        $standIn->place('/news/4', 'the page');
        $standIn->servers->php->stop();

        foreach (['/news/6', '/news/6/', '/news/4?x=1'] as $uri) {
            $miss = Connection::ask($standIn->address, 'GET', $uri);
            self::assertSame(
                [503, '5', 'no-store', 'text/plain; charset=utf-8'],
                [
                    $miss->status,
                    $miss->header('Retry-After'),
                    $miss->header('Cache-Control'),
                    $miss->header('Content-Type'),
                ],
            );
            self::assertSame('larder; fwd=miss; detail="no answer from PHP"', $miss->header('Cache-Status'));
            self::assertStringContainsString('try again', $miss->body);
        }
        self::assertSame(503, Connection::ask($standIn->address, 'POST', '/news/4', body: 'x=y')->status);
        self::assertSame(
            [200, 'the page'],
            [
                Connection::ask($standIn->address, 'GET', '/news/4')->status,
                Connection::ask($standIn->address, 'GET', '/news/4')->body,
            ],
        );
        self::assertSame(
            ['r/1/news/4~page', 'r/1/news/4~page.gz'],
            array_map(
                static fn(string $file): string => substr($file, \strlen('pages/')),
                $standIn->directory->files('pages/r'),
            ),
        );

        $standIn->servers->php->start();
        self::assertSame('/news/6', StandIn::told(Connection::ask($standIn->address, 'GET', '/news/6'))['LARDER_PAGE']);
    }

    public function testCountsTheRequestsOfPhpAndNoneOfAHit(): void
    {
        $standIn = $this->standIn();
        $standIn->place('/news/4', 'the page');
        $before = $standIn->servers->php->requests();
        for ($i = 0; $i < 5; ++$i) {
            Connection::ask($standIn->address, 'GET', '/news/4');
        }
        self::assertSame($before, $standIn->servers->php->requests());

        Connection::ask($standIn->address, 'GET', '/news/5');
        Connection::ask($standIn->address, 'GET', '/news/4?');
        self::assertSame($before + 2, $standIn->servers->php->requests());
    }

    public function testKilledWorkersComeBack(): void
    {
        $standIn = $this->standIn();
        $workers = $standIn->servers->php->workers();
        self::assertCount(2, $workers);
        foreach ($workers as $worker) {
            posix_kill($worker, SIGKILL);
        }

        $deadline = microtime(true) + 5;
        while (
            array_intersect($workers, $standIn->servers->php->workers()) !== []
            || \count($standIn->servers->php->workers()) < 2
        ) {
            self::assertLessThan($deadline, microtime(true));
            usleep(10_000);
        }
        self::assertSame('/x', StandIn::told(Connection::ask($standIn->address, 'GET', '/x'))['LARDER_PAGE']);
    }

    public function testAReloadLeavesNoWorkerAndSetsWhatItIsGiven(): void
    {
        $standIn = $this->standIn();
        $script = $standIn->directory->path . '/index.php';
        file_put_contents($script, "<?php header('X-Limit: ' . ini_get('memory_limit'));");
        [$workers, $master] = [$standIn->servers->php->workers(), $standIn->servers->php->pid()];
        $standIn->servers->php->reload(['memory_limit' => '77M']);

        self::assertSame([], array_intersect($workers, $standIn->servers->php->workers()));
        self::assertSame('77M', Connection::ask($standIn->address, 'GET', '/x')->header('X-Limit'));
        self::assertSame($master, $standIn->servers->php->pid());
    }

    public function testAForkedChildThatEndsLeavesTheServersAlone(): void
    {
        $standIn = $this->standIn();
        pcntl_waitpid(Fork::start($standIn->servers->stop(...)), $status);

        self::assertCount(2, $standIn->servers->pids());
        self::assertSame('/x', StandIn::told(Connection::ask($standIn->address, 'GET', '/x'))['LARDER_PAGE']);
    }

    public function testASignalStopsTheServersBeforeTheProgramEnds(): void
    {
        $code = \sprintf(
            'require %s; $standIn = new Larder\Testbed\Site\StandIn(); $standIn->servers->stopOnSignals();',
            var_export(\dirname(__DIR__, 3) . '/vendor/autoload.php', true),
        )
            . 'register_shutdown_function($standIn->directory->remove(...)); echo '
            . 'json_encode($standIn->servers->pids()), PHP_EOL; while (true) { sleep(1); }';
        $program = proc_open([PHP_BINARY, '-r', $code], [1 => ['pipe', 'w']], $pipes);
        self::assertIsResource($program);
        $started = json_decode((string) fgets($pipes[1]), true);
        self::assertIsArray($started);
        [$nginx, $php] = $started;
        self::assertTrue(\is_int($nginx) && \is_int($php) && self::lives($nginx) && self::lives($php));

        proc_terminate($program, SIGTERM);
        $this->await(static fn(): bool => !proc_get_status($program)['running']);

        self::assertFalse(self::lives($nginx) || self::lives($php));
        self::assertSame([false, false], [posix_kill(-$nginx, 0), posix_kill(-$php, 0)]);
        proc_close($program);
    }

    public function testADaemonEndsWithItsParentEvenIfThatIsKilled(): void
    {
        if (Program::find('setpriv') === null) {
            self::markTestSkipped('needs setpriv');
        }
        $pidFile = $this->directory->path . '/pid';
        $parent = Fork::start(static function () use ($pidFile): void {
            $daemon = new Daemon('sleep', ['/bin/sleep', '60'], [], '/dev/null');
            file_put_contents($pidFile . '.part', (string) $daemon->pid);
            usleep(100_000);
            rename($pidFile . '.part', $pidFile);
            sleep(30);
        });
        $this->await(static fn(): bool => file_exists($pidFile));
        $pid = (int) file_get_contents($pidFile);
        self::assertTrue(self::lives($pid));

        posix_kill($parent, SIGKILL);
        pcntl_waitpid($parent, $status);

        $this->await(static fn(): bool => !self::lives($pid));
    }

    public function testADaemonThatIgnoresSigtermIsKilledWithItsWholeGroup(): void
    {
        $daemon = new Daemon(
            'stubborn',
            ['/bin/sh', '-c', 'trap "" TERM; sleep 60 & while :; do sleep 1; done'],
            ['PATH' => '/usr/bin:/bin'],
            '/dev/null',
        );
        $daemon->awaitReady(
            static fn(): bool => str_contains((string) file_get_contents("/proc/{$daemon->pid}/cmdline"), 'trap'),
            '/dev/null',
        );
        usleep(50_000);
        $start = microtime(true);
        $daemon->stop();

        self::assertLessThan(4.0, microtime(true) - $start);
        self::assertFalse($daemon->isRunning());
        self::assertFalse(posix_kill(-$daemon->pid, 0));
    }

    public function testATakenPortIsToldApartFromABrokenConfiguration(): void
    {
        $path = $this->directory->path;
        $taken = stream_socket_server('tcp://127.0.0.1:0');
        self::assertIsResource($taken);
        $port = substr((string) strrchr((string) stream_socket_get_name($taken, false), ':'), 1);

        $failures = [];
        foreach (["listen 127.0.0.1:{$port}; return 204;", 'no_such_directive;'] as $server) {
            try {
                new Nginx(
                    $path,
                    static fn(): string => "pid {$path}/nginx.pid;\nevents {}\n"
                        . "http { access_log off; server { {$server} } }\n",
                );
                self::fail('nginx must not start');
            } catch (ServerFailed $failed) {
                $failures[] = [$failed->portTaken, str_contains($failed->getMessage(), 'no_such_directive')];
            }
        }
        self::assertSame([[true, false], [false, true]], $failures);
    }

    public function testAMissingServerIsNamedWithItsPackage(): void
    {
        self::assertNull(Program::find('no-such-program'));
        self::assertStringContainsString(
            'apt-get install php8.2-fpm',
            ServerFailed::missing('php-fpm8.2', 'php8.2-fpm')->getMessage(),
        );
        self::assertStringStartsWith('/', Program::nginx());
        self::assertStringEndsWith('php-fpm' . PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION, Program::phpFpm());
    }

    public function testADirectoryThatTheServersCannotEnterIsAnErrorAtOnce(): void
    {
        if (posix_geteuid() !== 0) {
            self::markTestSkipped('only root has servers that run as somebody else');
        }
        mkdir($this->directory->path . '/closed', 0o700);

        $this->expectException(ServerFailed::class);
        $this->expectExceptionMessage('/closed');
        Account::of()->own($this->directory->path . '/closed/site');
    }

    public function testASocketPathThatIsTooLongIsAnErrorAtOnce(): void
    {
        $this->expectException(ServerFailed::class);
        $this->expectExceptionMessage('107 bytes');
        new PhpFpm('/tmp/' . str_repeat('a', 110), Account::of());
    }

    /** @param array<string, string> $environment */
    private function standIn(array $environment = []): StandIn
    {
        return $this->standIns[] = new StandIn(environment: $environment);
    }

    /** @phpstan-impure */
    private static function lives(int $pid): bool
    {
        return preg_match('/\) [^ZX] /', (string) @file_get_contents("/proc/{$pid}/stat")) === 1;
    }

    /** @param Closure(): bool $done */
    private function await(Closure $done): void
    {
        $deadline = microtime(true) + 5;
        while (!$done()) {
            self::assertLessThan($deadline, microtime(true), 'it takes too long');
            usleep(10_000);
        }
    }
}
