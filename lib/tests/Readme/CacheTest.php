<?php

declare(strict_types=1);

namespace Larder\Tests\Readme;

use Larder\Proof\Support\Extension;
use Larder\Testbed\Server\Ports;
use Larder\Testbed\Server\Program;
use Larder\Testbed\Server\Redis;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Store\MemcachedServers;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/** Does what the pages on the cache say, and compares what they show. */
#[CoversNothing]
final class CacheTest extends TestCase
{
    private const ROOT = __DIR__ . '/../../..';

    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        mkdir($this->directory->path . '/vendor');
        file_put_contents(
            $this->directory->path . '/vendor/autoload.php',
            '<?php require_once ' . var_export(realpath(self::ROOT . '/vendor/autoload.php'), true) . ';',
        );
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testTheTutorialShowsWhatHappens(): void
    {
        $tutorial = self::page('tutorial/cache.md');
        preg_match_all('~^```(php|console)\n(.+?)^```$~ms', $tutorial, $blocks, PREG_SET_ORDER);
        self::assertCount(substr_count($tutorial, "\n```php\n") + substr_count($tutorial, "\n```console\n"), $blocks);
        $shown = $happened = '';
        foreach ($blocks as [, $kind, $text]) {
            if ($kind === 'php') {
                $this->write($text);
                continue;
            }
            $shown .= $text;
            preg_match_all('~^\$ (.+)$~m', $text, $commands);
            foreach ($commands[1] as $command) {
                $happened .= "$ $command\n" . $this->shell($command)->mustRun()->getOutput();
            }
        }

        self::assertSame($shown, $happened);
    }

    public function testTheTutorialRunsWithoutTheExtensionToo(): void
    {
        preg_match_all('~^```php\n(.+?)^```$~ms', self::page('tutorial/cache.md'), $blocks);
        array_map($this->write(...), $blocks[1]);
        $process = new Process([PHP_BINARY, '-n', 'news.php'], $this->directory->path);
        $process->run();

        self::assertSame(
            "reading it\nOld title\nreading it\nOld title\nreading it\nNew title\n",
            $process->getOutput(),
        );
        self::assertStringContainsString(
            'Larder warning: Nothing is cached in shared memory: the PHP extension larder is not loaded.',
            $process->getErrorOutput(),
        );
    }

    #[TestWith(['explanation/cache.md'])]
    #[TestWith(['how-to/many.md'])]
    #[TestWith(['how-to/psr.md'])]
    #[TestWith(['how-to/transactions.md'])]
    public function testExamplesPrintWhatTheyShow(string $page): void
    {
        preg_match_all('~^```php\n(.+?)^```\n\n```text\n(.+?)^```$~ms', self::page($page), $examples, PREG_SET_ORDER);
        self::assertCount(
            substr_count(self::page($page), "\n```php\n"),
            $examples,
            'each example shows what it prints',
        );
        foreach ($examples as [, $code, $shown]) {
            $process = $this->shell('php ' . $this->write($code));
            $process->run();

            self::assertSame([$shown, ''], [$process->getOutput(), $process->getErrorOutput()], $page);
        }
    }

    /** With servers and without. */
    #[TestWith([true])]
    #[TestWith([false])]
    public function testEveryStoreOfTheGuideWorks(bool $serve): void
    {
        preg_match('~^```php\n(.+?)^```\n\n```text\n(.+?)^```$~ms', self::page('how-to/which-store.md'), $example);
        self::assertArrayHasKey(2, $example);
        $memcached = $serve && Program::find('memcached') !== null ? new MemcachedServers(2) : null;
        $redis = $serve && Program::find('redis-server') !== null ? new Redis($this->directory->path . '/redis') : null;
        try {
            $places = [
                '127.0.0.1:11211' => $memcached?->address(0) ?? '127.0.0.1:' . Ports::free(),
                '127.0.0.1:11212' => $memcached?->address(1) ?? '127.0.0.1:' . Ports::free(),
                '127.0.0.1:6379' => $redis === null ? '127.0.0.1:' . Ports::free() : $redis->endpoint()->address(),
            ];
            $name = $this->write(strtr(self::firstLine($example[1], "require 'vendor/autoload.php';"), $places));
            self::assertSame($example[2], $this->shell("php $name")->mustRun()->getOutput());
        } finally {
            $memcached?->stop();
            $redis?->stop();
        }
    }

