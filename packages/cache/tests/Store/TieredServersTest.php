<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Exception\FailoverIsOn;
use Larder\Memcached;
use Larder\Metrics\FileCounters;
use Larder\Outcome;
use Larder\SharedMemory;
use Larder\Store\MemcachedKeys;
use Larder\Store\MemcachedStamps;
use Larder\Store\MemcachedStore;
use Larder\Store\NullStore;
use Larder\Store\TieredStore;
use Larder\Tests\Support\Counted;
use Larder\Tests\Support\Extension;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** What a far server that restarts, hangs or is gone does to values that are kept near. */
#[CoversClass(TieredStore::class)]
#[CoversClass(MemcachedStamps::class)]
final class TieredServersTest extends TestCase
{
    /** Pairs of servers that are started together, since each needs seconds until it gives stamps. */
    private const PAIRS = 6;

    /** @var list<MemcachedServers> settled, and not used yet */
    private static array $settled = [];

    private MemcachedServers $servers;
    private SharedMemory $memory;

    public static function tearDownAfterClass(): void
    {
        array_map(static fn(MemcachedServers $servers) => $servers->stop(), self::$settled);
        self::$settled = [];
    }

    protected function setUp(): void
    {
        if (!\extension_loaded('larder')) {
            self::markTestSkipped('needs the PHP extension larder in this process');
        }
        if (self::$settled === []) {
            self::$settled = array_map(static fn(): MemcachedServers => new MemcachedServers(2), range(1, self::PAIRS));
            array_map(static fn(MemcachedServers $servers) => $servers->settle(), self::$settled);
        }
        $this->servers = array_pop(self::$settled);
        $this->memory = new SharedMemory('near');
        $this->memory->clear();
    }

    protected function tearDown(): void
    {
        if (isset($this->servers)) {
            $this->servers->stop();
        }
    }

    /** @return iterable<string, array{bool}> whether the new server has run for so long that it gives stamps */
    public static function ages(): iterable
    {
        yield 'just now' => [false];
        yield 'some seconds ago' => [true];
    }

    /**
     * The generation lies on the other server and stays, and so does our connection until it is used; and the key has
     * the very same CAS number again, with another value.
     */
    #[DataProvider('ages')]
    public function testAServerThatRestartedAndCountedToTheSameNumberIsNotBelieved(bool $isOld): void
    {
        $client = $this->servers->client();
        $far = new MemcachedStore('site', $client);
        $store = new TieredStore($this->memory, $far);
        $store->set('first', 1);
        [$key, $item, $server] = $this->keyApart($client);
        $store->set($key, self::rows('old'));
        $number = $client->read($item)->version;
        self::assertSame(self::rows('old'), $store->get($key));
        self::assertSame(self::rows('old'), $store->get($key));
        self::assertTrue($this->memory->has($key));

        $this->servers->restart($server);
        // By connections of their own: the store's has not noticed.
        $other = $this->servers->client(timeout: 3000);
        if ($isOld) {
            $this->servers->settle(timeout: 4000);
        }
        for ($tries = 0; $tries < 1000 && $other->read($item)->version < $number; ++$tries) {
            $other->set($item, self::rows('new'));
        }
        self::assertSame($number, $other->read($item)->version);

        // The read that finds the connection closed is a miss.
        self::assertContains($store->get($key), [null, self::rows('new')]);
        for ($read = 0; $read < 3; ++$read) {
            self::assertSame(self::rows('new'), $store->get($key));
        }
        self::assertSame(Outcome::Done, $store->delete($key));
        self::assertFalse($store->read($key)->hit);
    }

    /**
     * A value read from one process, and the question who it was answered by the next one: that one's number is another
     * value's.
     */
    public function testAProcessThatIsAnotherOneAfterTheReadGivesNoStamp(): void
    {
        $this->servers->start();
        $this->servers->settle();
        $client = $this->servers->client(timeout: 5000);
        $log = new TieredHookedLog();
        $far = new MemcachedStore('site', $client, $log);
        $store = new TieredStore($this->memory, $far);
        $store->set('first', 1);
        [$key, $item, $server] = $this->keyApart($client);
        [$failing, , $third] = $this->keyApart($client, $server);
        $store->set($key, self::rows('old'));
        $number = $client->read($item)->version;
        $store->get($key);
        $store->get($key);
        $this->memory->clear();
        $this->servers->kill($third);
        $log->hook = function () use ($client, $server, $third): void {
            $client->close();
            $this->servers->restart($server);
            $this->servers->restart($third);
            $this->servers->settle(timeout: 4000);
        };

        self::assertSame([$key => self::rows('old')], $store->getMultiple([$key, $failing]));
        self::assertNull($log->hook, 'the server restarted meanwhile');
        $other = $this->servers->client(timeout: 3000);
        for ($tries = 0; $tries < 1000 && $other->read($item)->version < $number; ++$tries) {
            $other->set($item, self::rows('new'));
        }
        self::assertSame($number, $other->read($item)->version);
        self::assertSame(self::rows('new'), $store->get($key));
        self::assertSame(self::rows('new'), $store->get($key));
    }

