<?php

declare(strict_types=1);

namespace Larder\Tests\Readme;

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
    private const ROOT = __DIR__ . '/../..';

    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testTheTutorialRunsWithoutTheExtensionToo(): void
    {
        $tutorial = new ShownPage('docs/tutorial/cache.md', $this->directory->path);
        array_map($tutorial->write(...), $tutorial->code());
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

    /** With servers and without. */
    #[TestWith([true])]
    #[TestWith([false])]
    public function testEveryStoreOfTheGuideWorks(bool $serve): void
    {
        $memcached = $serve && Program::find('memcached') !== null ? new MemcachedServers(2) : null;
        $redis = $serve && Program::find('redis-server') !== null ? new Redis($this->directory->path . '/redis') : null;
        try {
            $places = [
                '127.0.0.1:11211' => $memcached?->address(0) ?? '127.0.0.1:' . Ports::free(),
                '127.0.0.1:11212' => $memcached?->address(1) ?? '127.0.0.1:' . Ports::free(),
                '127.0.0.1:6379' => $redis === null ? '127.0.0.1:' . Ports::free() : $redis->endpoint()->address(),
            ];
            $guide = new ShownPage('docs/how-to/which-store.md', $this->directory->path, $places);
            preg_match('~^```php\n(.+?)^```\n\n```text\n(.+?)^```$~ms', $guide->text, $example);
            $name = $guide->write(self::firstLine($example[1] ?? '', "require 'vendor/autoload.php';"));
            self::assertSame($example[2] ?? '', $guide->shell("php $name")->mustRun()->getOutput());
        } finally {
            $memcached?->stop();
            $redis?->stop();
        }
    }

    /** The wrapped query is made once, and watched. */
    public function testTheSlowQueryIsMadeOnce(): void
    {
        $guide = new ShownPage('docs/how-to/stampede.md', $this->directory->path);
        preg_match_all('~^```php\n// (\S+)\n(.+?)^```$~ms', $guide->text, $blocks);
        $code = array_combine($blocks[1], $blocks[2]);
        self::assertSame(['before.php', 'after.php', 'cache.php', 'watched.php'], array_keys($code));
        $uses = "use Larder\\Cache;\nuse Larder\\Cache\\Analysis\\AccessLog;\n";
        $name = $guide->write(
            "// all.php\n$uses"
                . "require 'vendor/autoload.php';\n\$store = new Larder\\Store\\ArrayStore();\n\$made = 0;\n\$query = "
                . "function () use (&\$made): array { ++\$made; return ['apple']; };\n"
            . str_replace(['oneIn: 10', $uses], ['oneIn: 1', ''], $code['watched.php'])
            . str_repeat($code['after.php'], 2) . "\$cache->delete('top sellers');\n"
                . str_repeat($code['before.php'], 2)
            . 'echo $made, " ", implode($rows), "\n";',
        );
        self::assertSame("2 apple\n", $guide->shell("php $name")->mustRun()->getOutput());
        self::assertStringContainsString(
            "\ntop sellers ",
            $guide->shell('larder cache:analyse access.log')->mustRun()->getOutput(),
        );
    }

    /** The guide shows what Larder\Tests\Console\CacheAnalyseTest compares with the command. */
    public function testTheGuideShowsWhatAnalysePrints(): void
    {
        preg_match('~^```text\n(.+?)^```$~ms', ShownPage::read('docs/how-to/stampede.md'), $shown);
        self::assertArrayHasKey(1, $shown);
        $test = (string) file_get_contents(__DIR__ . '/../../packages/console/tests/Console/CacheAnalyseTest.php');
        foreach (explode("\n", trim($shown[1])) as $line) {
            self::assertStringContainsString($line, $test);
        }
    }

    public function testTheReferenceSaysWhatTheCodeSays(): void
    {
        $check = new Process([PHP_BINARY, '-n', self::ROOT . '/tools/reference-docs', '--check']);

        self::assertSame(0, $check->run(), $check->getErrorOutput());
    }

    /** A line after the file's name. */
    private static function firstLine(string $code, string $line): string
    {
        return (string) preg_replace('~^(// \S+\n(?:use .+\n|\n)*)~', '$1' . $line . "\n", $code);
    }

}
