<?php

declare(strict_types=1);

namespace Larder\Tests\Install;

use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\PhpFpm;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\PackageFiles;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** The library and the program as one signed file. */
#[CoversNothing]
final class PharTest extends TestCase
{
    private static ?TemporaryDirectory $built = null;

    public static function tearDownAfterClass(): void
    {
        self::$built?->remove();
        self::$built = null;
    }

    public function testOneFileIsTheProgramAndTheLibrary(): void
    {
        $directory = new TemporaryDirectory('larder-phar');
        $path = $directory->path;
        $phar = "$path/larder.phar";
        $root = \dirname(__DIR__, 2);
        self::shell("openssl genrsa -out $path/key.pem 2048");
        self::shell("php $root/tools/phar --out=$phar --key=$path/key.pem");
        $version = trim((string) file_get_contents($root . '/VERSION'));
        self::assertSame("larder $version", self::shell("php $phar --version"));
        self::assertStringContainsString('code:push', self::shell("php $phar list"));
        // A relative path leads to where the user is, not into the file.
        file_put_contents("$path/larder.php", '<?php return 1;');
        self::assertStringContainsString('larder.php returns int', self::shell("cd $path; php $phar nginx:config", 2));

        // Its autoloader lets all others go first, opens the file only when it is needed, and does it once.
        file_put_contents("$path/use.php", <<<PHP
            <?php
            \$asked = [];
            spl_autoload_register(static function (string \$class) use (&\$asked): void {
                \$asked[] = \$class;
            });
            require '$phar';
            \$before = count(get_included_files());
            class_exists('Other\\Thing');
            \$unopened = count(get_included_files()) - \$before;
            \$store = new Larder\\Store\\ArrayStore();
            \$store->set('key', 'kept');
            echo json_encode([\$unopened, \$asked[0], \$asked[1], \$store->get('key'),
                function_exists('opcache_is_script_cached')
                    && opcache_is_script_cached('phar://$phar/vendor/larder/cache/src/Store/ArrayStore.php')]);
            PHP);
        touch("$path/use.php", time() - 60);
        touch($phar, time() - 60);
        $used = [0, 'Other\Thing', 'Larder\Store\ArrayStore', 'kept'];
        $said = self::shell("php -d opcache.enable_cli=0 $path/use.php");
        self::assertSame([...$used, false], json_decode($said, true));
        mkdir("$path/fpm");
        $php = new PhpFpm("$path/fpm", Account::of('root'), 1);
        try {
            $page = new FastCgi($php->socket, "$path/use.php");
            $page->get('');
            self::assertSame([...$used, true], json_decode((string) $page->get(''), true), 'OPcache has the files');
        } finally {
            $php->stop();
        }

        $bytes = (string) file_get_contents($phar);
        $at = (int) strpos($bytes, 'Serves a release that lies');
        self::assertGreaterThan(0, $at);
        file_put_contents($phar, substr_replace($bytes, 'X', $at, 1));
        self::assertStringContainsString('signature', self::shell("php $phar --version", 255));
        $directory->remove();
    }

    /** @return iterable<string, array{string}> */
    public static function autoloaders(): iterable
    {
        yield 'none' => ["require '%s/LarderPhar.php';"];
        yield 'one by directory' => [
            'spl_autoload_register(static function (string $class): void {'
                . " is_file('%s/' . \$class . '.php') && require '%1\$s/' . \$class . '.php'; });",
        ];
        yield 'one that throws for what it does not know' => [
            'spl_autoload_register(static function (string $class): void {'
                . " \$class === 'LarderPhar' || throw new Exception(\$class); require '%s/LarderPhar.php'; });",
        ];
        yield 'one that comes later, before all others, and throws' => [
            "require '%s/LarderPhar.php'; (new LarderPhar('Larder\\\\Store\\\\ArrayStore'))->get('a');"
                . 'spl_autoload_register(static fn(string $class) => throw new Exception($class), true, false);',
        ];
        yield 'that of Composer' => [
            '$loader = require ' . var_export(\dirname(__DIR__, 2) . '/vendor/composer/ClassLoader.php', true) . ';'
                . "\$loader = new Composer\\Autoload\\ClassLoader(); \$loader->add('', '%s'); \$loader->register();",
        ];
    }

