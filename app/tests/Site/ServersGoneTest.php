<?php

declare(strict_types=1);

namespace App\Tests\Site;

use App\Application;
use App\ValueStore;
use Closure;
use Larder\Cache;
use Larder\Metrics\SparingLogger;
use Larder\Testbed\Process\Extension;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Server\Redis;
use Larder\Testbed\Server\ServerProcess;
use Larder\Testbed\TemporaryDirectory;
use PDO;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** The cache's servers are gone: the site is slower by one deadline, and as right as before. */
#[CoversClass(Application::class)]
#[CoversClass(Cache::class)]
#[CoversClass(SparingLogger::class)]
#[CoversClass(ValueStore::class)]
final class ServersGoneTest extends TestCase
{
    /** Seconds; long, so that a busy machine does not look like a second one. */
    private const DEADLINE = 1.0;

    private const URIS = ['/news/4', '/', '/search/winter', '/category/jars?page=2', '/categories'];

    private TemporaryDirectory $directory;

    private ?ServerProcess $server = null;

    private ?LiveSite $site = null;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
    }

    protected function tearDown(): void
    {
        $this->site?->stop();
        $this->server?->stop();
        $this->directory->remove();
    }

    /**
     * @return iterable<string, array{Closure(string): ServerProcess, string}> starts it in a directory; what stands
     *     before its name in the setting
     */
    public static function servers(): iterable
    {
        $memcached = static fn(string $directory): Memcached => new Memcached($directory . '/memcached', socket: true);
        yield 'memcached' => [$memcached, 'memcached:'];
        yield 'Redis' => [static fn(string $directory): Redis => new Redis($directory . '/redis'), 'redis:'];
        yield 'memory before memcached' => [$memcached, 'tiered:memcached:'];
    }

    /** @param Closure(string): ServerProcess $start */
    #[DataProvider('servers')]
    public function testAServerThatAnswersNothingCostsOneDeadlineAndTheSiteIsRight(Closure $start, string $before): void
    {
        $site = $this->start($start, $before);
        $bodies = $bare = [];
        foreach (self::URIS as $uri) {
            $bodies[$uri] = $site->get($uri)->body;
            [$bare[$uri]] = $this->timed($uri);
        }
        self::assertSame('', $site->log(), 'All is well.');

        $this->server?->pause();
        $longest = 0.0;
        $begun = microtime(true);
        foreach ([...self::URIS, ...self::URIS] as $uri) {
            [$seconds, $body] = $this->timed($uri);
            self::assertSame($bodies[$uri], $body);
            self::assertLessThan($bare[$uri] + 2 * self::DEADLINE, $seconds, $uri);
            $longest = max($longest, $seconds - $bare[$uri]);
        }
        self::assertGreaterThan(0.9 * self::DEADLINE, $longest, 'It was asked, and it did not answer.');
        $this->assertLinesAreSpare($site->log(), microtime(true) - $begun);

        $this->edit('written while the server was gone');
        self::assertStringContainsString('written while the server was gone', $site->get('/news/4')->body);
        $this->server?->resume();
        usleep((int) (2.5 * self::DEADLINE * 1e6));
        foreach (['/news/4', '/search/winter', '/news/4'] as $uri) {
            self::assertStringContainsString(
                'written while the server was gone',
                $site->get($uri)->body,
                'What the server kept is older than the edit.',
            );
        }
    }

    /** @param Closure(string): ServerProcess $start */
    #[DataProvider('servers')]
    public function testAServerThatIsStoppedCostsNothing(Closure $start, string $before): void
    {
        $site = $this->start($start, $before);
        $bodies = [];
        foreach (self::URIS as $uri) {
            $bodies[$uri] = $site->get($uri)->body;
        }
        $this->server?->stop();

        $begun = microtime(true);
        foreach ([...self::URIS, ...self::URIS] as $uri) {
            [$seconds, $body] = $this->timed($uri);
            self::assertSame($bodies[$uri], $body);
            self::assertLessThan(self::DEADLINE, $seconds);
        }
        $this->edit('written without a server');
        self::assertStringContainsString('written without a server', $site->get('/search/winter')->body);
        $this->assertLinesAreSpare($site->log(), microtime(true) - $begun);
    }

    /** Of each kind one a second: at least one, and not one for each request. */
    private function assertLinesAreSpare(string $log, float $seconds): void
    {
        $kinds = [];
        foreach (explode("\n", trim($log)) as $line) {
            self::assertSame(1, preg_match('/^\[(\S{19})\S* larder\.[A-Z]+: (.{20})/', $line, $matches), $log);
            $kinds[$matches[2]][] = $matches[1];
        }
        foreach ($kinds as $kind => $moments) {
            self::assertSame(array_values(array_unique($moments)), $moments, $kind);
            self::assertLessThanOrEqual($seconds + 2, \count($moments));
        }
    }

    /** @param Closure(string): ServerProcess $start */
    private function start(Closure $start, string $before): LiveSite
    {
        if (!is_file(Extension::built())) {
            self::markTestSkipped('needs build/extension/larder.so: tools/extension build');
        }
        chmod($this->directory->path, 0o711);
        $this->server = $start($this->directory->path);

        return $this->site = LiveSite::example([
            'APP_STORE' => $before . $this->server->endpoint()->address(),
            'APP_STORE_TIMEOUT' => (string) (int) (self::DEADLINE * 1000),
            'APP_SEARCH' => 'ids',
            'APP_PAGES_CACHE' => 'off',
        ]);
    }

    private function edit(string $summary): void
    {
        $site = $this->site;
        self::assertNotNull($site);
        $row = $site->configuration->connect()->run('SELECT title, body, category FROM news WHERE id = 4')
            ->fetch(PDO::FETCH_ASSOC);
        self::assertIsArray($row);
        /** @var array<string, string> $row */
        self::assertSame(303, $site->post('/news/4/edit', ['title' => 'winter', 'summary' => $summary] + $row)->status);
    }

    /** @return array{float, string} seconds, body */
    private function timed(string $uri): array
    {
        $site = $this->site;
        self::assertNotNull($site);
        $begin = hrtime(true);
        $answer = $site->get($uri);
        self::assertSame(200, $answer->status);

        return [(hrtime(true) - $begin) / 1e9, $answer->body];
    }
}
