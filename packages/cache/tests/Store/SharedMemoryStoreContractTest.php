<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Tests\Support\Extension;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** Runs SharedMemoryStoreTest under the settings of php.ini that the process of the other tests does not have. */
#[CoversNothing]
final class SharedMemoryStoreContractTest extends TestCase
{
    /** @return iterable<string, array{array<string, string>}> */
    public static function modes(): iterable
    {
        yield 'share' => [['larder.share' => '1']];
        yield 'share, values mapped read-only' => [['larder.share' => '1', 'larder.protect' => 'read']];
    }

    /** @param array<string, string> $settings */
    #[DataProvider('modes')]
    public function testItKeepsTheContract(array $settings): void
    {
        if (!\extension_loaded('larder')) {
            self::markTestSkipped('runs where the extension is loaded');
        }
        $root = \dirname(__DIR__, 4);
        $process = Extension::process(
            $settings,
            $root . '/vendor/bin/phpunit',
            '--configuration',
            $root . '/phpunit.xml.dist',
            '--do-not-cache-result',
            '--no-progress',
            __DIR__ . '/SharedMemoryStoreTest.php',
        );

        self::assertSame(0, $process->run(), $process->getOutput() . $process->getErrorOutput());
        self::assertMatchesRegularExpression('/^OK \(\d{3,} tests/m', $process->getOutput());
    }
}
