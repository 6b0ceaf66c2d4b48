<?php

declare(strict_types=1);

namespace Larder\Tests\Cache;

use Larder\Cache;
use Larder\Cache\Claim;
use Larder\Cache\Settings;
use Larder\Metrics\MemoryCounters;
use Larder\Store;
use Larder\Store\ArrayStore;
use Larder\Store\MemcachedNamespace;
use Larder\Store\MemcachedReplies;
use Larder\Store\MemcachedStore;
use Larder\Store\Operation;
use Larder\Store\TieredStore;
use Larder\Testbed\Server\Program;
use Larder\Tests\Store\MemcachedServers;
use Larder\Tests\Support\Counted;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** A memcached that gives its items no numbers (-C, or ElastiCache's cas_disabled), and so no leases. */
#[CoversClass(MemcachedNamespace::class)]
#[CoversClass(MemcachedReplies::class)]
#[CoversClass(Claim::class)]
final class WithoutCasTest extends TestCase
{
    private MemcachedServers $servers;
    private TestLog $log;

    protected function setUp(): void
    {
        if (!\extension_loaded('larder') || Program::find('memcached') === null) {
            self::markTestSkipped('needs the extension, and memcached');
        }
        $this->servers = new MemcachedServers(1, ['-C']);
        $this->log = new TestLog();
    }

    protected function tearDown(): void
    {
        $this->servers->stop();
    }

    public function testNobodyWaitsAndTheLogSaysOnceWhy(): void
    {
        $store = MemcachedStore::on($this->servers->addresses(), 'app', $this->log);
        foreach ([$store, TieredStore::over(new ArrayStore(), $store)] as $number => $each) {
            self::assertSame([], $this->waits($each, "key $number"));
        }
        $said = array_filter($this->log->lines(), static fn(string $line): bool => str_contains($line, '-C'));
        self::assertCount(1, $said);
    }

    public function testTheLeaseIsLostAlready(): void
    {
        $store = MemcachedStore::on($this->servers->addresses(), 'app', $this->log);
        $store->set('there', 'value');
        // The first call asks for the generation of the keys, the next ones know it.
        for ($i = 0; $i < 3; ++$i) {
            $missing = $store->getOrLease("key $i");
            self::assertSame([false, 0, true], [$missing->hit, $missing->lease, $missing->answered]);
            self::assertSame('value', $store->getOrLease('there')->value);
            self::assertSame(0, $store->lease("other $i"));
            self::assertSame(0, $store->lease('there'));
            $answers = Operation::run($store, [
                Operation::getOrLease("one $i", 1.0),
                Operation::lease("two $i", 1.0),
                Operation::read("three $i"),
            ]);
            self::assertSame([0, 0], [$answers[0]->lease, $answers[1]->lease]);
        }
    }

    public function testNobodyWaitsOnAClientOfItsOwn(): void
    {
        $client = $this->servers->client();
        for ($i = 0; $i < 2; ++$i) {
            $missing = $client->getOrLease('missing');
            self::assertSame([false, 0, true], [$missing->hit, $missing->lease, $missing->answered]);
        }
        $client->set('there', 'value');
        self::assertSame(['value', null], [$client->getOrLease('there')->value, $client->getOrLease('there')->lease]);
        self::assertSame(0, $client->lease('there'));
        self::assertSame([], $this->waits($client, 'key'));
        $said = array_filter($this->log->lines(), static fn(string $line): bool => str_contains($line, 'CAS'));
        self::assertCount(1, $said);
    }

    /** @return array<string, int> counts of waits */
    private function waits(Store $store, string $key): array
    {
        $counters = new MemoryCounters();
        $cache = new Cache($store, settings: new Settings(wait: 5.0), log: $this->log, counters: $counters);
        $cache->remember($key, static fn(): string => 'made', 60.0);
        self::assertSame(['a' => 1], $cache->rememberMultiple(['a'], static fn(): array => ['a' => 1], 60.0));
        $cache->flush();

        return array_filter(
            Counted::by($counters),
            static fn(string $name): bool => str_contains($name, 'waits'),
            ARRAY_FILTER_USE_KEY,
        );
    }
}