    #[DataProvider('autoloaders')]
    public function testAWrapperOpensItOnceUnderAnyAutoloader(string $autoload): void
    {
        $path = self::built();
        file_put_contents("$path/cache.php", "<?php return new Larder\\Cache(new Larder\\Store\\ArrayStore());");
        file_put_contents("$path/wrapped.php", '<?php ' . \sprintf($autoload, $path) . <<<PHP

            \$opened = static fn(): int => count(preg_grep('~^phar://~', get_included_files()));
            \$before = \$opened();
            \$store = new LarderPhar(Larder\\Store\\ArrayStore::class);
            \$none = \$opened() - \$before;
            \$store->set('key', 'kept');
            \$times = count(spl_autoload_functions());
            \$cache = LarderPhar::configured('$path/cache.php');
            \$made = \$cache->remember('row', static fn(): array => [1]);
            \$there = \$cache->fetch('row', \$row);
            \$named = new LarderPhar(static fn(string \$of): object => new ArrayObject([\$of]), of: 'closure');
            \$method = new LarderPhar('DateTimeImmutable::createFromFormat', 'Y', '2020');
            echo json_encode([\$none, \$store->get('key'), \$made, \$there, \$row, \$named->offsetGet(0),
                \$method->format(format: 'Y'), count(spl_autoload_functions()) - \$times,
                \$store->object()::class]);
            PHP);

        self::assertSame(
            [0, 'kept', [1], true, [1], 'closure', '2020', 0, 'Larder\Store\ArrayStore'],
            json_decode(self::shell("php $path/wrapped.php"), true),
        );
    }

    /** php-fpm says "Primary script unknown" to a path into a phar. */
    public function testPhpFpmRunsTheReportOfDoctor(): void
    {
        $path = self::built();
        $ready = "require '$path/larder.phar'; umask(077); \$script = Larder\\Console\\Doctor\\ReportScript::ready();";
        $removed = self::shell('php -r ' . escapeshellarg("$ready \$script->remove(); echo \$script->path;"));
        self::assertDirectoryDoesNotExist(\dirname($removed, 2));
        $script = self::shell('php -r ' . escapeshellarg("$ready echo \$script->path;"));
        mkdir("$path/reporting");
        $php = new PhpFpm("$path/reporting", Account::of('www-data'), 1);
        try {
            $said = (new FastCgi($php->socket, $script))->parts('', '/', ['LARDER_REPORT' => '/nowhere'])[1] ?? '';
            self::assertStringContainsString('"fpm-fcgi"', $said);
        } finally {
            $php->stop();
            self::shell('rm -r ' . escapeshellarg(\dirname($script, 2)));
        }
    }

    public function testAWrapperSaysWhatItCannotMake(): void
    {
        $path = self::built();
        $said = static fn(string $code): string => self::shell('php -r ' . escapeshellarg(
            "require '$path/LarderPhar.php'; try { $code } catch (LogicException \$e) { echo \$e->getMessage(); }",
        ));

        self::assertSame(
            'There is no class or method Larder\Nothing in larder.phar',
            $said("(new LarderPhar('Larder\Nothing'))->get('a');"),
        );
        self::assertSame('/nowhere.php does not return an object', $said(
            "LarderPhar::configured('/nowhere.php')->get('a');",
        ));
        self::assertSame('ArrayObject has no fetch()', $said("(new LarderPhar('ArrayObject'))->fetch('a');"));
    }

    /** The wrapper forwards by value, but for what it has a method of its own for. */
    public function testNoOtherCallGivesSomethingBackByItsArguments(): void
    {
        $found = [];
        foreach (PackageFiles::of() as $file) {
            // What stands in Bridge is for a framework, which has an autoloader and no use for a phar.
            $text = preg_match('~/(?:Bridge|Doctrine)/~', $file) !== 1 ? (string) file_get_contents($file) : '';
            $isPublic = !str_contains($text, '@internal');
            if ($isPublic && preg_match('/public function (\w+)\([^)]*&\$/', $text, $match) === 1) {
                $found[] = $match[1];
            }
        }

        self::assertSame(['fetch'], $found);
    }

    /** @return string directory with larder.phar, unsigned */
    private static function built(): string
    {
        if (self::$built === null) {
            self::$built = new TemporaryDirectory('larder-phar');
            self::shell('php ' . \dirname(__DIR__, 2) . '/tools/phar --out=' . self::$built->path . '/larder.phar');
        }

        return self::$built->path;
    }

    private static function shell(string $command, int $expected = 0): string
    {
        exec($command . ' 2>&1', $lines, $code);
        self::assertSame($expected, $code, $command . "\n" . implode("\n", $lines));

        return trim(implode("\n", $lines));
    }
}
