<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Tests\Support\Extension;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** Runs SharedMemoryStoreTest in processes that have the extension, since the one that runs the other tests need not have it. */
#[CoversNothing]
final class SharedMemoryStoreContractTest extends TestCase
{
    /** @return iterable<string, array{array<string, string>}> */
    public static function modes(): iterable
    {
        yield 'share' => [['larder.share' => '1']];
        yield 'copy' => [['larder.share' => '0']];
        yield 'share, values mapped read-only' => [['larder.share' => '1', 'larder.protect' => 'read']];
    }

    /** @param array<string, string> $settings */
    #[DataProvider('modes')]
    public function testItKeepsTheContract(array $settings): void
    {
        $root = \dirname(__DIR__, 3);
        $process = Extension::process($settings, $root . '/vendor/bin/phpunit', '--configuration', $root . '/phpunit.xml.dist', '--do-not-cache-result', '--no-progress', __DIR__ . '/SharedMemoryStoreTest.php');

        self::assertSame(0, $process->run(), $process->getOutput() . $process->getErrorOutput());
        self::assertMatchesRegularExpression('/^OK \(\d{3,} tests/m', $process->getOutput());
    }
}
