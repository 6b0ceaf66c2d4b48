<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Tests\Support\Extension;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** Runs the tests of TieredStore in processes that have the extension. */
#[CoversNothing]
final class TieredStoreContractTest extends TestCase
{
    /** @return iterable<string, array{string, string, int}> file, lag, and how many tests it has at least */
    public static function files(): iterable
    {
        yield 'the contract without lag' => ['TieredStoreTest.php', '0', 100];
        yield 'the contract with a lag' => ['TieredStoreTest.php', '0.2', 100];
        yield 'values' => ['TieredValuesTest.php', '0', 40];
        yield 'servers' => ['TieredServersTest.php', '0', 9];
    }

    #[DataProvider('files')]
    public function testItKeepsTheContract(string $file, string $lag, int $tests): void
    {
        $root = \dirname(__DIR__, 3);
        $process = Extension::process([], $root . '/vendor/bin/phpunit', '--configuration', $root . '/phpunit.xml.dist', '--do-not-cache-result', '--no-progress', __DIR__ . '/' . $file);
        $process->setTimeout(180);

        self::assertSame(0, $process->run(null, ['LARDER_TEST_LAG' => $lag]), $process->getOutput() . $process->getErrorOutput());
        self::assertSame(1, preg_match('/^OK \((\d+) tests/m', $process->getOutput(), $found), $process->getOutput());
        self::assertGreaterThanOrEqual($tests, (int) $found[1]);
    }

    /** 2 MB take no value of a million bytes, and fifty of 100,000 push each other out. */
    public function testANearStoreThatIsTooSmallCostsNothingButSpeed(): void
    {
        $program = <<<'PHP'
            $memory = new Larder\SharedMemory();
            $far = new Larder\Store\MemcachedStore('site', new Larder\Memcached($argv[1], timeout: 5000, shared: false));
            $store = new Larder\Store\TieredStore($memory, $far);
            $store->set('large', $large = random_bytes(1_000_000));
            while ($far->confirm([], ['large'])->stamps === []) {
                usleep(50_000);
            }
            $right = [$store->get('large') === $large, $store->get('large') === $large, $memory->has('large'), $store->has('large')];
            $isRight = true;
            foreach (range(1, 100) as $number) {
                $value = str_repeat((string) ($number % 10), 100_000);
                $store->set('k' . $number % 50, $value);
                $isRight = $isRight && $store->get('k' . $number % 50) === $value && $store->get('k' . $number % 50) === $value;
            }
            array_push($right, $isRight);
            $right[] = $memory->info()['evictions'] > 0;
            echo json_encode($right);
            PHP;
        $servers = new MemcachedServers(1);
        try {
            self::assertSame('[true,true,false,true,true,true]', Extension::output(['larder.size' => '2M'], $program, $servers->address(0)));
        } finally {
            $servers->stop();
        }
    }
}
