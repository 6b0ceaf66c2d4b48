<?php

declare(strict_types=1);

namespace Larder\Tests\Readme;

use Larder\Proof\Support\Extension;
use Larder\Testbed\Server\Ports;
use Larder\Testbed\Server\Program;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Store\MemcachedServers;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/**
 * Does what docs/tutorial/memcached.md, README.md and the guides for those who come from another client say, and
 * compares what they show.
 */
#[CoversNothing]
final class MemcachedTest extends TestCase
{
    private const ROOT = __DIR__ . '/../../..';

    private TemporaryDirectory $directory;

    /** @var array<array-key, string> what the pages name, and what it is here */
    private array $places = [];

    protected function setUp(): void
    {
        if (Program::find('memcached') === null) {
            self::markTestSkipped('needs memcached');
        }
        $this->directory = new TemporaryDirectory();
    }

    protected function tearDown(): void
    {
        foreach ((array) glob($this->directory->path . '/*.pid') as $file) {
            posix_kill((int) file_get_contents((string) $file), SIGKILL);
        }
        $this->directory->remove();
    }

    public function testTheTutorialShowsWhatHappens(): void
    {
        $tutorial = self::page('docs/tutorial/memcached.md');
        $this->places = ['11211' => (string) Ports::free(), '11212' => (string) Ports::free()];
        preg_match_all('~^```(php|console)\n(.+?)^```$~ms', $tutorial, $blocks, PREG_SET_ORDER);
        self::assertCount(substr_count($tutorial, "\n```php\n") + substr_count($tutorial, "\n```console\n"), $blocks);
        $shown = $happened = '';
        foreach ($blocks as [, $kind, $text]) {
            if ($kind === 'php') {
                $this->write($text);
                continue;
            }
            $shown .= $text;
            preg_match_all('~^\$ (.+)$~m', $text, $commands);
            foreach ($commands[1] as $command) {
                $happened .= "$ $command\n" . strtr($this->shell($command), array_flip($this->places));
            }
        }

        self::assertSame($shown, $happened);
    }

    /** @return iterable<string, array{string}> */
    public static function guides(): iterable
    {
        yield 'ext-memcached' => ['memcached'];
        yield 'pecl-memcache' => ['memcache'];
    }

    #[DataProvider('guides')]
    public function testBothClientsHaveTheSameValues(string $extension): void
    {
        if (!\extension_loaded($extension)) {
            self::markTestSkipped("needs the PHP extension $extension");
        }
        $names = ['memcached' => 'from-ext-memcached.md', 'memcache' => 'from-pecl-memcache.md'];
        $guide = self::page('docs/how-to/' . $names[$extension]);
        preg_match_all('~^```php\n(// \S+\n.+?)^```\n\n```text\n(.+?)^```$~ms', $guide, $examples, PREG_SET_ORDER);
        self::assertCount(
            substr_count($guide, "\n```php\n"),
            $examples,
            'each example has a file name and shows what it prints',
        );
        self::assertNotEmpty($examples);
        $servers = new MemcachedServers(2);
        try {
            $this->places = array_combine(['127.0.0.1:11211', '127.0.0.1:11212'], $servers->addresses());
            $ports = array_map(
                static fn(string $address): string => substr($address, \strlen('127.0.0.1:')),
                $servers->addresses(),
            );
            $this->places += array_combine(['11211', '11212'], $ports);
            foreach ($examples as [, $code, $shown]) {
                self::assertSame($shown, strtr($this->shell('php ' . $this->write($code)), array_flip($this->places)));
            }
        } finally {
            $servers->stop();
        }
    }

    /** Every method and constant of the other extension has its place in the table. */
    #[TestWith(['from-ext-memcached.md', 'memcached', 'Memcached'])]
    #[TestWith(['from-pecl-memcache.md', 'memcache', 'Memcache'])]
    public function testAGuideNamesAllThatTheOtherClassHas(string $guide, string $extension, string $class): void
    {
        if (!\extension_loaded($extension) || !class_exists($class, false)) {
            self::markTestSkipped("needs the PHP extension $extension");
        }
        $text = self::page('docs/how-to/' . $guide);
        $reflection = new \ReflectionClass($class);
        $names = array_map(
            static fn(\ReflectionMethod $method): string => $method->getName(),
            $reflection->getMethods(),
        );
        $names = [
            ...$names,
            ...array_map(
                static fn(string $name): string => (string) preg_replace('~^(HAVE|RES)_.*~', '$1_', $name),
                array_keys($reflection->getConstants()),
            ),
        ];
        $names = [...$names, ...array_keys((array) ini_get_all($extension, false))];
        $names = preg_replace('~^memcached\.sess_.*~', 'memcached.sess_', $names);
        $missing = array_filter(array_unique($names), static fn(string $name): bool => stripos($text, $name) === false);

        self::assertSame([], array_values($missing));
    }

