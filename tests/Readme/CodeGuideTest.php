<?php

declare(strict_types=1);

namespace Larder\Tests\Readme;

use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Server\PhpFpm;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;

/** The commands and the code of docs/how-to/code.md, on servers of their own. */
#[CoversNothing]
final class CodeGuideTest extends TestCase
{
    public function testItsCommandsBringARelease(): void
    {
        $root = \dirname(__DIR__, 2);
        $guide = (string) file_get_contents($root . '/docs/how-to/code.md');
        $directory = new TemporaryDirectory('larder-code-guide');
        $path = $directory->path;
        $servers = [new Memcached("$path/one"), new Memcached("$path/two")];
        mkdir("$path/fpm");
        $php = new PhpFpm("$path/fpm", Account::of('root'), 1);
        $places = [
            'cache1:11211' => $servers[0]->endpoint()->address(),
            'cache2:11211' => $servers[1]->endpoint()->address(),
            '/run/php/php8.2-fpm.sock' => $php->socket,
            '~/.larder-code' => "$path/key",
            '/etc/larder/code.pub' => "$path/key.pub",
            '/srv/shop' => "$path/shop",
        ];
        foreach ([
            'config/settings.php' => '<?php return ["a" => 1];',
            'lib/first.php' => '<?php $GLOBALS["order"][] = 1;',
            'lib/second.php' => '<?php $GLOBALS["order"][] = 2;',
            'lib/helpers.php' => '<?php function helps(): int { return 3; }',
            'src/Cart.php' => '<?php namespace Shop; final class Cart {}',
            'composer.json' => '{}',
            'var/cache' => 'stays',
        ] as $file => $text) {
            if (!is_dir(\dirname("$path/app/$file"))) {
                mkdir(\dirname("$path/app/$file"), 0o777, true);
            }
            file_put_contents("$path/app/$file", $text);
        }
        try {
            preg_match_all('/^```console\n(.*?)^```$/ms', $guide, $blocks);
            self::assertCount(4, $blocks[1]);
            $program = 'larder() { ' . escapeshellarg(PHP_BINARY) . " $root/packages/console/bin/larder \"\$@\"; }\n";
            $commands = "set -e\nexport COMPOSER_ALLOW_SUPERUSER=1 HOME=$path\n" . $program . implode('', $blocks[1]);
            $commands .= "larder doctor --pool=cache1:11211,cache2:11211\n";
            $said = self::shell("cd $path/app\n" . strtr($commands, $places));
            self::assertStringContainsString('files of', $said);
            self::assertFileExists("$path/shop/current/config/settings.php");
            self::assertFileDoesNotExist("$path/shop/current/var/cache");

            self::assertSame(1, preg_match('/^```php\n(.*?)^```$/ms', $guide, $code));
            $begin = "<?php\nrequire '$root/vendor/autoload.php';\n";
            file_put_contents("$path/run.php", $begin . strtr($code[1], $places)
                . "\necho json_encode([\$settings, \$GLOBALS['order'], helps(), class_exists('Shop\\Cart')]);\n");
            // A host without a file.
            self::shell("rm -r $path/shop");
            $said = self::shell(escapeshellarg(PHP_BINARY) . " $path/run.php");
            self::assertSame('[{"a":1},[1,2],3,true]', $said);
        } finally {
            $php->stop();
            array_map(static fn(Memcached $server) => $server->stop(), $servers);
            $directory->remove();
        }
    }

    private static function shell(string $commands): string
    {
        exec('sh -c ' . escapeshellarg($commands) . ' 2>&1', $lines, $code);
        self::assertSame(0, $code, implode("\n", $lines));

        return trim(implode("\n", $lines));
    }
}
