<?php

declare(strict_types=1);

namespace Larder\Tests\Readme;

use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/**
 * Runs the PHP of docs/how-to over the site that README.md describes, as a request for /news/4 that nginx found no page
 * for.
 */
#[CoversNothing]
final class HowToTest extends TestCase
{
    private const ROOT = __DIR__ . '/../../..';

    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    /** @return iterable<string, array{string}> */
    public static function guides(): iterable
    {
        foreach ((array) glob(self::ROOT . '/docs/how-to/*.md') as $file) {
            // Those of the bench, memcached, the cache, connections and stores have tests of their own. Some
            // show pieces only, and name no file.
            if (
                !\in_array(
                    basename((string) $file),
                    [
                        'measure.md', 'memcached.md', 'from-ext-memcached.md', 'from-pecl-memcache.md', 'stampede.md',
                        'which-store.md', 'psr.md', 'transactions.md', 'many.md', 'dbal-and-mysqli.md',
                        'metrics.md', 'dashboard.md', 'contexts.md', 'own-store.md', 'workers-and-threads.md',
                        'rows.md', 'parts.md', 'sessions.md', 'follow.md',
                    ],
                    true,
                )
                && str_contains((string) file_get_contents((string) $file), "```php\n// ")
            ) {
                yield basename((string) $file) => [(string) $file];
            }
        }
    }

    #[DataProvider('guides')]
    public function testItsCodeStoresThePage(string $guide): void
    {
        $request = $this->request($guide);

        self::assertSame('', $request->getErrorOutput());
        self::assertStringContainsString('<h1>Four</h1>', $request->getOutput());
        self::assertStringContainsString(
            '<h1>Four</h1>',
            (string) @file_get_contents($this->directory->path . '/var/pages/current/news/4~page'),
        );
    }

    public function testTheFrontOfTheMetricsTellsWhatWasCounted(): void
    {
        $this->request(self::ROOT . '/docs/how-to/plain-php.md');
        $metrics = $this->request(self::ROOT . '/docs/how-to/metrics.md');
        $host = '{host="' . gethostname() . '"}';

        self::assertSame('', $metrics->getErrorOutput());
        self::assertStringContainsString(
            "\nlarder_page_requests_total{result=\"stored\",host=\"" . gethostname() . "\"} 1\n",
            $metrics->getOutput(),
        );
        self::assertStringContainsString(
            "\nlarder_page_render_duration_seconds_count{route=\"NewsController\",host=\"" . gethostname() . "\"} 1\n",
            $metrics->getOutput(),
        );
        self::assertStringContainsString("\nlarder_ledger_up$host 1\n", $metrics->getOutput());
        self::assertStringContainsString("\nlarder_pages$host 1\n", $metrics->getOutput());
    }

    public function testTheFrontOfTheDashboardLetsInWhomItNames(): void
    {
        $guide = self::ROOT . '/docs/how-to/dashboard.md';

        self::assertStringNotContainsString('<title>', $this->request($guide)->getOutput());
        self::assertStringNotContainsString('<title>', $this->request($guide, 'eve')->getOutput());
        self::assertStringContainsString('<title>Larder: news</title>', $this->request($guide, 'admin')->getOutput());
    }

    /** Runs the last file of a guide, beside those of README.md. */
    private function request(string $guide, string $user = ''): Process
    {
        $scripts = [];
        foreach ([self::ROOT . '/README.md', $guide] as $file) {
            preg_match_all(
                '~^```php\n// (\S+)\n(.+?)^```$~ms',
                (string) file_get_contents($file),
                $blocks,
                PREG_SET_ORDER,
            );
            foreach ($blocks as [, $name, $code]) {
                @mkdir(\dirname($this->directory->path . '/' . $name));
                file_put_contents($this->directory->path . '/' . $name, "<?php\n" . $code);
                $scripts[] = $name;
            }
        }
        $prepare = <<<'PHP'
            require $argv[1] . '/vendor/autoload.php';
            $isNew = @mkdir('var');
            @mkdir('vendor');
            touch('vendor/autoload.php');
            spl_autoload_register(static fn(string $class) => require getcwd() . '/' . $class . '.php');
            $site = require 'larder.php';
            $database = ($site->connect)();
            if ($isNew) {
                $database->exec('CREATE TABLE news (id INTEGER PRIMARY KEY, category TEXT, title TEXT)');
                $database->exec("INSERT INTO news VALUES (4, 'net', 'Four')");
                Larder\Page\Pages::of($site)->deploy();
            }
            require end($argv);
            PHP;
        $request = new Process(
            [PHP_BINARY, '-r', $prepare, '--', self::ROOT, array_pop($scripts)],
            $this->directory->path,
            [
                'LARDER_PAGE' => '/news/4',
                'REQUEST_METHOD' => 'GET',
                'REQUEST_URI' => '/news/4',
                'REMOTE_USER' => $user,
            ],
        );
        $request->run();

        return $request;
    }
}
