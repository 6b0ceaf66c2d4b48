<?php

declare(strict_types=1);

namespace Larder\Bench\Tests;

use Larder\Testbed\Server\Program;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;

/** The package by itself, as somebody else's project installs it. */
#[CoversNothing]
final class InstalledTest extends TestCase
{
    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        if (Program::find('composer') === null) {
            self::markTestSkipped('composer is not installed');
        }
        $this->directory = new TemporaryDirectory('larder-bench-installed');
    }

    public function testAnotherProjectCanRequireItAndMeasure(): void
    {
        $root = \dirname(__DIR__, 2);
        $project = [
            'name' => 'example/project',
            'require' => (object) [],
            // Copies, so that nothing of this repository is found through a link.
            'repositories' => array_map(
                static fn(string $room): array => [
                    'type' => 'path',
                    'url' => $root . '/' . $room,
                    'options' => ['symlink' => false],
                ],
                ['packages/*', 'testbed', 'bench'],
            ),
            'minimum-stability' => 'dev',
            'prefer-stable' => true,
            'config' => ['allow-plugins' => false],
        ];
        file_put_contents(
            $this->directory->path . '/composer.json',
            json_encode($project, JSON_THROW_ON_ERROR | JSON_PRETTY_PRINT),
        );

        $this->shell('composer require --no-interaction --no-progress --no-audit --dev larder/bench:@dev');
        self::assertDirectoryDoesNotExist($this->directory->path . '/vendor/larder/app');
        self::assertDirectoryDoesNotExist($this->directory->path . '/vendor/larder/proof');
        self::assertFileDoesNotExist($this->directory->path . '/vendor/larder/bench/tests/InstalledTest.php');

        $run = 'vendor/bin/larder-bench run --tests=get --clients=noop:array:file --blocks=6 --window=0.05 --force '
            . '--out=result.json';
        self::assertStringContainsString('B1 get', $this->shell($run . ' --html=report.html'));
        self::assertStringContainsString('Sound.', $this->shell('vendor/bin/larder-bench verify result.json'));
        self::assertStringContainsString('file', $this->shell('vendor/bin/larder-bench ratio result.json file noop'));
        self::assertFileExists($this->directory->path . '/report.html');
    }

    private function shell(string $command): string
    {
        exec(
            \sprintf('cd %s && COMPOSER_ALLOW_SUPERUSER=1 %s 2>&1', escapeshellarg($this->directory->path), $command),
            $lines,
            $exit,
        );
        self::assertSame(0, $exit, $command . "\n" . implode("\n", $lines));

        return implode("\n", $lines);
    }
}
