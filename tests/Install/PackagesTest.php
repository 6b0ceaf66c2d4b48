<?php

declare(strict_types=1);

namespace Larder\Tests\Install;

use FilesystemIterator;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Server\Program;
use Larder\Testbed\Server\Redis;
use Larder\Testbed\Server\ServerProcess;
use Larder\Tests\Support\Extension;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use RecursiveDirectoryIterator;
use RecursiveIteratorIterator;
use SplFileInfo;

/** Each package by itself, as its README says: required in an empty directory, and its example run. */
#[CoversNothing]
final class PackagesTest extends TestCase
{
    private const PSR = ['psr/cache', 'psr/clock', 'psr/log', 'psr/simple-cache'];

    /** A page store trusts no code that changed so lately. */
    private const SECONDS_UNTIL_CODE_COUNTS = 3;

    private ?ComposerProject $project = null;

    protected function tearDown(): void
    {
        $this->project?->remove();
    }

    /** @return iterable<string, array{list<string>}> Larder's packages that come with each one */
    public static function packages(): iterable
    {
        yield 'cache' => [['larder/cache']];
        yield 'sql' => [['larder/cache', 'larder/sql']];
        yield 'pages' => [['larder/cache', 'larder/pages', 'larder/sql']];
        yield 'rows' => [['larder/cache', 'larder/rows', 'larder/sql']];
        yield 'code' => [['larder/cache', 'larder/code']];
    }

    /** @param list<string> $own */
    #[DataProvider('packages')]
    public function testAPackageBringsWhatItNeedsAndItsExampleRuns(array $own): void
    {
        $package = (string) $this->dataName();
        [$project, $printed] = $this->required($package);

        self::assertSame([$own, self::PSR], $project->installed());
        self::assertSame($printed, $project->run(PHP_BINARY . ' example.php'));
        self::assertDirectoryDoesNotExist("{$project->directory->path}/vendor/larder/$package/tests");
    }

    public function testTheConsoleNeedsTheCacheAlone(): void
    {
        [$project, $printed] = $this->required('console');

        [$own, $others] = $project->installed();
        self::assertSame(['larder/cache', 'larder/console'], $own);
        $vendors = array_unique(array_map(\dirname(...), $others));
        self::assertSame(['psr', 'symfony'], array_values($vendors));
        self::assertSame([], array_filter($others, static fn(string $name): bool => str_contains($name, 'psr/http')));
        self::assertSame($printed, $project->run(PHP_BINARY . ' example.php'));
    }

    public function testTheCacheNeedsNoOtherExtension(): void
    {
        [$project, $printed] = $this->required('cache');
        foreach (['-n', '-n -d extension=' . Extension::file()] as $settings) {
            self::assertSame($printed, $project->run(PHP_BINARY . " $settings example.php"), $settings);
        }
    }

    /** Without PDO, and with no package beside it but Predis for Redis. */
    public function testTheCacheAloneRemembersInEachStore(): void
    {
        [$project] = $this->required('cache');
        $path = $project->directory->path;
        $stores = ['new Larder\Store\ArrayStore()', 'Larder\Store\SharedMemoryStore::on("packages")'];
        $servers = [];
        if (Program::find('memcached') !== null) {
            $servers[] = $memcached = new Memcached("$path/memcached");
            $stores[] = "Larder\\Store\\MemcachedStore::on('{$memcached->endpoint()->address()}', 'packages')";
        }
        if (Program::find('redis-server') !== null) {
            $project->composer('require predis/predis');
            $servers[] = $redis = new Redis("$path/redis");
            $stores[] = "Larder\\Store\\RedisStore::on('{$redis->endpoint()->address()}', 'packages')";
        }
        file_put_contents("$path/stores.php", "<?php\nrequire 'vendor/autoload.php';\n"
            . 'foreach ([' . implode(', ', $stores) . "] as \$store) {\n" . <<<'PHP'
                $cache = new Larder\Cache($store, new Larder\Dependency\Gates($store, inTransaction: fn() => false));
                $made = 0;
                $make = static function () use (&$made): int { return ++$made; };
                $value = static fn(): int => $cache->remember('key', $make, 60, reads: ['news:4']);
                echo $value(), $value();
                $cache->change(['news:4'], static fn(): int => 1);
                echo $value(), "\n";
            }
            var_dump(extension_loaded('pdo'));
            PHP);
        $settings = '-n -d extension=' . Extension::file() . " -d larder.name=packages -d larder.directory=$path";
        try {
            $said = $project->run(PHP_BINARY . " $settings stores.php");
        } finally {
            array_map(static fn(ServerProcess $server) => $server->stop(), $servers);
        }

