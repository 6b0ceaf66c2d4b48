<?php

declare(strict_types=1);

namespace Larder\Tests\Psr;

use Larder\Proof\Support\Extension;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/**
 * Runs the conformance tests of both standards on every store that is shared, in processes that have the extension;
 * without those that check the tables of sentences, which do not depend on the store.
 */
#[CoversNothing]
final class StoresTest extends TestCase
{
    /** @return iterable<string, array{string, array<string, string>}> */
    public static function stores(): iterable
    {
        yield 'shared memory' => ['shared', ['larder.share' => '1']];
        yield 'shared memory, values copied' => ['shared', ['larder.share' => '0']];
        yield 'memcached' => ['memcached', []];
        yield 'Redis by phpredis' => ['phpredis', []];
        yield 'Redis by Predis' => ['predis', []];
    }

    /** @param array<string, string> $settings */
    #[DataProvider('stores')]
    public function testItHoldsOn(string $store, array $settings): void
    {
        if ($store === 'phpredis' && !\extension_loaded('redis')) {
            self::markTestSkipped('needs the PHP extension redis');
        }
        foreach ([PoolTest::class, SimpleCacheTest::class] as $test) {
            $root = \dirname(__DIR__, 3);
            $file = __DIR__ . '/' . substr((string) strrchr($test, '\\'), 1) . '.php';
            $process = Extension::process(
                $settings,
                $root . '/vendor/bin/phpunit',
                '--configuration',
                $root . '/phpunit.xml.dist',
                '--do-not-cache-result',
                '--no-progress',
                '--exclude-group=table',
                $file,
            );
            $process->setEnv(['LARDER_TEST_STORE' => $store]);

            self::assertSame(0, $process->run(), $process->getOutput() . $process->getErrorOutput());
            self::assertMatchesRegularExpression('/^OK \(\d{2,} tests/m', $process->getOutput());
        }
    }
}
