<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Store\Ring;
use Larder\Tests\Support\Extension;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** A PHP with the extension and one without it look for a key on the same server. */
#[CoversClass(Ring::class)]
final class RingTest extends TestCase
{
    private const SERVERS = ['10.0.0.1:6379', 'unix:/run/redis.sock', '[::1]:6380'];

    /** Those servers as the ring names them. */
    private const NAMES = ['10.0.0.1:6379', '/run/redis.sock:0', '::1:6380'];

    /**
     * @return iterable<string, array{non-empty-list<int>, string}> weights, and what the extension found for 60 keys
     */
    public static function found(): iterable
    {
        yield 'equals' => [[1, 1, 1], '001100101110022021200122102210212210100212022111212101201002'];
        yield 'weights' => [[1, 2, 5], '022202121112022022222222122212222220220212222211212112222212'];
    }

    /** @param non-empty-list<int> $weights */
    #[DataProvider('found')]
    public function testItIsTheRingOfTheExtension(array $weights, string $found): void
    {
        $ring = new Ring(self::NAMES, $weights);
        $servers = '';
        for ($number = 0; $number < 60; ++$number) {
            $servers .= $ring->find(str_repeat('k', $number % 20) . $number);
        }

        self::assertSame($found, $servers);
    }

    /** @return iterable<string, array{non-empty-list<int>}> */
    public static function weights(): iterable
    {
        yield 'equals' => [[1, 1, 1]];
        yield 'small weights' => [[1, 2, 5]];
        yield 'large weights' => [[1000, 1, 999]];
    }

    /** @param non-empty-list<int> $weights */
    #[DataProvider('weights')]
    public function testThousandsOfKeysLieWhereTheExtensionHasThem(array $weights): void
    {
        $program = <<<'PHP'
            [$servers, $names, $weights] = json_decode($argv[1], true);
            $memcached = new Larder\Memcached(array_combine($servers, $weights), timeout: 100);
            $ring = new Larder\Store\Ring($names, $weights);
            $wrong = $keys = 0;
            $forms = [
                static fn(int $n) => "news:$n",
                static fn(int $n) => hash('sha512', "$n", true) . $n,
                static fn(int $n) => str_repeat(chr($n % 256), 1 + $n % 180),
            ];
            foreach ($forms as $key) {
                for ($number = 0; $number < 2000; ++$number) {
                    ++$keys;
                    $wrong += $memcached->serverOf($key($number)) === $servers[$ring->find($key($number))] ? 0 : 1;
                }
            }
            echo "$wrong of $keys";
            PHP;

        self::assertSame(
            '0 of 6000',
            Extension::output([], $program, json_encode([self::SERVERS, self::NAMES, $weights], JSON_THROW_ON_ERROR)),
        );
    }

    public function testOneServerHasAllKeys(): void
    {
        self::assertSame(0, (new Ring(['a:1'], [1]))->find('k'));
    }
}
