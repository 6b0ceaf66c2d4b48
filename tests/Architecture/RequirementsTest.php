<?php

declare(strict_types=1);

namespace Larder\Tests\Architecture;

use Larder\Tests\Support\PackageFiles;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use ReflectionClass;
use ReflectionFunction;

/**
 * What a package's classes and its tests name is in its composer.json: packages of Larder's, and PHP's extensions.
 * tools/packages-alone runs the tests where nothing else can be loaded; here it is only read, which takes a second.
 */
#[CoversNothing]
final class RequirementsTest extends TestCase
{
    private const PACKAGES = __DIR__ . '/../../packages/';

    private const KINDS = ['autoload', 'autoload-dev'];

    /** No PHP is without them. */
    private const ALWAYS = ['Core', 'date', 'hash', 'json', 'pcre', 'random', 'Reflection', 'SPL', 'standard'];

    /** Where Composer's name is not that of PHP, in small letters. */
    private const COMPOSER_NAMES = ['Zend OPcache' => 'ext-zend-opcache'];

    /** @return iterable<string, array{string}> */
    public static function packages(): iterable
    {
        foreach (self::names() as $package) {
            yield $package => [$package];
        }
    }

    #[DataProvider('packages')]
    public function testClassesNameOnlyPackagesThatAreRequiredOrSuggested(string $package): void
    {
        $wanted = self::withTheirs(self::wanted($package, 'require', 'suggest'));
        self::assertSame([], self::others($package, 'autoload', $wanted));
    }

    #[DataProvider('packages')]
    public function testTestsNameOnlyPackagesThatAreRequired(string $package): void
    {
        $wanted = self::withTheirs(self::wanted($package, 'require', 'require-dev'));
        self::assertSame([], self::others($package, 'autoload-dev', $wanted));
        // The testbed of these needs no package; the room that does is above it.
        if (!\in_array('larder/pages', $wanted, true) && $package !== 'pages') {
            $texts = implode('', self::files($package, 'autoload-dev'));
            self::assertStringNotContainsString('Larder\Testbed\Site\\', $texts);
        }
    }

    #[DataProvider('packages')]
    public function testExtensionsAreRequiredOrSuggested(string $package): void
    {
        $used = [];
        foreach (self::files($package, 'autoload') as $user => $php) {
            foreach (self::extensionsIn($php) as $extension) {
                $used[$extension] ??= $user;
            }
        }
        $used = array_diff_key($used, array_flip(self::wanted($package, 'require', 'suggest')));

        self::assertSame([], $used);
    }

    public function testWhatIsMissingIsFound(): void
    {
        $php = '<?php namespace A; use Larder\Page\Site; function f(\PDO $p): int { return posix_geteuid(); }'
            . ' // ctype_digit(), Larder\Row\Rows';

        self::assertSame(['ext-pdo', 'ext-posix'], self::extensionsIn($php));
        self::assertSame('pages', self::owners()['Larder\Page\Site']);
        self::assertSame('cache', self::owners()['Larder\Tests\Support\Extension']);
        $others = self::others('pages', 'autoload', []);
        self::assertSame('sql', $others['Larder\Page\Pages: Larder\Sql\Ledger\SqlLedger']);
    }

    /**
     * @param 'autoload'|'autoload-dev' $kind
     * @param list<string>              $wanted
     *
     * @return array<string, string> package that is not wanted, by the class that names one of it, and by that one
     */
    private static function others(string $package, string $kind, array $wanted): array
    {
        $others = [];
        $owners = self::owners();
        foreach (self::files($package, $kind) as $user => $php) {
            foreach (Names::classesIn($php) as $class) {
                $owner = $owners[$class] ?? null;
                if ($owner !== null && $owner !== $package && !\in_array("larder/$owner", $wanted, true)) {
                    $others["$user: $class"] = $owner;
                }
            }
        }

        return $others;
    }

    /** @return list<string> Composer's names */
    private static function extensionsIn(string $php): array
    {
        $found = [];
        foreach (Names::functionsIn($php) as $function) {
            $found[] = \function_exists($function) ? (new ReflectionFunction($function))->getExtensionName() : false;
        }
        foreach (Names::classesIn($php) as $class) {
            // Larder's own classes of this kind are told apart by their namespace.
            if (!str_contains($class, '\\') && (class_exists($class, false) || interface_exists($class, false))) {
                $found[] = (new ReflectionClass($class))->getExtensionName();
            }
        }
        $found = array_diff(array_unique(array_filter($found, is_string(...))), self::ALWAYS);
        $names = array_map(
            static fn(string $name): string => self::COMPOSER_NAMES[$name] ?? 'ext-' . strtolower($name),
            $found,
        );
        sort($names);

        return $names;
    }

    /** @return array<string, string> the package that each class of Larder's and each class of its tests lies in */
    private static function owners(): array
    {
        $owners = [];
        foreach (self::names() as $package) {
            foreach (self::KINDS as $kind) {
                $owners += array_fill_keys(array_keys(PackageFiles::of("packages/$package", $kind)), $package);
            }
        }

        return $owners;
    }

    /** @return list<string> */
    private static function wanted(string $package, string ...$kinds): array
    {
        $json = json_decode((string) file_get_contents(self::PACKAGES . $package . '/composer.json'), true);
        self::assertIsArray($json);
        $wanted = [];
        foreach ($kinds as $kind) {
            self::assertIsArray($json[$kind] ?? []);
            $wanted = [...$wanted, ...array_map(strval(...), array_keys($json[$kind] ?? []))];
        }

        return $wanted;
    }

    /**
     * @param list<string> $wanted
     *
     * @return list<string> with what Larder's packages among them require
     */
    private static function withTheirs(array $wanted): array
    {
        for ($i = 0; $i < \count($wanted); ++$i) {
            $name = substr($wanted[$i], \strlen('larder/'));
            if (str_starts_with($wanted[$i], 'larder/') && is_dir(self::PACKAGES . $name)) {
                $wanted = [...$wanted, ...array_diff(self::wanted($name, 'require'), $wanted)];
            }
        }

        return $wanted;
    }

    /** @return list<string> packages with files */
    private static function names(): array
    {
        $directories = array_filter((array) glob(self::PACKAGES . '*/src', GLOB_ONLYDIR), is_string(...));
        self::assertGreaterThan(5, \count($directories));

        return array_values(array_map(static fn(string $path): string => basename(\dirname($path)), $directories));
    }

    /**
     * @param 'autoload'|'autoload-dev' $kind
     *
     * @return array<string, string> PHP by class
     */
    private static function files(string $package, string $kind): array
    {
        return array_map(
            static fn(string $path): string => (string) file_get_contents($path),
            PackageFiles::of("packages/$package", $kind),
        );
    }
}