    public function testAConnectionThatWasClosedButLedToTheSameProcessCostsNoFetch(): void
    {
        $client = $this->servers->client();
        $far = new TieredHookedFar(new MemcachedStore('site', $client));
        $store = new TieredStore($this->memory, $far);
        $store->set('k', self::rows('old'));
        $store->get('k');
        $store->get('k');
        $far->asked();
        $client->close();

        self::assertSame(self::rows('old'), $store->get('k'));
        $asked = $far->asked();
        self::assertCount(1, $asked);
        self::assertSame(['k'], array_keys($asked[0]['stamps']));
    }

    public function testAServerThatCameBackEmptyGivesAMiss(): void
    {
        $store = new TieredStore($this->memory, new MemcachedStore('site', $this->servers->client()));
        $keys = array_map(static fn(int $number): string => 'k' . $number, range(1, 20));
        $store->setMultiple(array_fill_keys($keys, self::rows('old')));
        $store->getMultiple($keys);
        $this->servers->restart(0);
        $this->servers->restart(1);

        self::assertSame([], $store->getMultiple($keys));
        self::assertSame(Outcome::Done, $store->set('k1', self::rows('new')));
        self::assertSame(['k1' => self::rows('new')], $store->getMultiple($keys));
    }

    public function testAPausedServerCostsDeadlinesUntilItIsKnownAndIsThenNotAsked(): void
    {
        $client = $this->servers->client(timeout: 300, retry: 60_000);
        $log = new TestLog();
        $counters = new FileCounters((string) tempnam(sys_get_temp_dir(), 'larder'));
        $store = new TieredStore($this->memory, new MemcachedStore('site', $client), 0.0, $log, $counters);
        $store->set('first', 1);
        [$key, , $server] = $this->keyApart($client);
        $store->set($key, self::rows('old'));
        $store->get($key);
        self::assertSame(self::rows('old'), $store->get($key));
        self::assertTrue($this->memory->has($key));
        $this->servers->pause($server);

        $began = hrtime(true);
        self::assertFalse($store->read($key)->answered);
        self::assertGreaterThan(250e6, hrtime(true) - $began, 'it was waited for');
        $timeouts = static fn(): int => (int) $client->info()[$server]['timeouts'];
        self::assertSame(1, $timeouts(), 'one deadline');
        self::assertSame('missed', $store->get($key, 'missed'));
        $known = $timeouts();
        for ($read = 0; $read < 5; ++$read) {
            self::assertSame([], $store->getMultiple([$key]));
            self::assertFalse($store->getOrLease($key)->answered);
        }
        self::assertSame($known, $timeouts(), 'it is not asked any more');
        self::assertSame(12, Counted::by($counters)['larder_store_failures_total{cause="unanswered"}']);
        self::assertSame(
            ['warning: The far store of a tiered store does not answer: what it keeps is missed until it does.'],
            \array_slice($log->lines(), 0, 1),
        );
        self::assertLessThan(12, \count($log->lines()));
        $this->servers->resume($server);
    }

    public function testAfterAPauseWhatIsKeptIsConfirmedAgain(): void
    {
        $client = $this->servers->client(timeout: 200);
        $far = new TieredHookedFar(new MemcachedStore('site', $client));
        $store = new TieredStore($this->memory, $far);
        $store->set('k', self::rows('old'));
        $store->get('k');
        $store->get('k');
        $this->servers->pause(0);
        $this->servers->pause(1);
        self::assertFalse($store->read('k')->answered);
        $this->servers->resume(0);
        $this->servers->resume(1);

        $tries = 0;
        do {
            usleep(50_000);
            $answer = $store->read('k');
        } while (!$answer->answered && ++$tries < 600);
        $far->asked();
        self::assertSame(self::rows('old'), $store->get('k'));
        $asked = $far->asked();
        self::assertCount(1, $asked);
        self::assertSame(['k'], array_keys($asked[0]['stamps']));
    }

