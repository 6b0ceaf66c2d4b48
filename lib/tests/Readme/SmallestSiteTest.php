<?php

declare(strict_types=1);

namespace Larder\Tests\Readme;

use Larder\Proof\Support\TypedCommands;
use Larder\Testbed\Server\Ports;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/**
 * Types the commands of README.md beside a checkout, but those that clone it and install Debian's packages:
 * `tools/first-use` does these too, as root and as another user.
 */
#[CoversNothing]
final class SmallestSiteTest extends TestCase
{
    private const ROOT = __DIR__ . '/../../..';

    private TemporaryDirectory $directory;

    private TypedCommands $shell;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory('larder-smallest');
        chmod($this->directory->path, 0o755);
        mkdir($this->directory->path . '/larder');
        $root = (string) realpath(self::ROOT);
        // Without var/ and vendor/ of somebody who tried the example in place.
        $copy = 'git ls-files -z lib | xargs -0 cp --parents -t "$0"';
        (new Process(['sh', '-c', $copy, $this->directory->path . '/larder'], $root))->mustRun();
        // Another checkout in /opt/larder is not the one that is tested.
        $composer = $this->directory->path . '/larder/lib/example/composer.json';
        $text = str_replace('{../larder,/opt/larder}', '../larder', (string) file_get_contents($composer), $count);
        self::assertSame(1, $count);
        file_put_contents($composer, $text);
        $this->shell = new TypedCommands($this->directory->path, $this->directory->path, [
            '127.0.0.1:8080' => '127.0.0.1:' . Ports::free(),
        ]);
    }

    protected function tearDown(): void
    {
        $this->shell->stop('news/var');
        $this->directory->remove();
    }

    public function testItsCommandsLeadToAPageOutOfThePageStore(): void
    {
        $readme = (string) file_get_contents(self::ROOT . '/README.md');
        self::assertSame(1, preg_match('~^```console\n(.+?)\n```$~ms', $readme, $block));
        [$copy, $enter, $install, $value, $serve, $first, $second] = explode("\n", $block[1]);
        self::assertSame('cd news', $enter);

        $this->type($copy);
        $this->type("cd news && $install");
        self::assertSame("Old title, Old title\nNew title\n", $this->type("cd news && $value"));
        $this->type("cd news && $serve");
        $answer = $this->type($first);
        self::assertStringContainsString("\nCache-Status: larder; fwd=miss; stored\n", $answer);
        $answer = $this->type($second);
        self::assertStringContainsString("\nCache-Status: larder; hit\n", $answer);
        self::assertStringContainsString('<h1>Old title</h1>2 in this category', $answer);

        $this->type('cd news && php rename.php');
        $changed = $this->type($second);
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
