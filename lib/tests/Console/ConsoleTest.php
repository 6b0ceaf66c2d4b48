<?php

declare(strict_types=1);

namespace Larder\Tests\Console;

use Larder\Console\Application;
use Larder\Console\DependencyExplanation;
use Larder\Console\DeployCommand;
use Larder\Console\DoctorCommand;
use Larder\Console\Examination;
use Larder\Console\ExplainCommand;
use Larder\Console\FlushCommand;
use Larder\Console\NginxConfigCommand;
use Larder\Console\PageExplanation;
use Larder\Console\SiteCommand;
use Larder\Console\StatsCommand;
use Larder\Page\PageDirectory;
use Larder\Page\Response;
use Larder\Tests\Support\NewsSite;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Console\Tester\CommandTester;

#[CoversClass(Application::class)]
#[CoversClass(SiteCommand::class)]
#[CoversClass(DeployCommand::class)]
#[CoversClass(ExplainCommand::class)]
#[CoversClass(PageExplanation::class)]
#[CoversClass(DependencyExplanation::class)]
#[CoversClass(StatsCommand::class)]
#[CoversClass(FlushCommand::class)]
#[CoversClass(DoctorCommand::class)]
#[CoversClass(Examination::class)]
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

        self::assertSame([0, 1, 2, 8192], [$code, $stats['pages'], $stats['edges'], $stats['bytes']]);
        self::assertSame(['larder_page_stores_total' => 1], $stats['counters']);
        self::assertStringContainsString('1 pages with 2 edges', $this->txt('stats')[1]);
    }

    public function testFlushTakesEveryPageAway(): void
    {
        $this->news->get('/news/4');

        self::assertSame([0, ['pages' => 1]], $this->json('flush'));
        self::assertFalse($this->news->stores('/news/4'));
        self::assertSame([0, ['pages' => 0]], $this->json('flush'));
    }

    public function testDeployNamesTheReleaseAndItsControllers(): void
    {
        $this->news->get('/news/4');
        [$code, $deployed] = $this->json('deploy', ['--release' => 'next']);

        self::assertSame([0, 'next'], [$code, $deployed['release']]);
        self::assertSame('r/next', readlink($this->news->site->pages . '/current'));
        self::assertFalse($this->news->stores('/news/4'));
        self::assertSame('larder; fwd=miss; stored', $this->news->get('/news/4')->header('cache-status'));
    }

    public function testDeployRefusesANameThatIsNoDirectory(): void
    {
        [$code, $text] = $this->txt('deploy', ['--release' => '../up']);

        self::assertSame(2, $code);
        self::assertStringContainsString('"../up" is not a release', $text);
    }

    public function testDoctorIsContentWithAHealthySite(): void
    {
        $this->news->get('/news/4');
        [$code, $found] = $this->json('doctor');

        self::assertSame([0, true], [$code, $found['healthy']], json_encode($found, JSON_THROW_ON_ERROR));
    }

    /** @return iterable<string, array{callable(NewsSite): mixed, string}> */
    public static function ills(): iterable
    {
        yield 'no list' => [static fn(NewsSite $news) => unlink($news->site->list), 'run larder deploy'];
        yield 'a page that nobody registered' => [static function (NewsSite $news): void {
            mkdir($news->site->pages . '/current/stray', recursive: true);
            touch($news->site->pages . '/current/stray/4~page');
        }, 'run larder flush'];
        yield 'a declared table that is a view' => [
            static fn(NewsSite $news) => $news->database->exec(
                'ALTER TABLE comment RENAME TO c; CREATE VIEW comment AS SELECT * FROM c',
            ),
            'it is a view',
        ];
        yield 'a column that is not there' => [
            static fn(NewsSite $news) => $news->database->exec('ALTER TABLE comment DROP COLUMN news_id'),
            'no such column',
        ];
        yield 'no ledger' => [
            static fn(NewsSite $news) => $news->database->exec('DROP TABLE larder_ledger'),
            'no such table',
        ];
        yield 'another ledger\'s pages' => [
            static fn(NewsSite $news) => file_put_contents($news->site->pages . '/ledger', 'x'),
            'run larder flush',
        ];
        yield 'another release' => [static fn(NewsSite $news) => $news->ledger('r2')->deploy(), 'run larder deploy'];
    }

    /** @param callable(NewsSite): mixed $harm */
    #[DataProvider('ills')]
    public function testDoctorNamesTheIllAndTheRemedy(callable $harm, string $remedy): void
    {
        $harm($this->news);
        [$code, $text] = $this->txt('doctor');

        self::assertSame(1, $code);
        self::assertMatchesRegularExpression('/^failed .*' . preg_quote($remedy, '/') . '/m', $text);
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
        self::assertSame(2, $this->txt('nginx:config')[0]);
    }

    public function testAMissingOrWrongSiteFileIsNamed(): void
    {
        $command = Application::create()->find('stats');
        $tester = new CommandTester($command);

        self::assertSame(2, $tester->execute(['--site' => '/none/larder.php']));
        self::assertStringContainsString('There is no file "/none/larder.php"', $tester->getDisplay());
        file_put_contents($this->news->directory->path . '/wrong.php', '<?php return 5;');
        self::assertSame(2, $tester->execute(['--site' => $this->news->directory->path . '/wrong.php']));
        self::assertStringContainsString('returns int, not a', $tester->getDisplay());
    }

    public function testTheReferenceNamesEveryCommandAndOption(): void
    {
        $reference = (string) file_get_contents(\dirname(__DIR__, 3) . '/docs/reference/cli.md');
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
