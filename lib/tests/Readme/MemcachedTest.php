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

/**
 * Does what docs/tutorial/memcached.md and the guides for those who come from another client say, and compares what
 * they show.
 */
#[CoversNothing]
final class MemcachedTest extends TestCase
{
    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        if (Program::find('memcached') === null) {
            self::markTestSkipped('needs memcached');
        }
        $this->directory = new TemporaryDirectory();
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
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
        $servers = new MemcachedServers(2);
        try {
            $ports = array_map(
                static fn(string $address): string => substr($address, \strlen('127.0.0.1:')),
                $servers->addresses(),
            );
            $places = array_combine(['127.0.0.1:11211', '127.0.0.1:11212'], $servers->addresses())
                + array_combine(['11211', '11212'], $ports);
            $this->page('docs/how-to/' . $names[$extension], $places)->assertExamplesPrint();
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
        $text = ShownPage::read('docs/how-to/' . $guide);
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

    /** MemcachedGuideTest runs it over a server. */
    public function testTheClientInEightLinesSurvivesADeadServer(): void
    {
        $guide = $this->page('docs/how-to/memcached.md', ['127.0.0.1:11211' => '127.0.0.1:' . Ports::free()]);

        self::assertSame(
            "[]\nRefused\n[false,false,null]\nRefused\n1\n",
            $guide->output('php ' . $guide->write($guide->code()['catalogue.php'] ?? '')),
        );
    }

    /** From the first example that counts on, none ends for want of a server. */
    public function testTheTutorialsExamplesSurviveDeadServers(): void
    {
        $places = ['11211' => (string) Ports::free(), '11212' => (string) Ports::free()];
        $tutorial = $this->page('docs/tutorial/memcached.md', $places);
        foreach ($tutorial->code() as $name => $code) {
            $tutorial->write($code);
            if (!\in_array($name, ['cache.php', 'failing.php'], true)) {
                self::assertStringNotContainsString('rror', $tutorial->output("php $name"), $name);
            }
        }
    }

    /** @param array<array-key, string> $places */
    private function page(string $page, array $places): ShownPage
    {
        return new ShownPage($page, $this->directory->path, $places, ['larder.size' => '0']);
    }

}
