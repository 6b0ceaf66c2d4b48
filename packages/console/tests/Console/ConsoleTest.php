<?php

declare(strict_types=1);

namespace Larder\Tests\Console;

use Larder\Console\Application;
use Larder\Console\DependencyExplanation;
use Larder\Console\DeployCommand;
use Larder\Console\ExplainCommand;
use Larder\Console\FlushCommand;
use Larder\Console\NginxConfigCommand;
use Larder\Console\PageExplanation;
use Larder\Console\SiteCommand;
use Larder\Console\StatsCommand;
use Larder\Console\TopCommand;
use Larder\Console\TopScreen;
use Larder\Page\PageCounts;
use Larder\Page\PageDirectory;
use Larder\Page\Pages;
use Larder\Page\Response;
use Larder\Page\Sample;
use Larder\Tests\Support\NewsSite;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Console\Input\StringInput;
use Symfony\Component\Console\Output\BufferedOutput;
use Symfony\Component\Console\Tester\CommandTester;
use Symfony\Component\Process\Process;

#[CoversClass(Application::class)]
#[CoversClass(SiteCommand::class)]
#[CoversClass(DeployCommand::class)]
#[CoversClass(ExplainCommand::class)]
#[CoversClass(PageExplanation::class)]
#[CoversClass(DependencyExplanation::class)]
#[CoversClass(StatsCommand::class)]
#[CoversClass(TopCommand::class)]
#[CoversClass(Sample::class)]
#[CoversClass(TopScreen::class)]
#[CoversClass(PageCounts::class)]
#[CoversClass(FlushCommand::class)]
#[CoversClass(NginxConfigCommand::class)]
#[CoversClass(PageDirectory::class)]
final class ConsoleTest extends TestCase
{
    private NewsSite $news;

    protected function setUp(): void
    {
        $this->news = new NewsSite();
        file_put_contents($this->news->directory->path . '/larder.php', \sprintf(
            '<?php return (new %s(%s))->site;',
            FixtureSite::class,
            var_export($this->news->directory->path, true),
        ));
    }

    protected function tearDown(): void
    {
        $this->news->remove();
    }

    public function testExplainsAStoredPage(): void
    {
        $this->news->get('/news/4');
        [$code, $explained] = $this->json('explain', ['what' => '/news/4']);

        self::assertSame(0, $code);
        self::assertTrue($explained['stored']);
        self::assertIsArray($explained['pages']);
        self::assertSame([['news!', 'news:4']], array_column($explained['pages'], 'made_from'));
        self::assertSame([true], array_column($explained['pages'], 'registered'));
        [$code, $text] = $this->txt('explain', ['what' => '/news/4']);
        self::assertSame(0, $code);
        self::assertStringContainsString('/news/4 is stored', $text);
        self::assertStringContainsString('news:4', $text);
        foreach (['/news/4?utm_source=x', '/news/4?fbclid&gclid=y'] as $uri) {
            self::assertSame([$code, $text], $this->txt('explain', ['what' => $uri]));
        }
    }

    public function testExplainsEveryBucketOfATtlPage(): void
    {
        $this->news->get('/@2026-11-21T06:10+00:00/quick/4');
        $this->news->get('/@2026-11-21T06:20+00:00/quick/4');
        [$code, $explained] = $this->json('explain', ['what' => '/quick/4']);

        self::assertSame(0, $code);
        self::assertIsArray($explained['pages']);
        self::assertCount(2, $explained['pages']);
    }

    public function testExplainsARefusedPageWithItsReason(): void
    {
        $this->news->get('/news/9', static fn(): Response => NewsSite::html(''));
        [$code, $explained] = $this->json('explain', ['what' => '/news/9']);

        self::assertSame([0, false, 'the body is empty'], [$code, $explained['stored'], $explained['reason']]);
    }

    /** @return iterable<string, array{string, string}> */
    public static function unexplained(): iterable
    {
        yield 'nobody asked for it' => ['/news/77', 'Nothing is known of /news/77'];
        yield 'not canonical' => ['/news/%34', '/news/%34 can be no page: a canonical URI has'];
        yield 'a query that is not allowed' => ['/list?page=0', 'the site allows no query "page=0" on /list'];
        yield 'unknown table' => ['newz:4', 'Near names: news, comment'];
        yield 'no dependency' => ['a b', 'is not a dependency'];
    }

    #[DataProvider('unexplained')]
    public function testWhatCannotBeExplainedIsAClearErrorAndExitCode2(string $what, string $message): void
    {
        [$code, $text] = $this->txt('explain', ['what' => $what]);
        self::assertSame(2, $code);
        self::assertStringContainsString($message, $text);
        [$code, $answer] = $this->json('explain', ['what' => $what]);
        self::assertSame(2, $code);
        self::assertIsString($answer['error']);
        self::assertStringContainsString($message, $answer['error']);
    }

