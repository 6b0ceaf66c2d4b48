<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Published;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Result\Published;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\ConnectPerCall;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Subject\Memcached\ExtMemcached;
use Larder\Bench\Tests\Workload\ManyKeys\Store;
use Larder\Bench\Workload\Eav\ArrayCustomers;
use Larder\Bench\Workload\Published\PublishedRun;
use Larder\Bench\Workload\Published\SetGetTriangle;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(SetGetTriangle::class)]
final class SetGetTriangleTest extends TestCase
{
    /** @var list<string> */
    private array $progress = [];

    public function testPrintsTheSourcesTableForEachPassAndTheAverage(): void
    {
        $published = $this->publish(new SetGetTriangle(self::stores(), limit: 4, passes: 5));

        $tables = explode("\n\n", rtrim($published->text));
        self::assertCount(6, $tables);
        foreach ($tables as $table) {
            $lines = explode("\n", $table);
            self::assertSame('runs;file;mysql;memcache', array_shift($lines));
            self::assertCount(4, $lines);
            foreach ($lines as $index => $line) {
                self::assertMatchesRegularExpression('/^' . ($index + 1) . '(;\d+(\.\d+)?(E-\d+)?){3}$/', $line);
            }
        }
        self::assertSame('set-get', $published->test);
        self::assertStringStartsWith('B7: ', $published->title);
        self::assertStringContainsString('always', $published->remark);
        self::assertSame('set-get: pass 5 of 5', end($this->progress));
    }

    public function testSetsAndGetsEachVariable(): void
    {
        $stores = ['file' => new Store(), 'mysql' => new Store(), 'memcache' => new Store()];
        $this->publish(new SetGetTriangle(array_map(self::definition(...), $stores), limit: 200, passes: 1));

        foreach ($stores as $store) {
            self::assertSame(['set' => 20_100, 'get' => 20_100], $store->calls);
            self::assertCount(200, $store->entries);
            self::assertSame('200', end($store->entries));
        }
    }

    public function testGetsOnly(): void
    {
        $store = new Store();
        $published = $this->publish(
            new SetGetTriangle(['file' => self::definition($store)], getOnly: true, limit: 10, passes: 2),
        );

        self::assertSame(['set' => 20, 'get' => 110], $store->calls);
        self::assertSame('get-only', $published->test);
        self::assertStringStartsWith("runs;file\n1;", $published->text);
    }

    public function testBeginsEachPassWithAnotherStoreIfTold(): void
    {
        /** @var \ArrayObject<int, string> $order */
        $order = new \ArrayObject();
        $definition = static function (string $name) use ($order): Definition {
            return new Definition($name, $name, Store::class, static function () use ($name, $order): ObservedStore {
                return new ObservedStore(static function () use ($name, $order): void {
                    $order->append($name);
                });
            });
        };
        $columns = ['a' => $definition('a'), 'b' => $definition('b'), 'c' => $definition('c')];
        $fixed = $this->publish(new SetGetTriangle($columns, limit: 1, passes: 4));
        self::assertSame('abcabcabcabc', implode('', $order->getArrayCopy()));

        $order->exchangeArray([]);
        $rotated = $this->publish(new SetGetTriangle($columns, rotate: true, limit: 1, passes: 4));
        self::assertSame('abcbcacababc', implode('', $order->getArrayCopy()));
        self::assertSame(['set-get', 'set-get-rotated'], [$fixed->test, $rotated->test]);
        self::assertStringStartsWith("runs;a;b;c\n", $rotated->text);
    }

    public function testStopsAtAWrongReply(): void
    {
        $this->expectException(WrongReply::class);
        $this->expectExceptionMessage('mysql: variable 2 came back as');

        $this->publish(
            new SetGetTriangle(
                ['file' => self::definition(new Store()), 'mysql' => self::definition(new Store('other-key'))],
                limit: 3,
                passes: 1,
            ),
        );
    }

    public function testNeedsKeysAndValues(): void
    {
        $this->expectException(Failed::class);

        $this->publish(
            new SetGetTriangle([
                'file' => new Definition('x', 'x', ArrayCustomers::class, static fn() => new ArrayCustomers()),
            ]),
        );
    }

    public function testWritesNumbersAsEchoDoes(): void
    {
        $columns = ['file', 'mysql'];
        $passes = [
            [1 => ['file' => 0.5, 'mysql' => 12.0], 2 => ['file' => 1 / 3, 'mysql' => 1e-6]],
            [1 => ['file' => 1.5, 'mysql' => 14.0], 2 => ['file' => 1 / 3, 'mysql' => 1e-6]],
        ];

        self::assertSame(<<<'CSV'
            runs;file;mysql
            1;0.5;12
            2;0.33333333333333;1.0E-6

            runs;file;mysql
            1;1.5;14
            2;0.33333333333333;1.0E-6

            runs;file;mysql
            1;1;13
            2;0.33333333333333;1.0E-6

            CSV, SetGetTriangle::csv($columns, $passes));
        self::assertSame(
            'file 1.3 (0.8 to 1.8), mysql 13.0 (12.0 to 14.0); file took least',
            SetGetTriangle::summary($columns, $passes),
        );
    }

    public function testRunsWithAMemcachedThatIsConnectedToInEachCall(): void
    {
        $directory = new TemporaryDirectory();
        $server = new Memcached($directory->path . '/memcached');
        $client = static fn(): ExtMemcached => new ExtMemcached();
        $make = static fn(): ConnectPerCall => new ConnectPerCall($client, $client);
        $connecting = new Definition('memcached-connect', 'memcached', ConnectPerCall::class, $make, Kind::Memcached);
        $asked = [];
        try {
            $published = (new SetGetTriangle(['memcache' => $connecting], limit: 20, passes: 2))->run(
                static function (string $kind, int $instances) use ($server, &$asked): array {
                    $asked[] = [$kind, $instances];

                    return [$server->endpoint()];
                },
                $directory->path,
                static fn() => null,
            );
        } finally {
            $server->stop();
            $directory->remove();
        }

        self::assertSame([[Kind::Memcached->value, 1]], $asked);
        self::assertCount(3 * 21 + 2, explode("\n", rtrim($published->text)));
    }

    private function publish(PublishedRun $run): Published
    {
        return $run->run(
            /** @return list<Endpoint> */
            static fn(string $kind, int $instances): array => self::fail('no server is needed'),
            '/nowhere',
            function (string $line): void {
                $this->progress[] = $line;
            },
        );
    }

    /** @return non-empty-array<string, Definition> */
    private static function stores(): array
    {
        return array_map(
            static fn(string $name): Definition => self::definition(new Store()),
            ['file' => 'file', 'mysql' => 'mysql', 'memcache' => 'memcache'],
        );
    }

    private static function definition(Store $store): Definition
    {
        return new Definition('store', 'store', Store::class, static fn(): Store => $store);
    }
}
