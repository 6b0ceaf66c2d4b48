<?php

declare(strict_types=1);

namespace Larder\Tests\Console\Warm;

use Larder\Console\Application;
use Larder\Console\HttpServer;
use Larder\Console\Warm\HttpRequests;
use Larder\Console\WarmCommand;
use Larder\Proof\Support\NewsSite;
use Larder\Testbed\Site\RunningSite;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Console\Tester\CommandTester;

/** On nginx and php-fpm. */
#[CoversClass(HttpServer::class)]
#[CoversClass(HttpRequests::class)]
#[CoversClass(WarmCommand::class)]
final class WarmCommandTest extends TestCase
{
    private const FRONT = <<<'PHP'
        <?php
        require %s;
        $site = Larder\Proof\Support\NewsSite::describe((string) getenv('NEWS_DIRECTORY'));
        $uri = $_SERVER['REQUEST_URI'];
        Larder\Page\Pages::of($site)->plainFront(Larder\Page\Pages::of($site)->connect())->run(
            Larder\Proof\Support\NewsController::class,
            static function () use ($uri): void {
                file_put_contents(getenv('NEWS_DIRECTORY') . '/renders', $uri . "\n", FILE_APPEND);
                header('Content-Type: text/html; charset=utf-8');
                if ($uri === '/private') {
                    header('Cache-Control: private');
                }
                if ($uri === '/broken') {
                    http_response_code(500);
                }
                if ($uri === '/killed') {
                    posix_kill(getmypid(), 9);
                }
                echo $uri;
            },
        );
        PHP;

    private NewsSite $news;
    private RunningSite $servers;

    protected function setUp(): void
    {
        $this->news = new NewsSite();
        $path = $this->news->directory->path;
        file_put_contents($path . '/front.php', \sprintf(
            self::FRONT,
            var_export(\dirname(__DIR__, 4) . '/vendor/autoload.php', true),
        ));
        file_put_contents($path . '/larder.php', \sprintf(
            "<?php return \\%s::describe(%s);\n",
            NewsSite::class,
            var_export($path, true),
        ));
        $this->servers = RunningSite::start(
            $this->news->site,
            $path . '/run',
            $path . '/front.php',
            workers: 2,
            environment: ['NEWS_DIRECTORY' => $path],
            writable: [$path],
        );
        exec('chmod -R a+rwX ' . escapeshellarg($path));
    }

    protected function tearDown(): void
    {
        $this->servers->stop();
        $this->news->remove();
    }

    public function testItMakesTheListedPagesInTheirOrderAndSaysWhatBecameOfEach(): void
    {
        $list = $this->file(
            "/news/1\n/news/2?utm_source=x\n\n/list?page=2\n/news/1\n/private\n/broken\n/killed\n/news/../x\n/?no=1\n",
        );
        [$code, $answer, $progress] = $this->warm(['list' => $list, '--parallel' => '1']);
        $told = $answer['told'] ?? null;
        self::assertIsArray($told);
        unset($answer['told']);
        self::assertSame(
            ['pages' => 6, 'skipped' => 2, 'made' => 3, 'there' => 0, 'not_stored' => 1, 'failed' => 2],
            $answer,
        );
        self::assertSame(1, $code);
        self::assertSame(
            [['/private', 'not_stored', 200], ['/broken', 'failed', 500], ['/killed', 'failed', 503]],
            array_map(
                static fn(mixed $one): array => \is_array($one) ? [$one['uri'], $one['outcome'], $one['status']] : [],
                $told,
            ),
        );
        self::assertSame(
            ['/news/1', '/news/2', '/list?page=2', '/private', '/broken', '/killed'],
            explode("\n", trim((string) file_get_contents($this->news->directory->path . '/renders'))),
        );
        self::assertSame(
            [1, 2, 3, 4, 5, 6],
            array_map(intval(...), explode("\n", trim($progress))),
            $progress,
        );
        self::assertStringContainsString('6 of 6: 3 made, 0 there, 1 not stored, 2 failed', $progress);
        self::assertTrue($this->news->stores('/news/2'));

        [$code, $answer] = $this->warm(['list' => $this->file("/news/1\n/news/2\n/news/3\n")]);
        self::assertSame([0, 1, 2], [$code, $answer['made'], $answer['there']]);
    }

    public function testItTakesTheHottestOfALog(): void
    {
        $lines = '';
        foreach (['/news/1', '/news/2', '/news/2', '/feed?x=1', '/feed?x=1', '/feed?x=1'] as $uri) {
            $lines .= "::1 - - [23/Nov/2026:09:00:00 +0000] \"GET $uri HTTP/1.1\" 200 1 \"-\" \"-\"\n";
        }
        $input = ['--log' => $this->file($lines), '--top' => '1'];
        self::assertSame(['pages' => ['/news/2'], 'skipped' => 0], $this->warm($input + ['--dry-run' => true])[1]);
        self::assertFalse($this->news->stores('/news/2'));
        self::assertSame(1, $this->warm($input)[1]['made']);
        self::assertTrue($this->news->stores('/news/2'));
        self::assertFalse($this->news->stores('/news/1'));
    }

    public function testWithoutAServerEachPageFailsWithItsReason(): void
    {
        $list = $this->file("/news/1\n/news/2\n");
        $this->servers->nginx->pause();
        [$code, $answer] = $this->warm(['list' => $list, '--timeout' => '0.05']);
        $this->servers->nginx->resume();
        self::assertSame([1, 2], [$code, $answer['failed']]);
        self::assertStringContainsString('no answer within 0.05 s', (string) json_encode($answer['told']));
        $this->servers->nginx->stop();
        self::assertStringContainsString('Connection refused', (string) json_encode($this->warm(['list' => $list])[1]));
    }

    /** @param array<string, string> $input */
    #[TestWith([[], 'Name a file with a path a line'])]
    #[TestWith([['list' => '-', '--log' => 'x'], 'Name a file with a path a line'])]
    #[TestWith([['--log' => '/nowhere'], '"/nowhere" cannot be read'])]
    #[TestWith([['list' => '-', '--rate' => '0'], '--rate is a number of 0.001'])]
    #[TestWith([['list' => '-', '--parallel' => '65'], '--parallel is a number of 1 to 64'])]
    #[TestWith([['list' => '-', '--top' => 'x'], '--top is a number'])]
    #[TestWith([['list' => '-', '--to' => 'ftp://x'], '--to is where nginx listens'])]
    public function testWhatIsNotPossibleIsRefused(array $input, string $message): void
    {
        [$code, $answer] = $this->warm($input);
        self::assertSame(2, $code);
        self::assertIsString($answer['error'] ?? null);
        self::assertStringContainsString($message, $answer['error']);
    }

    private function file(string $lines): string
    {
        $file = $this->news->directory->path . '/' . bin2hex(random_bytes(4));
        file_put_contents($file, $lines);

        return $file;
    }

    /**
     * @param array<string, string|bool> $input
     *
     * @return array{int, array<array-key, mixed>, string} exit code, answer and progress
     */
    private function warm(array $input): array
    {
        $tester = new CommandTester(Application::create()->find('warm'));
        $code = $tester->execute($input + [
            '--site' => $this->news->directory->path . '/larder.php',
            '--to' => 'http://127.0.0.1:' . $this->servers->port,
            '--rate' => '1000',
            '--format' => 'json',
        ], ['capture_stderr_separately' => true]);
        $answer = json_decode($tester->getDisplay(), true, flags: JSON_THROW_ON_ERROR);
        self::assertIsArray($answer);

        return [$code, $answer, $tester->getErrorOutput()];
    }
}
