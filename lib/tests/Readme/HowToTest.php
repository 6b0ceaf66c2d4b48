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
            // The guides to the bench, to memcached, to the cache and to connections have tests of their own.
            if (
                !\in_array(
                    basename((string) $file),
                    [
                        'measure.md', 'memcached.md', 'from-ext-memcached.md', 'from-pecl-memcache.md', 'stampede.md',
                        'which-store.md', 'psr.md', 'transactions.md', 'many.md', 'dbal-and-mysqli.md',
                    ],
                    true,
                )
                && str_contains((string) file_get_contents((string) $file), "```php\n")
            ) {
                yield basename((string) $file) => [(string) $file];
            }
        }
    }

    #[DataProvider('guides')]
    public function testItsCodeStoresThePage(string $guide): void
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
            mkdir('var');
            mkdir('vendor');
            touch('vendor/autoload.php');
            spl_autoload_register(static fn(string $class) => require getcwd() . '/' . $class . '.php');
            $site = require 'larder.php';
            $database = ($site->connect)();
            $database->exec('CREATE TABLE news (id INTEGER PRIMARY KEY, category TEXT, title TEXT)');
            $database->exec("INSERT INTO news VALUES (4, 'net', 'Four')");
            Larder\Page\Pages::of($site)->deploy();
            require end($argv);
            PHP;
        $request = new Process(
            [PHP_BINARY, '-r', $prepare, '--', self::ROOT, array_pop($scripts)],
            $this->directory->path,
            ['LARDER_PAGE' => '/news/4', 'REQUEST_METHOD' => 'GET', 'REQUEST_URI' => '/news/4'],
        );
        $request->run();

        self::assertSame('', $request->getErrorOutput());
        self::assertStringContainsString('<h1>Four</h1>', $request->getOutput());
        self::assertStringContainsString(
            '<h1>Four</h1>',
            (string) @file_get_contents($this->directory->path . '/var/pages/current/news/4~page'),
        );
    }
}
