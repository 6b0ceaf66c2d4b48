<?php

declare(strict_types=1);

namespace Larder\Tests\Install;

use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;

/** What PIE and tools/deb know of the modules: each has a composer.json of its own. */
#[CoversNothing]
final class ModulesTest extends TestCase
{
    private const EXT = __DIR__ . '/../../ext';

    public function testEachModuleIsAPackageThatConfigureKnows(): void
    {
        $names = ['larder'];
        foreach ((array) glob(self::EXT . '/*/*.stub.php') as $stub) {
            $name = basename((string) $stub, '.stub.php');
            if ($name === basename(\dirname((string) $stub))) {
                $names[] = $name;
            }
        }
        $packages = [];
        foreach (['', ...(array) glob(self::EXT . '/*/composer.json')] as $file) {
            $text = (string) file_get_contents($file === '' ? self::EXT . '/composer.json' : (string) $file);
            $package = json_decode($text, true, flags: JSON_THROW_ON_ERROR);
            self::assertIsArray($package);
            self::assertIsArray($package['php-ext']);
            self::assertIsString($package['php-ext']['extension-name']);
            $name = $package['php-ext']['extension-name'];
            self::assertSame(["larder/ext-$name", 'php-ext'], [$package['name'], $package['type']]);
            self::assertSame($file === '' ? 'larder' : basename(\dirname((string) $file)), $name);
            // configure reads it by a line of sed.
            self::assertSame(1, preg_match_all('/^ *"extension-name": "(\w+)",?$/m', $text));
            $packages[] = $name;
        }
        $configure = (string) file_get_contents(self::EXT . '/config.m4');
        self::assertSame(1, preg_match('/^case \$PHP_LARDER_MODULE in\n  ([\w |]+)\) ;;$/m', $configure, $known));

        self::assertEqualsCanonicalizing($names, $packages);
        self::assertEqualsCanonicalizing(explode(' | ', $known[1]), $packages);
    }

    /** tools/install-test would type nothing of a section that was renamed, on a Debian that few have at hand. */
    public function testEachWayToInstallNamesAGuideWithCommands(): void
    {
        $root = \dirname(__DIR__, 2);
        $tool = (string) file_get_contents($root . '/tools/install-test');
        preg_match_all('/type_in ([\w-]+) ([\w-]+\.md)(?: \'([^\']+)\')?/', $tool, $ways, PREG_SET_ORDER);
        self::assertGreaterThan(7, \count($ways));
        foreach ($ways as $way) {
            $guide = (string) file_get_contents("$root/docs/how-to/$way[2]");
            $section = isset($way[3]) ? '^## ' . preg_quote($way[3], '/') . '$(?:(?!^## ).)*' : '';
            self::assertMatchesRegularExpression("/$section^```console$/ms", $guide, $way[0]);
        }
    }
}