    public function testExplainsADependencyBothWays(): void
    {
        $this->news->get('/news/4');
        $this->news->get('/', function (): Response {
            $this->news->database->select('SELECT * FROM news', []);

            return NewsSite::html('front');
        });
        [$code, $explained] = $this->json('explain', ['what' => 'news:4']);

        self::assertSame(
            [0, ['/news/4'], ['/'], 2],
            [$code, $explained['pages'], $explained['also_by_any_row_change'], $explained['by_bulk_change']],
        );
    }

    public function testStatsCountsPagesBytesAndEvents(): void
    {
        $this->news->get('/news/4');
        [$code, $stats] = $this->json('stats');

        self::assertSame([0, 1, 2, 12288], [$code, $stats['pages'], $stats['edges'], $stats['bytes']]);
        self::assertIsArray($stats['counters']);
        self::assertSame(1, $stats['counters']['larder_page_requests_total{result="stored"}']);
        self::assertSame(1, $stats['counters'][
            'larder_page_render_duration_seconds_count{route="Larder\\\\Tests\\\\Support\\\\NewsController"}'
        ]);
        self::assertStringContainsString('1 pages with 2 edges', $this->txt('stats')[1]);
    }

    public function testTopTellsTheNumbersOfNowWithTheRefusals(): void
    {
        $this->news->get('/news/4');
        $this->news->get('/news/5', static fn(): Response => new Response(500, [], 'x'));
        [$code, $top] = $this->json('top', ['--once' => true]);

        self::assertSame(0, $code);
        self::assertIsArray($top['counters']);
        self::assertSame(1, $top['counters']['larder_page_requests_total{result="stored"}']);
        self::assertSame(1, $top['counters']['larder_page_requests_total{result="refused"}']);
        self::assertIsArray($top['refusals']);
        self::assertSame(['/news/5'], array_column($top['refusals'], 'page'));
        self::assertSame([], $top['per_second']);
        self::assertStringContainsString('/news/5 not stored', $this->txt('top', ['--once' => true])[1]);
    }

    public function testTopTellsCausesAndWhatTheLastChangesDropped(): void
    {
        $this->news->get('/news/4');
        $this->news->get('/news/5', static fn(): Response => new Response(500, [], 'x'));
        $this->news->connect()->exec("UPDATE news SET title = 'new' WHERE id = 4");
        [, $top] = $this->json('top', ['--once' => true]);
        [, $text] = $this->txt('top', ['--once' => true]);

        self::assertIsArray($top['changes']);
        self::assertSame([['/news/4']], array_column($top['changes'], 'pages'));
        self::assertSame([], $top['value_servers']);
        self::assertMatchesRegularExpression('/refused: status +1\b/', $text);
        self::assertMatchesRegularExpression('/changes: news +1\b/', $text);
        self::assertMatchesRegularExpression('/pages dropped: rows news +1\b/', $text);
        self::assertMatchesRegularExpression('/changed \d+ s ago by \S*: news:4, .*: 1 pages dropped/', $text);
    }

    public function testTopGoesOnInATerminalAndShowsWhatRose(): void
    {
        $top = new Process([
            PHP_BINARY, \dirname(__DIR__, 2) . '/bin/larder', 'top',
            '--site=' . $this->news->directory->path . '/larder.php',
        ], env: ['TERM' => 'xterm'], timeout: 600);
        $top->setPty(true);
        $top->start();
        $frames = 0;
        $top->waitUntil(function () use ($top, &$frames): bool {
            $seen = substr_count($top->getOutput(), 'Z   pages ');
            if ($seen > $frames) {
                $frames = $seen;
                $this->news->get('/news/4');
                $this->news->database->exec("UPDATE news SET title = 'more' || title WHERE id = 4");
            }

            return preg_match('~pages: stored +[1-9][0-9]* +[0-9.]+/s~', $top->getOutput()) === 1;
        });
        $output = $top->getOutput();
        $top->stop(5.0, SIGINT);

        self::assertMatchesRegularExpression('~pages gone[^/]* [0-9.]+/s~', $output);
    }

    public function testFlushTakesEveryPageAway(): void
    {
        $this->news->get('/news/4');

        self::assertSame([0, ['pages' => 1]], $this->json('flush'));
        self::assertFalse($this->news->stores('/news/4'));
        self::assertSame([0, ['pages' => 0]], $this->json('flush'));
    }