        self::assertSame(str_repeat("112\n", \count($stores)) . "bool(false)\n", $said);
    }

    public function testTheCacheIsSmall(): void
    {
        [$project] = $this->required('cache');
        $lines = $files = 0;
        $found = new RecursiveIteratorIterator(new RecursiveDirectoryIterator(
            $project->directory->path . '/vendor/larder',
            FilesystemIterator::SKIP_DOTS,
        ));
        foreach ($found as $file) {
            if ($file instanceof SplFileInfo && $file->getExtension() === 'php') {
                $lines += \count((array) file($file->getPathname()));
                ++$files;
            }
        }
        self::assertGreaterThan(100, $files);
        // It had 15,404 when it was taken out of one package with all others.
        self::assertLessThanOrEqual(18_200, $lines, "$files files of larder/cache");
    }

    public function testTheMetapackageBringsAllAndTheProgram(): void
    {
        [$project, $printed] = $this->required('larder');

        $own = ['larder/cache', 'larder/code', 'larder/console', 'larder/larder', 'larder/pages', 'larder/rows',
            'larder/sql'];
        self::assertSame($own, $project->installed()[0]);
        self::assertSame($printed, $project->run(PHP_BINARY . ' example.php'));
        $version = trim((string) file_get_contents(__DIR__ . '/../../VERSION'));
        self::assertStringStartsWith("larder $version", $project->run('vendor/bin/larder --version'));
        $listed = $project->run('vendor/bin/larder list --raw');
        foreach (['cache:analyse', 'code:push', 'deploy', 'follow', 'memory:info'] as $command) {
            self::assertMatchesRegularExpression("/^$command /m", $listed);
        }
    }

    /** @return iterable<string, array{string, list<string>, list<string>}> package, and commands with and without it */
    public static function commands(): iterable
    {
        yield 'console alone' => ['console', ['memory:info', 'cache:analyse'], ['deploy', 'follow', 'code push']];
        yield 'pages' => ['pages', ['memory:info', 'deploy', 'doctor'], ['follow', 'code push', 'doctor --pool=h']];
        yield 'rows' => ['rows', ['memory:info', 'follow', 'doctor'], ['deploy', 'code push', 'doctor']];
        yield 'code' => ['code', ['memory:info', 'code:push', 'doctor'], ['deploy', 'follow', 'doctor --follow=f']];
    }

    /**
     * @param list<string> $listed
     * @param list<string> $missing and calls of the doctor that need more
     */
    #[DataProvider('commands')]
    public function testCommandsOfInstalledPackagesAreListedAndOthersSayWhoHasThem(
        string $package,
        array $listed,
        array $missing,
    ): void {
        $this->project = $project = new ComposerProject();
        $project->composer("require larder/console larder/$package");
        $said = $project->run('vendor/bin/larder list --raw');
        foreach ($listed as $command) {
            self::assertMatchesRegularExpression("/^$command /m", $said);
            self::assertStringContainsString('Usage:', $project->run("vendor/bin/larder $command --help"));
        }
        foreach ($missing as $command) {
            if (!str_starts_with($command, 'doctor')) {
                self::assertDoesNotMatchRegularExpression('/^' . strtr($command, ' ', ':') . ' /m', $said);
            }
            $owner = match ($command) {
                'follow', 'doctor --follow=f' => 'rows',
                'code push', 'doctor --pool=h' => 'code',
                default => 'pages',
            };
            $refused = $project->run("vendor/bin/larder $command", 2);
            self::assertStringContainsString("composer require larder/$owner", $refused);
        }
    }

    public function testComposerRefusesPackagesOfTwoVersions(): void
    {
        $project = $this->projectOfTwoVersions();
        $said = $project->composer('require larder/console:* larder/cache:0.0.9', 2);

        self::assertMatchesRegularExpression('~larder/console [\w.]+ requires larder/cache [\w.]+~', $said);
    }

    /** An alias in the project takes that refusal away, so that the program looks too. */
    public function testTheProgramRefusesPackagesOfTwoVersions(): void
    {
        $project = $this->projectOfTwoVersions();
        $version = basename(trim((string) file_get_contents(__DIR__ . '/../../VERSION')), '-dev');
        $project->composer("require larder/console:$version 'larder/cache:0.0.9 as $version'");
        $said = $project->run('vendor/bin/larder memory:info', 2);

        $refusal = "larder/cache is of version 0.0.9 and larder/console of $version";
        self::assertStringContainsString($refusal, $said);
        $said = json_decode($project->run('vendor/bin/larder memory:info --format=json', 2), true);
        self::assertIsArray($said);
        self::assertIsString($said['error']);
        self::assertStringContainsString($refusal, $said['error']);
    }

    /** The example is older than its run. */
    private static function settle(ComposerProject $project): void
    {
        $path = $project->directory->path;
        $last = max((int) filectime("$path/example.php"), (int) filectime("$path/vendor/autoload.php"));
        while (time() <= $last + self::SECONDS_UNTIL_CODE_COUNTS) {
            usleep(50_000);
        }
    }

    /** @return array{ComposerProject, string} and what the example of the package prints */
    private function required(string $package): array
    {
        $this->project = $project = new ComposerProject();
        $printed = $project->example($package);
        $project->composer("require larder/$package");
        if (\in_array($package, ['larder', 'pages'], true)) {
            self::settle($project);
        }

        return [$project, $printed];
    }

    /** Its larder/cache is an old one. */
    private function projectOfTwoVersions(): ComposerProject
    {
        $this->project = $project = new ComposerProject('older/*');
        $packages = escapeshellarg(\dirname(__DIR__, 2) . '/packages');
        $project->run("mkdir older && cp -r $packages/cache $packages/console older/ && rm -r older/*/tests");
        $file = $project->directory->path . '/older/cache/composer.json';
        $text = (string) file_get_contents($file);
        file_put_contents($file, preg_replace('/"version": "[^"]+"/', '"version": "0.0.9"', $text));

        return $project;
    }
}