    public function testTheReadmeShowsWhatHappens(): void
    {
        preg_match('~^```php\n(// catalogue\.php\n.+?)^```$~ms', self::page('README.md'), $block);
        self::assertArrayHasKey(1, $block);
        $servers = new MemcachedServers(1);
        try {
            $this->places = ['127.0.0.1:11211' => $servers->address(0)];
            preg_match_all('~^echo .*// (.+)$~m', $block[1], $comments);
            self::assertNotEmpty($comments[1]);
            self::assertSame(implode("\n", $comments[1]) . "\n", $this->shell('php ' . $this->write($block[1])));
        } finally {
            $servers->stop();
        }
    }

    public function testTheReadmesExampleSurvivesADeadServer(): void
    {
        preg_match('~^```php\n(// catalogue\.php\n.+?)^```$~ms', self::page('README.md'), $block);
        $this->places = ['127.0.0.1:11211' => '127.0.0.1:' . Ports::free()];

        self::assertSame(
            "[]\nRefused\n[false,false,null]\nRefused\n1\n",
            $this->shell('php ' . $this->write($block[1] ?? '')),
        );
    }

    /** From the first example that counts on, none ends for want of a server. */
    public function testTheTutorialsExamplesSurviveDeadServers(): void
    {
        preg_match_all('~^```php\n(.+?)^```$~ms', self::page('docs/tutorial/memcached.md'), $blocks);
        $this->places = ['11211' => (string) Ports::free(), '11212' => (string) Ports::free()];
        foreach ($blocks[1] as $code) {
            $name = $this->write($code);
            if (!\in_array($name, ['cache.php', 'failing.php'], true)) {
                self::assertStringNotContainsString('rror', $this->shell("php $name"), $name);
            }
        }
    }

    #[TestWith(['docs/tutorial/memcached.md'])]
    #[TestWith(['docs/reference/memcached.md'])]
    #[TestWith(['docs/how-to/from-ext-memcached.md'])]
    #[TestWith(['docs/how-to/from-pecl-memcache.md'])]
    #[TestWith(['docs/decisions/0008-memcached-client.md'])]
    public function testLinksLeadToPages(string $page): void
    {
        preg_match_all('~\]\(([^)#]+)(?:#[^)]*)?\)~', self::page($page), $links);
        foreach ($links[1] as $link) {
            self::assertFileExists(self::ROOT . '/' . \dirname($page) . '/' . $link);
        }
    }

    /** @return string its name */
    private function write(string $code): string
    {
        self::assertSame(1, preg_match('~^// (\S+)\n~', $code, $name), 'each block starts with its file name');
        file_put_contents($this->directory->path . '/' . $name[1], "<?php\n" . strtr($code, $this->places));

        return $name[1];
    }

    /** The output of a line of the tutorial, where `php` has the extension. */
    private function shell(string $command): string
    {
        $php = Extension::process(['larder.size' => 0])->getCommandLine();
        $root = posix_geteuid() === 0 ? '-u root' : '';
        $functions = "php() { $php \"\$@\"; }; memcached() { command memcached $root \"\$@\"; }; ";
        $process = Process::fromShellCommandline(
            $functions . strtr($command, $this->places),
            $this->directory->path,
            timeout: 600,
        );
        $process->mustRun();
        self::assertSame('', $process->getErrorOutput());
        if (preg_match('~^memcached .*-p (\d+)~', strtr($command, $this->places), $port) === 1) {
            for ($tries = 0; $tries < 500 && @fsockopen('127.0.0.1', (int) $port[1]) === false; ++$tries) {
                usleep(10_000);
            }
        }

        return $process->getOutput();
    }

    private static function page(string $path): string
    {
        return (string) file_get_contents(self::ROOT . '/' . $path);
    }
}