    public function testFlushTakesOnePageAway(): void
    {
        $this->news->get('/news/4');
        $this->news->get('/news/5', fn(): Response => $this->news->item(5));
        $ended = ['name' => 'news:4', 'pages' => 1, 'removed' => ['/news/4'], 'unknown' => null];
        self::assertSame([0, $ended], $this->json('flush', ['what' => '/news/4']));
        self::assertFalse($this->news->stores('/news/4'));
        self::assertTrue($this->news->stores('/news/5'));
        self::assertSame(2, $this->txt('flush', ['what' => '/news/4'])[0]);
        $ended = ['name' => 'news:5', 'pages' => 1, 'removed' => ['/news/5'], 'unknown' => null];
        self::assertSame([0, $ended], $this->json('flush', ['what' => 'news:5']));
        self::assertFalse($this->news->stores('/news/5'));
        [, $text] = $this->txt('flush', ['what' => "nwes:5\nfake: line"]);
        self::assertStringNotContainsString("\nfake", $text);
        self::assertStringContainsString('It is unknown: There is no table', $text);
    }

    public function testDeployNamesTheReleaseAndItsControllers(): void
    {
        $this->news->get('/news/4');
        [$code, $deployed] = $this->json('deploy', ['--release' => 'next']);

        self::assertSame([0, 'next'], [$code, $deployed['release']]);
        self::assertSame('r/next', readlink($this->news->site->pages . '/current'));
        self::assertFalse($this->news->stores('/news/4'));
        self::assertSame(
            'larder; fwd=miss; detail="made by another release"',
            $this->news->get('/news/4')->header('cache-status'),
            'This process began before.',
        );
        $next = Pages::of(NewsSite::describe($this->news->directory->path))->pageCache($this->news->connect());
        self::assertSame('larder; fwd=miss; stored', $this->news->get('/news/4', cache: $next)->header('cache-status'));
    }

    public function testDeployRefusesANameThatIsNoDirectory(): void
    {
        [$code, $text] = $this->txt('deploy', ['--release' => '../up']);

        self::assertSame(2, $code);
        self::assertStringContainsString('"../up" is not a release', $text);
    }

    public function testExplainNeverSaysOfAControllerWithReadsThatItReadsNothing(): void
    {
        $this->news->get('/@2026-11-21T06:10+00:00/quick/4');
        [, $text] = $this->txt('explain', ['what' => '/quick/4']);

        self::assertStringContainsString('QuickController from news: its ttl of 10 s ends it', $text);
        self::assertStringNotContainsString('no table', $text);
    }

    /** @return iterable<string, array{callable(NewsSite): mixed, non-empty-string}> */
    public static function offs(): iterable
    {
        yield 'no page directory' => [
            static fn(NewsSite $news) => exec('rm -r ' . escapeshellarg($news->site->pages)),
            'it is not so that the page directory is there: make ',
        ];
        yield 'no release' => [
            static fn(NewsSite $news) => unlink($news->site->list),
            'it is not so that a release is deployed: there is no list ',
        ];
        yield 'another release' => [
            static fn(NewsSite $news) => $news->ledger('r2')->deploy(),
            'it is not so that the list, the ledger and nginx have one release: ',
        ];
    }

    /**
     * @param callable(NewsSite): mixed $harm
     * @param non-empty-string          $reason
     */
    #[DataProvider('offs')]
    public function testExplainSaysWhyThereIsNoPageAtAll(callable $harm, string $reason): void
    {
        $harm($this->news);
        [$code, $explained] = $this->json('explain', ['what' => '/news/4']);

        self::assertSame([0, false], [$code, $explained['stored']]);
        self::assertIsString($explained['reason']);
        self::assertStringStartsWith($reason, $explained['reason']);
    }

    public function testAMissingArgumentIsAnErrorLikeTheOthers(): void
    {
        foreach (['explain --format=json', 'nothing --format=json', 'stats --format=json --none'] as $line) {
            $output = new BufferedOutput();
            $application = Application::create();
            $application->setAutoExit(false);

            self::assertSame(2, $application->run(new StringInput($line), $output));
            $said = json_decode($output->fetch(), true, flags: JSON_THROW_ON_ERROR);
            self::assertIsArray($said);
            self::assertSame(['error'], array_keys($said));
        }
    }

    public function testTheVersionIsNamed(): void
    {
        self::assertMatchesRegularExpression('/^larder \S*\w/', Application::create()->getLongVersion());
        self::assertNotSame('UNKNOWN', Application::create()->getVersion());
    }

