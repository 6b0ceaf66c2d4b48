<?php

declare(strict_types=1);

namespace Larder\Tests\Readme;

use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/**
 * Runs front controllers that the documentation shows over the site of example, as a request for /news/4 that nginx
 * found no page for.
 */
#[CoversNothing]
final class HowToTest extends TestCase
{
    private const ROOT = __DIR__ . '/../..';
    private const GUIDE = self::ROOT . '/docs/how-to/front-controller.md';

    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    /** Plain PHP, and PSR-15. */
    #[TestWith([1])]
    #[TestWith([2])]
    public function testAFrontStoresThePage(int $number): void
    {
        $guide = (string) file_get_contents(self::GUIDE);
        self::assertSame(2, substr_count($guide, "```php\n// public/index.php\n"), 'each front of the guide is run');
        $request = $this->request(self::GUIDE, fronts: $number);

        self::assertSame('', $request->getErrorOutput());
        self::assertStringContainsString('<h1>Four</h1>', $request->getOutput());
        self::assertStringContainsString(
            '<h1>Four</h1>',
            (string) @file_get_contents($this->directory->path . '/var/pages/current/news/4~page'),
        );
    }

    public function testTheFrontOfTheMetricsTellsWhatWasCounted(): void
    {
        $this->request(self::GUIDE, fronts: 1);
        $metrics = $this->request(self::ROOT . '/docs/reference/metrics.md');
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

    /**
     * Runs the last file of a guide, beside the files of example.
     *
     * @param int|null $fronts which of the guide's files count, from the first on; null: all
     */
    private function request(string $guide, string $user = '', ?int $fronts = null): Process
    {
        foreach (['larder.php', 'NewsController.php'] as $name) {
            copy(self::ROOT . '/example/' . $name, $this->directory->path . '/' . $name);
        }
        $scripts = [];
        $text = (string) file_get_contents($guide);
        preg_match_all('~^```php\n// (\S+)\n(.+?)^```$~ms', $text, $blocks, PREG_SET_ORDER);
        foreach (\array_slice($blocks, 0, $fronts) as [, $name, $code]) {
            @mkdir(\dirname($this->directory->path . '/' . $name));
            file_put_contents($this->directory->path . '/' . $name, "<?php\n" . $code);
            $scripts[] = $name;
        }
        $prepare = <<<'PHP'
            require $argv[1] . '/vendor/autoload.php';
            $isNew = @mkdir('var/data', recursive: true);
            @mkdir('vendor');
            touch('vendor/autoload.php');
            spl_autoload_register(static fn(string $class) => require getcwd() . '/' . $class . '.php');
            $site = require 'larder.php';
            $database = Larder\Page\Pages::of($site)->connect();
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
