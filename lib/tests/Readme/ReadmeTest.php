<?php

declare(strict_types=1);

namespace Larder\Tests\Readme;

use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/**
 * Runs what README.md shows: its PHP blocks, each under the file name in its first line, and the help of its commands.
 */
#[CoversNothing]
final class ReadmeTest extends TestCase
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

    public function testItsCodeStoresAPageAndItsChangeDropsIt(): void
    {
        preg_match_all('~^```php\n// (\S+)\n(.+?)^```$~ms', self::readme(), $blocks, \PREG_SET_ORDER);
        self::assertCount(substr_count(self::readme(), "\n```php\n"), $blocks, 'each block starts with its file name');
        mkdir($this->directory->path . '/public');
        mkdir($this->directory->path . '/vendor');
        touch($this->directory->path . '/vendor/autoload.php');
        foreach ($blocks as [, $name, $code]) {
            file_put_contents($this->directory->path . '/' . $name, "<?php\n" . $code);
        }

        $example = new Process(
            [
                \PHP_BINARY, '-d', 'error_log=log', __DIR__ . '/run-example.php', self::ROOT . '/vendor/autoload.php',
                'NewsController',
            ],
            $this->directory->path,
        );
        $example->run();

        self::assertSame('', $example->getErrorOutput());
        self::assertSame(
            "stored\ngone\nNew title\n" . '[{"id":4,"title":"New title"}]' . "\n",
            $example->getOutput(),
        );
    }

    public function testItShowsTheFilesOfTheExampleAsTheyAre(): void
    {
        $head = "<?php\n\ndeclare(strict_types=1);\n\n";
        foreach (['larder.php', 'NewsController.php', 'public/index.php', 'rename.php'] as $name) {
            $file = (string) file_get_contents(self::ROOT . '/lib/example/' . $name);
            self::assertStringStartsWith($head, $file);
            self::assertStringContainsString(
                "\n```php\n// $name\n" . substr($file, \strlen($head)) . "```\n",
                self::readme(),
            );
        }
    }

    public function testItsCommandsExplainThemselves(): void
    {
        preg_match_all('~^    (script/\S+)~m', self::readme(), $commands);
        self::assertNotEmpty($commands[1]);
        foreach (array_unique($commands[1]) as $command) {
            $help = new Process([self::ROOT . '/' . $command, '--help'], $this->directory->path);
            self::assertSame(0, $help->run(), $help->getErrorOutput());
            self::assertStringContainsStringIgnoringCase('usage', $help->getOutput());
        }
    }

    private static function readme(): string
    {
        return (string) file_get_contents(self::ROOT . '/README.md');
    }
}
