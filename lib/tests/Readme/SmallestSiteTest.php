<?php

declare(strict_types=1);

namespace Larder\Tests\Readme;

use Larder\Proof\Support\TypedCommands;
use Larder\Testbed\Server\Ports;
use Larder\Testbed\Server\Program;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/**
 * Types the commands of README.md's smallest site in an empty directory, but the first, which installs Debian's
 * packages: `tools/first-use` does that one too.
 */
#[CoversNothing]
final class SmallestSiteTest extends TestCase
{
    private const ROOT = __DIR__ . '/../../..';
    private const COMMANDS = 12;

    private TemporaryDirectory $directory;

    private string $path;

    private TypedCommands $shell;

    protected function setUp(): void
    {
        self::assertSame(0, posix_geteuid(), 'the README asks for root');
        $this->directory = new TemporaryDirectory('larder-smallest');
        $this->path = $this->directory->path . '/news';
        mkdir($this->path);
        mkdir($this->directory->path . '/larder');
        $root = (string) realpath(self::ROOT);
        // A composer.json with the path of this checkout, and no var/ of somebody who tried the example in place.
        (new Process(['cp', '-r', "$root/lib", $this->directory->path . '/larder/lib']))->mustRun();
        $this->shell = new TypedCommands($this->directory->path, $this->path, [
            '/opt/larder' => $this->directory->path . '/larder',
            '127.0.0.1:8080' => '127.0.0.1:' . Ports::free(),
            'php-fpm8.2' => Program::phpFpm(),
        ]);
        $composer = $this->directory->path . '/larder/lib/example/composer.json';
        file_put_contents($composer, strtr((string) file_get_contents($composer), $this->shell->here));
    }

    protected function tearDown(): void
    {
        $this->shell->stop('var');
        $this->directory->remove();
    }

    public function testTwelveCommandsLeadToAPageOutOfThePageStore(): void
    {
        $readme = (string) file_get_contents(self::ROOT . '/README.md');
        self::assertSame(1, preg_match('~^```console\n(.+?)\n```$~ms', $readme, $block));
        $commands = explode("\n", $block[1]);
        self::assertLessThanOrEqual(self::COMMANDS, \count($commands));
        self::assertStringStartsWith('apt-get install ', array_shift($commands));

        $answers = [];
        foreach ($commands as $command) {
            $answers[] = $this->type($command);
        }

        [$miss, $hit] = \array_slice($answers, -2);
        self::assertStringContainsString("\nCache-Status: larder; fwd=miss; stored\n", $miss);
        self::assertStringContainsString("\nCache-Status: larder; hit\n", $hit);
        self::assertStringContainsString('<h1>Old title</h1>2 in this category', $hit);

        $this->type('php rename.php');
        $changed = $this->type((string) end($commands));
        self::assertStringContainsString("\nCache-Status: larder; fwd=miss; stored\n", $changed);
        self::assertStringContainsString('<h1>New title</h1>', $changed);
    }

    private function type(string $command): string
    {
        $process = $this->shell->type($command);
        self::assertSame(0, $process->getExitCode(), $command . "\n" . $process->getErrorOutput());

        return str_replace("\r", '', $process->getOutput());
    }
}
