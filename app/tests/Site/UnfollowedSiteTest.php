<?php

declare(strict_types=1);

namespace App\Tests\Site;

use App\Tests\ChosenDatabase;
use Larder\Follow\Follower;
use Larder\Page\FollowedPages;
use Larder\Page\Miss;
use Larder\Page\NginxTemplates;
use Larder\Testbed\Http\Response;
use Larder\Testbed\Server\Database;
use Larder\Testbed\Server\DatabaseKind;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\RequiresPhpExtension;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/** The example site whose follower is stopped, and killed: pages end by themselves, and come back with it. */
#[CoversClass(Follower::class)]
#[CoversClass(FollowedPages::class)]
#[CoversClass(Miss::class)]
#[CoversClass(NginxTemplates::class)]
#[RequiresPhpExtension('pdo_mysql')]
final class UnfollowedSiteTest extends TestCase
{
    private const MAX_LAG = 2.0;

    /** A page, one with parts, one with a query, and one that is no HTML. */
    private const URIS = ['/news/4', '/', '/category/jars?page=2', '/feed/jars'];

    private TemporaryDirectory $directory;

    private Database $database;

    private ?Memcached $memcached = null;

    private ?LiveSite $site = null;

    private ?Process $follower = null;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        $this->database = ChosenDatabase::followed(DatabaseKind::MariaDb, $this->directory->path . '/data');
    }

    protected function tearDown(): void
    {
        $this->follower?->signal(SIGCONT);
        $this->follower?->stop(10.0, SIGKILL);
        $this->site?->stop();
        $this->memcached?->stop();
        $this->directory->remove();
    }

    /** @return array<string, array{bool}> whether the pages are in memcached */
    public static function stores(): array
    {
        return ['files' => [false], 'memcached' => [true]];
    }

    #[DataProvider('stores')]
    public function testPagesEndByThemselvesWhenNobodyFollows(bool $inMemcached): void
    {
        $site = $this->start($inMemcached);
        $pages = FollowedPages::of($site->site);
        self::assertNotNull($pages);
        self::assertSame($this->bypassed(), $this->statuses(), 'Nobody has followed so far.');
        $follower = $this->follow();
        $this->await(fn(): bool => $this->statuses() === $this->hits(), 'All pages are hits.');

        foreach (['stopped' => SIGSTOP, 'killed' => SIGKILL] as $how => $signal) {
            $follower->signal($signal);
            $isOver = fn(): bool => $signal === SIGSTOP || !$follower->isRunning();
            $this->await($isOver, 'It is no more.');
            $last = time() + self::MAX_LAG;
            foreach ((array) glob(\dirname($pages->link(0)) . '/*') as $link) {
                self::assertLessThanOrEqual($last, (int) basename((string) $link));
            }
            $this->await(static fn(): bool => !$pages->areServed(), 'Pages end by themselves.');
            $this->database->connect()->exec("UPDATE news SET title = 'While it was $how' WHERE id = 4");
            self::assertSame($this->bypassed(), $this->statuses());
            self::assertStringContainsString("While it was $how", $site->get('/news/4')->body);

            $signal === SIGSTOP ? $follower->signal(SIGCONT) : $follower = $this->follow();
            $this->await(function () use ($site, $how): bool {
                $answer = $site->get('/news/4');
                self::assertStringContainsString("While it was $how", $answer->body);

                return self::statusOf($answer) === 'larder; hit';
            }, 'They come back, and are right.');
        }
    }

    private function start(bool $inMemcached): LiveSite
    {
        $this->memcached = $inMemcached ? new Memcached($this->directory->path . '/memcached', socket: true) : null;

        return $this->site = LiveSite::example([
            'APP_STORE' => 'none',
            'APP_FOLLOWED' => 'on',
            ...($this->memcached === null ? [] : [
                'APP_PAGES_MEMCACHED' => 'unix:' . $this->memcached->endpoint()->socket,
            ]),
        ], database: $this->database);
    }

    private function follow(): Process
    {
        self::assertNotNull($this->site);
        $root = \dirname(__DIR__, 3);
        $file = $this->directory->path . '/follow.php';
        $state = $this->directory->path . '/follow';
        is_dir($state) || mkdir($state);
        $environment = [
            ...$this->database->environment(),
            'APP_PAGES' => $this->site->site->pages,
            'APP_LIST' => $this->site->site->list,
            'APP_VAR' => $this->site->configuration->var,
            ...($this->memcached === null ? [] : [
                'APP_PAGES_MEMCACHED' => 'unix:' . $this->memcached->endpoint()->socket,
            ]),
        ];
        file_put_contents($file, '<?php require ' . var_export($root . '/vendor/autoload.php', true) . ";\n"
            . '$configuration = new App\Configuration(' . var_export($environment, true) . ");\n"
            . '$site = $configuration->site();' . "\n"
            . 'return new Larder\Follow\Followed('
            . 'fn() => Larder\Page\Pages::of($site)->ledger($configuration->connect()), '
            . var_export($state, true) . ', name: "site", settings: new Larder\Follow\Settings(' . self::MAX_LAG
            . '), log: ' . var_export($this->database->access($state), true) . ', pages: [$site->pages]);');
        $this->follower = new Process([PHP_BINARY, $root . '/packages/console/bin/larder', 'follow', $file]);
        $this->follower->setTimeout(null);
        $this->follower->start();

        return $this->follower;
    }

    /** @param callable(): bool $holds */
    private function await(callable $holds, string $what): void
    {
        for ($end = hrtime(true) + 60e9; !$holds();) {
            self::assertLessThan($end, hrtime(true), $what . ' ' . $this->follower?->getErrorOutput());
            usleep(50_000);
        }
    }

    /** @return array<string, string> by URI */
    private function statuses(): array
    {
        $statuses = [];
        foreach (self::URIS as $uri) {
            $statuses[$uri] = self::statusOf($this->site?->get($uri));
        }

        return $statuses;
    }

    /** @return array<string, string> */
    private function hits(): array
    {
        return array_fill_keys(self::URIS, 'larder; hit');
    }

    /** @return array<string, string> */
    private function bypassed(): array
    {
        return array_fill_keys(
            self::URIS,
            'larder; fwd=bypass; detail="no larder follow is at work, so stored pages may be old"',
        );
    }

    private static function statusOf(?Response $answer): string
    {
        return $answer?->header('cache-status') ?? '';
    }
}