    /** The wrapped query is made once, and watched. */
    public function testTheSlowQueryIsMadeOnce(): void
    {
        preg_match_all('~^```php\n// (\S+)\n(.+?)^```$~ms', self::page('how-to/stampede.md'), $blocks);
        $code = array_combine($blocks[1], $blocks[2]);
        self::assertSame(['before.php', 'after.php', 'watched.php'], array_keys($code));
        $uses = "use Larder\\Cache;\nuse Larder\\Cache\\Analysis\\AccessLog;\n";
        $name = $this->write(
            "// all.php\n$uses"
                . "require 'vendor/autoload.php';\n\$store = new Larder\\Store\\ArrayStore();\n\$made = 0;\n\$query = "
                . "function () use (&\$made): array { ++\$made; return ['apple']; };\n"
            . str_replace(['oneIn: 10', $uses], ['oneIn: 1', ''], $code['watched.php'])
            . str_repeat($code['after.php'], 2) . "\$cache->delete('top sellers');\n"
                . str_repeat($code['before.php'], 2)
            . 'echo $made, " ", implode($rows), "\n";',
        );
        self::assertSame("2 apple\n", $this->shell("php $name")->mustRun()->getOutput());
        self::assertStringContainsString(
            "\ntop sellers ",
            $this->shell('larder cache:analyse access.log')->mustRun()->getOutput(),
        );
    }

    /** The guide shows what Larder\Tests\Console\CacheAnalyseTest compares with the command. */
    public function testTheGuideShowsWhatAnalysePrints(): void
    {
        preg_match('~^```text\n(.+?)^```$~ms', self::page('how-to/stampede.md'), $shown);
        self::assertArrayHasKey(1, $shown);
        $test = (string) file_get_contents(__DIR__ . '/../Console/CacheAnalyseTest.php');
        foreach (explode("\n", trim($shown[1])) as $line) {
            self::assertStringContainsString($line, $test);
        }
    }

    public function testTheReferenceSaysWhatTheCodeSays(): void
    {
        $check = new Process([PHP_BINARY, '-n', self::ROOT . '/tools/reference-docs', '--check']);

        self::assertSame(0, $check->run(), $check->getErrorOutput());
    }

    public function testTheReadmeShowsWhatHappens(): void
    {
        preg_match(
            '~^```php\n(// top\.php\n.+?)^```$~ms',
            (string) file_get_contents(self::ROOT . '/README.md'),
            $block,
        );
        self::assertArrayHasKey(1, $block);
        preg_match_all('~^echo .*// (.+)$~m', $block[1], $comments);
        self::assertNotEmpty($comments[1]);

        self::assertSame(
            implode("\n", $comments[1]) . "\n",
            $this->shell('php ' . $this->write($block[1]))->mustRun()->getOutput(),
        );
    }

    #[TestWith(['tutorial/cache.md'])]
    #[TestWith(['explanation/cache.md'])]
    #[TestWith(['how-to/stampede.md'])]
    #[TestWith(['how-to/which-store.md'])]
    #[TestWith(['how-to/from-symfony-and-laravel.md'])]
    #[TestWith(['how-to/psr.md'])]
    #[TestWith(['how-to/transactions.md'])]
    #[TestWith(['reference/cache.md'])]
    #[TestWith(['reference/pages.md'])]
    #[TestWith(['tutorial/your-site.md'])]
    #[TestWith(['how-to/plain-php.md'])]
    #[TestWith(['how-to/production.md'])]
    #[TestWith(['how-to/nginx.md'])]
    #[TestWith(['results.md'])]
    #[TestWith(['README.md'])]
    #[TestWith(['../README.md'])]
    public function testLinksLeadToPages(string $page): void
    {
        preg_match_all('~\]\(([^)#:]+)(?:#([^)]*))?\)~', self::page($page), $links, PREG_SET_ORDER);
        self::assertNotEmpty($links);
        foreach ($links as $link) {
            $file = self::ROOT . '/docs/' . \dirname($page) . '/' . $link[1];
            self::assertFileExists($file);
            preg_match_all('~^#+ (.+)$~m', is_file($file) ? (string) file_get_contents($file) : '', $headings);
            $anchors = array_map(
                static fn(string $heading): string => (string) preg_replace(
                    '~[^\w -]~u',
                    '',
                    str_replace(' ', '-', strtolower($heading)),
                ),
                $headings[1],
            );
            self::assertContains($link[2] ?? '', [...$anchors, '']);
        }
    }

    /** A line after the file's name. */
    private static function firstLine(string $code, string $line): string
    {
        return (string) preg_replace('~^(// \S+\n(?:use .+\n|\n)*)~', '$1' . $line . "\n", $code);
    }

    /** @return string the file's name, which is in the code's first line */
    private function write(string $code): string
    {
        self::assertSame(1, preg_match('~^// (\S+)\n~', $code, $name), 'each block starts with its file name');
        file_put_contents($this->directory->path . '/' . $name[1], "<?php\n" . $code);

        return $name[1];
    }

    /** A line of a page, where `php` has the extension and a segment, and `larder` is the checkout's. */
    private function shell(string $command): Process
    {
        $php = Extension::process([
            'larder.directory' => $this->directory->path,
            'larder.size' => '4M',
        ])->getCommandLine();
        $functions = "php() { $php -d larder.name=site \"\$@\"; }; larder() { $php "
            . escapeshellarg(self::ROOT . '/lib/bin/larder') . ' "$@"; }; ';

        return Process::fromShellCommandline($functions . $command, $this->directory->path, timeout: 600);
    }

    private static function page(string $path): string
    {
        return (string) file_get_contents(self::ROOT . '/docs/' . $path);
    }
}
