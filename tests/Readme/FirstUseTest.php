<?php

declare(strict_types=1);

namespace Larder\Tests\Readme;

use Larder\Testbed\Server\Ports;
use Larder\Testbed\Server\Program;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\Extension;
use Larder\Tests\Support\TypedCommands;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;

/** Does what docs/tutorial/your-site.md says, in a Composer project of its own, and compares what it shows. */
#[CoversNothing]
final class FirstUseTest extends TestCase
{
    private const ROOT = __DIR__ . '/../..';

    private TemporaryDirectory $directory;

    /** The site's. */
    private string $path;

    private TypedCommands $shell;

    protected function setUp(): void
    {
        if (posix_geteuid() !== 0 || Program::find('composer') === null) {
            self::markTestSkipped('needs root, as the tutorial does, and composer');
        }
        $this->directory = new TemporaryDirectory('larder-first');
        $this->path = $this->directory->path . '/items';
        mkdir($this->path);
        $this->shell = new TypedCommands($this->directory->path, $this->path, [
            '/opt/larder/build/extension/larder.so' => Extension::file(),
            '/opt/larder' => (string) realpath(self::ROOT),
            '127.0.0.1:8080' => '127.0.0.1:' . Ports::free(),
            'php-fpm8.2' => Program::phpFpm(),
            "larder.name = items\n" => "larder.name = items\nlarder.size = 4M\n"
                . "larder.directory = {$this->directory->path}\n",
        ]);
    }

    protected function tearDown(): void
    {
        $this->shell->stop('run');
        $this->directory->remove();
    }

    public function testASiteOfOnesOwnComesToAHit(): void
    {
        $page = (string) file_get_contents(self::ROOT . '/docs/tutorial/your-site.md');
        preg_match_all('~^```(php|ini|json|console)\n(.+?)^```$~ms', $page, $blocks, PREG_SET_ORDER);
        self::assertCount(intdiv(substr_count($page, "\n```"), 2), $blocks);
        $stop = array_pop($blocks);
        self::assertStringContainsString('$ kill ', $stop[2] ?? '');
        $shown = $happened = '';
        foreach ($blocks as [, $kind, $text]) {
            if ($kind !== 'console') {
                $this->write($kind, $text);
                continue;
            }
            $shown .= $text;
            preg_match_all('~^\$ (.+)$~m', $text, $commands);
            foreach ($commands[1] as $command) {
                $happened .= "$ $command\n" . $this->type($command);
            }
        }
        self::assertSame($shown, $happened);

        $this->theProgramFindsTheProjectThroughALink();
        $this->withoutItsStoreThePageIsRightAndTheLogSaysSo();
        self::assertSame('', $this->type(substr(trim($stop[2] ?? ''), 2)));
    }

    /** Composer links to a package in a directory unless it is told not to. Code that it links to is code too. */
    private function theProgramFindsTheProjectThroughALink(): void
    {
        $package = $this->path . '/vendor/larder/console';
        rename($package, $this->directory->path . '/console');
        symlink($this->directory->path . '/console', $package);
        mkdir($this->directory->path . '/vendor');
        $another = '<?php throw new Error("another project\'s");';
        file_put_contents($this->directory->path . '/vendor/autoload.php', $another);

        self::assertStringContainsString('Shop\ItemPage reads item', $this->type('vendor/bin/larder deploy'));
    }

    private function withoutItsStoreThePageIsRightAndTheLogSaysSo(): void
    {
        unlink($this->path . '/php.d/larder.ini');
        // Another log, since one line a minute and cause goes to each.
        $this->shell->here['var/php.log'] = 'var/off.log';
        $pool = (string) file_get_contents($this->path . '/php-fpm.conf');
        file_put_contents($this->path . '/php-fpm.conf', strtr($pool, $this->shell->here));
        $this->type('kill -QUIT $(cat run/php-fpm.pid); while [ -e run/php-fpm.pid ]; do sleep 0.1; done');
        $this->type('php-fpm8.2 --prefix $PWD --fpm-config php-fpm.conf');

        self::assertStringContainsString('Grape, Hammer, Pear', $this->type('ask /'));
        $this->type('curl -s -o /dev/null -d title=Melon http://127.0.0.1:8080/item/1');
        self::assertStringContainsString('Hammer, Melon, Pear', $this->type('ask /'));
        self::assertSame(
            "Nothing is cached in shared memory: the PHP extension larder is not loaded\n",
            // One line a minute, so a slow machine has several.
            $this->type("grep -o 'Nothing is cached.*loaded' var/php.log | sort -u"),
        );
    }

    private function write(string $kind, string $text): void
    {
        $name = 'composer.json';
        if ($kind !== 'json') {
            self::assertSame(1, preg_match('~^(?://|;) (\S+)\n~', $text, $found), 'each block starts with its name');
            $name = $found[1];
        }
        file_put_contents("$this->path/$name", ($kind === 'php' ? "<?php\n" : '') . strtr($text, $this->shell->here));
    }

    /** @return string what a line of the tutorial prints */
    private function type(string $command): string
    {
        $process = $this->shell->type($command);
        self::assertSame('', $process->getErrorOutput(), $command);

        return str_replace("\r", '', $process->getOutput());
    }
}
