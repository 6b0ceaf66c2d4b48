<?php

declare(strict_types=1);

namespace Larder\Tests\Psr;

use Larder\Tests\Support\Extension;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/**
 * Runs the conformance tests of both standards on every store that is shared, in processes that have the extension;
 * without those that check the tables of sentences, which do not depend on the store.
 */
#[CoversNothing]
final class StoresTest extends TestCase
{
    private const TESTS = ['PoolTest.php', 'SimpleCacheTest.php'];

    private const STORES = [
        'shared memory' => ['shared', ['larder.share' => '1']],
        'shared memory, values copied' => ['shared', ['larder.share' => '0']],
        'memcached' => ['memcached', []],
        'Redis by phpredis' => ['phpredis', []],
        'Redis by Predis' => ['predis', []],
    ];

    /** @var array<string, list<Process>> by store; they wait for times to live, and so run side by side */
    private static array $running = [];

    public static function setUpBeforeClass(): void
    {
        foreach (self::STORES as $name => [$store, $settings]) {
            foreach ($store === 'phpredis' && !\extension_loaded('redis') ? [] : self::TESTS as $test) {
                self::$running[$name][] = $process = self::process($store, $settings, $test);
                $process->start();
            }
        }
    }

    public static function tearDownAfterClass(): void
    {
        foreach (array_merge(...array_values(self::$running)) as $process) {
            $process->stop();
        }
        self::$running = [];
    }

    /** @return iterable<string, array{string}> */
    public static function stores(): iterable
    {
        foreach (array_keys(self::STORES) as $name) {
            yield $name => [$name];
        }
    }

    #[DataProvider('stores')]
    public function testItHoldsOn(string $name): void
    {
        if (!isset(self::$running[$name])) {
            self::markTestSkipped('needs the PHP extension redis');
        }
        foreach (self::$running[$name] as $process) {
            self::assertSame(0, $process->wait(), $process->getOutput() . $process->getErrorOutput());
            self::assertMatchesRegularExpression('/^OK \(\d{2,} tests/m', $process->getOutput());
        }
    }

    /** @param array<string, string> $settings */
    private static function process(string $store, array $settings, string $file): Process
    {
        $root = \dirname(__DIR__, 4);
        $process = Extension::process(
            $settings,
            $root . '/vendor/bin/phpunit',
            '--configuration',
            $root . '/phpunit.xml.dist',
            '--do-not-cache-result',
            '--no-progress',
            '--exclude-group=table',
            __DIR__ . '/' . $file,
        );

        return $process->setEnv(['LARDER_TEST_STORE' => $store]);
    }
}
