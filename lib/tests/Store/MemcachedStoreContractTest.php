<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Tests\Support\Extension;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Process\Process;

/** Runs the tests of MemcachedStore in processes that have the extension, and looks at one that has not. */
#[CoversNothing]
final class MemcachedStoreContractTest extends TestCase
{
    /** @return iterable<string, array{string, int, int}> file, servers, and how many tests it has at least */
    public static function files(): iterable
    {
        yield 'the contract on one server' => ['MemcachedStoreTest.php', 1, 100];
        yield 'the contract on three servers' => ['MemcachedStoreTest.php', 3, 100];
        yield 'generations' => ['MemcachedNamespaceTest.php', 2, 25];
    }

    #[DataProvider('files')]
    public function testItKeepsTheContract(string $file, int $servers, int $tests): void
    {
        $root = \dirname(__DIR__, 3);
        $process = Extension::process([], $root . '/vendor/bin/phpunit', '--configuration', $root . '/phpunit.xml.dist', '--do-not-cache-result', '--no-progress', __DIR__ . '/' . $file);
        $process->setTimeout(180);

        self::assertSame(0, $process->run(null, ['LARDER_TEST_SERVERS' => (string) $servers]), $process->getOutput() . $process->getErrorOutput());
        self::assertSame(1, preg_match('/^OK \((\d+) tests/m', $process->getOutput(), $found), $process->getOutput());
        self::assertGreaterThanOrEqual($tests, (int) $found[1]);
    }

    public function testAnApplicationRunsWithoutTheExtension(): void
    {
        $program = <<<'PHP'
            $log = new Larder\Tests\Support\TestLog();
            $store = Larder\Store\MemcachedStore::on('127.0.0.1:1', 'site', $log);
            echo json_encode([$store->set('k', 1)->name, $store->get('k', 'missed'), $store->getOrLease('k')->lease !== null, $log->lines()]);
            PHP;
        $process = new Process([PHP_BINARY, '-n', '-r', 'require ' . var_export(\dirname(__DIR__, 3) . '/vendor/autoload.php', true) . ';' . $program]);
        $process->mustRun();

        self::assertSame(
            ['Refused', 'missed', true, ['warning: Nothing is cached on memcached: the PHP extension larder is not loaded. Add extension=larder.so to the php.ini of this PHP.']],
            json_decode($process->getOutput(), true),
        );
    }
}
