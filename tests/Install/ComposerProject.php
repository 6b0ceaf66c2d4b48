<?php

declare(strict_types=1);

namespace Larder\Tests\Install;

use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Assert;
use Symfony\Component\Process\Process;

/** An empty directory in which somebody begins with Larder, without a network. */
final readonly class ComposerProject
{
    public TemporaryDirectory $directory;

    /** @param string $packages directories of Larder's packages, as a path repository names them */
    public function __construct(string $packages = __DIR__ . '/../../packages/*')
    {
        $this->directory = new TemporaryDirectory('larder-project');
        file_put_contents($this->directory->path . '/composer.json', json_encode([
            'repositories' => [
                ['type' => 'path', 'url' => $packages, 'options' => ['symlink' => false]],
                ...VendorPackages::repositories(),
                ['packagist.org' => false],
            ],
            'config' => ['allow-plugins' => false],
        ], JSON_THROW_ON_ERROR));
    }

    /** @return string what Composer says */
    public function composer(string $command, int $expected = 0): string
    {
        return $this->run("composer $command --no-interaction --no-progress 2>&1", $expected);
    }

    /** @return string what it prints */
    public function run(string $command, int $expected = 0): string
    {
        $variables = ['COMPOSER_ALLOW_SUPERUSER' => '1', 'HOME' => $this->directory->path, 'COLUMNS' => '200'];
        $process = Process::fromShellCommandline($command, $this->directory->path, $variables, timeout: 120);
        $code = $process->run();
        $said = $process->getOutput() . $process->getErrorOutput();
        Assert::assertSame($expected, $code, "$command\n$said");

        return $said;
    }

    /**
     * Larder's packages and all others that are installed.
     *
     * @return array{list<string>, list<string>}
     */
    public function installed(): array
    {
        preg_match_all('~^\S+/\S+~m', $this->run('composer show --name-only 2>/dev/null'), $found);
        $names = $found[0];
        sort($names);
        $own = array_filter($names, static fn(string $name): bool => str_starts_with($name, 'larder/'));

        return [array_values($own), array_values(array_diff($names, $own))];
    }

    /**
     * The first example of a package's README, written down.
     *
     * @return string what it prints
     */
    public function example(string $package): string
    {
        $readme = (string) file_get_contents(__DIR__ . "/../../packages/$package/README.md");
        Assert::assertStringContainsString("\n    composer require larder/$package\n", $readme);
        Assert::assertSame(1, preg_match('~^```php\n(.+?)^```\n\n```text\n(.+?)^```$~ms', $readme, $found));
        file_put_contents($this->directory->path . '/example.php', $found[1]);

        return $found[2];
    }

    public function remove(): void
    {
        $this->directory->remove();
    }
}