    public function testAnErrorOfRightsNamesTheRemedy(): void
    {
        if (posix_geteuid() !== 0) {
            self::markTestSkipped('needs root, to be another user');
        }
        $this->news->get('/news/4');
        chmod($this->news->directory->path . '/site.sqlite', 0o666);
        foreach (['-wal', '-shm'] as $suffix) {
            @chmod($this->news->directory->path . '/site.sqlite' . $suffix, 0o666);
        }
        $process = new Process([
            'setpriv', '--reuid=www-data', '--regid=www-data', '--clear-groups', PHP_BINARY,
            __DIR__ . '/../../bin/larder', 'flush', '--site=' . $this->news->directory->path . '/larder.php',
        ]);

        self::assertSame(1, $process->run());
        self::assertMatchesRegularExpression(
            '/belongs to root and this process is www-data: run it as root, or give the directory to www-data/',
            (string) preg_replace('/\s+/', ' ', $process->getErrorOutput()),
        );
    }

    public function testNginxConfigPrintsTheGeneratorsText(): void
    {
        $front = $this->news->directory->path . '/index.php';
        touch($front);
        [$code, $text] = $this->txt(
            'nginx:config',
            ['--listen' => ['127.0.0.1:8080'], '--php' => '/run/php.sock', '--front' => $front],
        );

        self::assertSame(0, $code);
        self::assertStringContainsString('listen 127.0.0.1:8080', $text);
        self::assertStringContainsString('unix:/run/php.sock', $text);
        self::assertStringContainsString('return 444;', $text);
        self::assertSame(2, $this->txt('nginx:config')[0]);

        $print = fn(string $option, string|bool $value): array => $this->txt(
            'nginx:config',
            [$option => $value, '--front' => $front],
        );
        self::assertStringNotContainsString('return 444;', $print('--no-default-server', true)[1]);
        $http = $print('--part', 'http')[1];
        $server = $print('--part', 'server')[1];
        self::assertMatchesRegularExpression('/^(?:#.*\n|\n)*upstream /', $http);
        self::assertStringNotContainsString('location', (string) preg_replace('/^#.*$/m', '', $http));
        self::assertMatchesRegularExpression('/^location \/ \{/m', $server);
        self::assertDoesNotMatchRegularExpression('/^(?:server|map|listen)\b/m', $server);
        self::assertSame(2, $print('--part', 'other')[0]);
    }

    public function testAMissingOrWrongSiteFileIsNamed(): void
    {
        $file = $this->news->directory->path . '/larder.php';
        mkdir($this->news->directory->path . '/data');
        foreach ([
            '<?php return 5;' => 'returns int, not a',
            '<?php return new NoSuchSite();' => 'Class "NoSuchSite" not found, in ' . $file . ':1',
            '<?php return (' => "Unclosed '(', in $file:1",
            '<?php return Larder\Tests\Console\Installation::site(__DIR__, controllers: ["App\None"]);'
                => 'the controller App\None cannot be loaded. Does "autoload" in composer.json lead to its file?',
        ] as $code => $message) {
            file_put_contents($file, $code);
            [$exit, $said] = $this->json('deploy');
            self::assertSame(2, $exit);
            self::assertIsString($said['error']);
            self::assertStringContainsString($message, $said['error']);
        }
        unlink($file);
        [$exit, $text] = $this->txt('deploy');

        self::assertSame(2, $exit);
        self::assertStringContainsString("There is no file \"$file\"", $text);
    }

    public function testTheReferenceNamesEveryCommandAndOption(): void
    {
        $reference = (string) file_get_contents(\dirname(__DIR__, 4) . '/docs/reference/cli.md');
        foreach (Application::create()->all('') as $command) {
            if ($command instanceof SiteCommand) {
                self::assertStringContainsString('## larder ' . $command->getName(), $reference);
                foreach (array_keys($command->getDefinition()->getOptions()) as $option) {
                    self::assertStringContainsString('--' . $option, $reference);
                }
            }
        }
    }

    /**
     * @param array<string, mixed> $input
     *
     * @return array{int, array<array-key, mixed>}
     */
    private function json(string $command, array $input = []): array
    {
        [$code, $text] = $this->txt($command, $input + ['--format' => 'json']);
        $values = json_decode($text, true, flags: JSON_THROW_ON_ERROR);
        self::assertIsArray($values);

        return [$code, $values];
    }

    /**
     * @param array<string, mixed> $input
     *
     * @return array{int, string}
     */
    private function txt(string $command, array $input = []): array
    {
        $tester = new CommandTester(Application::create()->find($command));
        $code = $tester->execute($input + ['--site' => $this->news->directory->path . '/larder.php']);

        return [$code, $tester->getDisplay()];
    }
}