    public function testWithALagTheNearValueIsServedWhileItLasts(): void
    {
        $client = $this->servers->client(timeout: 200);
        $store = new TieredStore($this->memory, new MemcachedStore('site', $client), 3600.0);
        $short = new TieredStore($this->memory, new MemcachedStore('site', $client), 1e-6);
        $store->set('k', self::rows('old'));
        $store->get('k');
        $store->get('k');
        $this->servers->kill(0);
        $this->servers->kill(1);

        self::assertSame(self::rows('old'), $store->get('k'));
        self::assertFalse($short->read('k')->answered);
        self::assertSame('missed', $short->get('k', 'missed'));
        self::assertSame(self::rows('old'), $store->get('k'), 'it was not dropped');
        self::assertContains($store->set('k', self::rows('new')), [Outcome::Refused, Outcome::Unknown]);
    }

    public function testSilenceIsLoggedByOneOfManyAndOnceASecond(): void
    {
        $log = new TestLog();
        $far = new MemcachedStore('site', $this->servers->client(timeout: 200, retry: 60_000));
        $this->servers->kill(0);
        $this->servers->kill(1);
        $began = hrtime(true);
        $tries = 0;
        do {
            foreach ([$this->memory, $this->memory, new NullStore()] as $near) {
                (new TieredStore($near, $far, 0.0, $near instanceof NullStore ? null : $log))->get('k');
            }
            usleep(1000);
        } while (\count($log->lines()) < 2 && ++$tries < 60_000);
        $seconds = (hrtime(true) - $began) / 1e9;

        self::assertGreaterThanOrEqual(2, \count($log->lines()));
        self::assertLessThanOrEqual($seconds + 1, \count($log->lines()));
    }

    public function testAPoolThatGetsByDatagramsConfirmsNothing(): void
    {
        $client = new Memcached($this->servers->addresses(), timeout: 2000, shared: false, udp: true);
        $store = new TieredStore($this->memory, new MemcachedStore('site', $client));
        $store->set('k', self::rows('old'));

        self::assertSame(self::rows('old'), $store->get('k'));
        self::assertSame(self::rows('old'), $store->get('k'));
        self::assertFalse($this->memory->has('k'));
        (new MemcachedStore('site', $this->servers->client()))->set('k', self::rows('new'));
        self::assertSame(self::rows('new'), $store->get('k'));
    }

    public function testAPoolWithFailoverIsNoStore(): void
    {
        foreach (['next', 'mirror'] as $failover) {
            try {
                new MemcachedStore(
                    'site',
                    new Memcached($this->servers->addresses(), shared: false, failover: $failover),
                );
                self::fail("failover $failover was taken");
            } catch (FailoverIsOn $exception) {
                self::assertStringContainsString("failover: 'none'", $exception->getMessage());
            }
        }
    }

    /** 2 MB take no value of a million bytes, and fifty of 100,000 push each other out. */
    public function testANearStoreThatIsTooSmallCostsNothingButSpeed(): void
    {
        $program = <<<'PHP'
            $memory = new Larder\SharedMemory();
            $memcached = new Larder\Memcached($argv[1], timeout: 5000, shared: false);
            $far = new Larder\Store\MemcachedStore('site', $memcached);
            $store = new Larder\Store\TieredStore($memory, $far);
            $store->set('large', $large = random_bytes(1_000_000));
            while ($far->confirm([], ['large'])->stamps === []) {
                usleep(50_000);
            }
            $right = [$store->get('large') === $large, $store->get('large') === $large];
            array_push($right, $memory->has('large'), $store->has('large'));
            $isRight = true;
            foreach (range(1, 100) as $number) {
                $value = str_repeat((string) ($number % 10), 100_000);
                $store->set('k' . $number % 50, $value);
                foreach ([1, 2] as $read) {
                    $isRight = $isRight && $store->get('k' . $number % 50) === $value;
                }
            }
            array_push($right, $isRight);
            $right[] = $memory->info()['evictions'] > 0;
            echo json_encode($right);
            PHP;
        $right = Extension::output(['larder.size' => '2M'], $program, $this->servers->address(0));

        self::assertSame('[true,true,false,true,true,true]', $right);
    }

    /**
     * @param string $not another server on which it may not lie either
     *
     * @return array{string, string, string} a key on another server than the generation's, its item, and that server
     */
    private function keyApart(Memcached $client, string $not = ''): array
    {
        $keys = new MemcachedKeys('site');
        $generation = $client->get($keys->generation);
        self::assertIsString($generation);
        for ($number = 0; ; ++$number) {
            $item = $keys->item($generation, 'k' . $number);
            $server = $client->serverOf($item);
            if ($server !== $client->serverOf($keys->generation) && $server !== $not) {
                return ['k' . $number, $item, $server];
            }
        }
    }

    /** @return list<string> long enough to be kept near */
    private static function rows(string $word): array
    {
        return array_fill(0, 20, $word);
    }
}
