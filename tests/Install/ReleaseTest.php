<?php

declare(strict_types=1);

namespace Larder\Tests\Install;

use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;

/** A release made of a small repository, and what Composer takes from its tag. */
#[CoversNothing]
final class ReleaseTest extends TestCase
{
    private TemporaryDirectory $directory;
    private string $tree;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory('larder-release');
        $this->tree = $this->directory->path . '/tree';
        $root = \dirname(__DIR__, 2);
        mkdir($this->tree . '/tools', recursive: true);
        mkdir($this->tree . '/ext');
        copy($root . '/tools/release', $this->tree . '/tools/release');
        copy($root . '/ext/php_larder.h', $this->tree . '/ext/php_larder.h');
        file_put_contents($this->tree . '/VERSION', file_get_contents($root . '/VERSION'));
        file_put_contents(
            $this->tree . '/CHANGELOG.md',
            "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [0.0.1] - 2026-01-01\n\n- The first.\n",
        );
        $packages = escapeshellarg($root . '/packages');
        $this->shell("cp -r $packages packages && rm -rf packages/*/vendor packages/*/tests");
        $this->shell('git init -q && git config user.name T && git config user.email t@example.net');
        $this->shell('git add -A && git commit -qm first');
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testADryRunChangesNothingAndTellsAll(): void
    {
        $said = $this->shell('php tools/release 0.9.0 --dry-run');
        self::assertStringContainsString("git tag --annotate v0.9.0 --message 'Larder 0.9.0'", $said);
        self::assertStringContainsString('#define PHP_LARDER_VERSION "0.9.0"', $said);
        self::assertStringContainsString('## [0.9.0] - ', $said);
        self::assertSame('', $this->shell('git status --porcelain'));
        self::assertSame('', $this->shell('git tag --list'));
    }

    public function testAReleaseHasItsVersionEverywhereAndItsSection(): void
    {
        $this->shell('php tools/release 0.9.0');
        self::assertSame('v0.9.0', $this->shell('git tag --list'));
        self::assertSame('0.9.0', $this->shell('git show v0.9.0:VERSION'));
        $console = $this->shell('git show v0.9.0:packages/console/src/Console/Application.php');
        self::assertStringContainsString("VERSION = '0.9.0'", $console);
        self::assertStringContainsString('"0.9.0"', $this->shell('git show v0.9.0:ext/php_larder.h'));
        $changes = $this->shell('git show v0.9.0:CHANGELOG.md');
        self::assertMatchesRegularExpression(
            '/## \[Unreleased\]\n\n## \[0\.9\.0\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- A thing\.\n\n## \[0\.0\.1\]/',
            $changes,
        );
        self::assertSame('0.10.0-dev', $this->shell('cat VERSION'));
        self::assertStringContainsString('0.10.0-dev', $this->shell('php tools/release --check'));
        file_put_contents($this->tree . '/VERSION', "0.11.0\n");
        self::assertStringContainsString('has another version', $this->shell('php tools/release --check', 1));
    }

    public function testWhatCannotBeReleasedIsRefused(): void
    {
        self::assertStringContainsString('three numbers', $this->shell('php tools/release one', 2));
        self::assertStringContainsString('comes before', $this->shell('php tools/release 0.0.1', 1));
        file_put_contents($this->tree . '/new', '');
        self::assertStringContainsString('not committed', $this->shell('php tools/release 0.9.0', 1));
        unlink($this->tree . '/new');
        $this->shell('php tools/release 0.9.0');
        self::assertStringContainsString('is there already', $this->shell('php tools/release 0.9.0', 1));
        self::assertStringContainsString('nothing under', $this->shell('php tools/release 0.10.0', 1));
    }

    public function testComposerInstallsThePackageOfATag(): void
    {
        $this->shell('php tools/release 0.9.0');
        $packages = explode("\n", $this->shell('ls packages'));
        foreach ($packages as $package) {
            $copy = escapeshellarg($this->directory->path . '/' . $package);
            $this->shell("git subtree split -q --prefix=packages/$package v0.9.0 -b $package");
            $this->shell("git clone -q --no-tags --single-branch -b $package . $copy && git -C $copy tag v0.9.0");
        }
        $project = $this->directory->path . '/project';
        mkdir($project);
        $repositories = [
            ...array_map(
                fn(string $package): array => ['type' => 'vcs', 'url' => $this->directory->path . '/' . $package],
                $packages,
            ),
            ...VendorPackages::repositories(),
            ['packagist.org' => false],
        ];
        file_put_contents($project . '/composer.json', json_encode([
            'repositories' => $repositories,
            'config' => ['allow-plugins' => false],
        ], JSON_THROW_ON_ERROR));
        $said = $this->shell("cd $project && composer require --no-interaction --no-progress larder/larder:^0.9 2>&1");
        self::assertStringContainsString('0.9.0', $said);
        self::assertSame('larder 0.9.0', $this->shell("$project/vendor/bin/larder --version"));
    }

    private function shell(string $command, int $expected = 0): string
    {
        $home = escapeshellarg($this->directory->path);
        $variables = "COMPOSER_ALLOW_SUPERUSER=1 GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null HOME=$home";
        $tree = escapeshellarg($this->tree);
        exec("cd $tree && export $variables && ($command) 2>&1", $lines, $code);
        self::assertSame($expected, $code, $command . "\n" . implode("\n", $lines));

        return trim(implode("\n", $lines));
    }
}
