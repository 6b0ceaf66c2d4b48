<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Closure;
use Larder\Answer;
use Larder\Exception\PoolIsShared;
use Larder\Memcached;
use Larder\Metrics\FileCounters;
use Larder\Outcome;
use Larder\Store\MemcachedKeys;
use Larder\Store\MemcachedNamespace;
use Larder\Store\MemcachedReplies;
use Larder\Store\MemcachedStore;
use Larder\Store\ReportedFailures;
use Larder\Tests\Support\TestLog;
use LogicException;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use ValueError;

/**
 * What a clear() elsewhere, an eviction and a server that goes do to a store that still has the generation of before.
 */
#[CoversClass(MemcachedStore::class)]
#[CoversClass(MemcachedNamespace::class)]
#[CoversClass(MemcachedKeys::class)]
#[CoversClass(MemcachedReplies::class)]
#[CoversClass(ReportedFailures::class)]
final class MemcachedNamespaceTest extends TestCase
{
    private static ?MemcachedServers $servers = null;
    private Memcached $memcached;
    private MemcachedStore $store;
    private MemcachedStore $other;
    private TestLog $log;

    public static function setUpBeforeClass(): void
    {
        if (!\extension_loaded('larder') || !class_exists(Memcached::class, false)) {
            self::markTestSkipped('needs the PHP extension larder in this process');
        }
        self::$servers = new MemcachedServers(2);
    }

    public static function tearDownAfterClass(): void
    {
        self::$servers?->stop();
        self::$servers = null;
    }

    protected function setUp(): void
    {
        self::servers()->renew();
        $this->memcached = self::servers()->client();
        $this->log = new TestLog();
        $this->store = new MemcachedStore('site', $this->memcached, $this->log);
        $this->other = new MemcachedStore('site', $this->memcached);
    }

    /**
     * @return iterable<string, array{Closure(MemcachedStore, int, int): mixed, mixed, mixed}> the call, what it gives,
     *     and what the key is then
     */
    public static function callsOnAClearedKey(): iterable
    {
        yield 'get' => [static fn(MemcachedStore $store) => $store->get('k', 'missed'), 'missed', null];
        yield 'read' => [static fn(MemcachedStore $store) => $store->read('k')->hit, false, null];
        yield 'getMultiple' => [static fn(MemcachedStore $store) => $store->getMultiple(['k', 'l']), [], null];
        yield 'has' => [static fn(MemcachedStore $store) => $store->has('k'), false, null];
        yield 'set' => [static fn(MemcachedStore $store) => $store->set('k', 1), Outcome::Done, 1];
        yield 'set with the lease of before' => [
            static fn(MemcachedStore $store, int $version, int $lease) => $store->set('k', 1, lease: $lease),
            Outcome::Exists,
            null,
        ];
        yield 'add' => [static fn(MemcachedStore $store) => $store->add('k', 1), Outcome::Done, 1];
        yield 'replace' => [static fn(MemcachedStore $store) => $store->replace('k', 1), Outcome::NotFound, null];
        yield 'cas' => [
            static fn(MemcachedStore $store, int $version) => $store->cas('k', 1, $version),
            Outcome::NotFound,
            null,
        ];
        yield 'setMultiple' => [
            static fn(MemcachedStore $store) => $store->setMultiple(['k' => 1, 'l' => 2]),
            ['k' => Outcome::Done, 'l' => Outcome::Done],
            1,
        ];
        yield 'delete' => [static fn(MemcachedStore $store) => $store->delete('k'), Outcome::NotFound, null];
        yield 'deleteMultiple' => [
            static fn(MemcachedStore $store) => $store->deleteMultiple(['k']),
            ['k' => Outcome::NotFound],
            null,
        ];
        yield 'touch' => [static fn(MemcachedStore $store) => $store->touch('k'), Outcome::NotFound, null];
        yield 'increment' => [static fn(MemcachedStore $store) => $store->increment('k'), Outcome::NotFound, null];
        yield 'increment that makes it' => [static fn(MemcachedStore $store) => $store->increment('k', 5, 1), 1, 1];
        yield 'decrement that makes it' => [static fn(MemcachedStore $store) => $store->decrement('k', 5, 1), 1, 1];
        yield 'getOrLease' => [
            static fn(MemcachedStore $store) => [$store->getOrLease('k')->hit, $store->getOrLease('k')->lease],
            [false, null],
            null,
        ];
        yield 'lease' => [static fn(MemcachedStore $store) => \is_int($store->lease('k')), true, null];
        yield 'release' => [
            static fn(MemcachedStore $store, int $version, int $lease) => $store->release('k', $lease),
            false,
            null,
        ];
    }

    /** @param Closure(MemcachedStore, int, int): mixed $call */
    #[DataProvider('callsOnAClearedKey')]
    public function testACallKnowsOfAClearElsewhere(Closure $call, mixed $gives, mixed $then): void
    {
        $this->store->setMultiple(['k' => 7, 'l' => 8]);
        $version = $this->store->read('k')->version;
        $lease = (int) $this->store->lease('k');
        self::assertSame(Outcome::Done, $this->other->clear());

        self::assertSame($gives, $call($this->store, $version, $lease));
        self::assertSame($then, $this->other->get('k'));
        self::assertSame($then, (new MemcachedStore('site', $this->memcached))->get('k'));
        self::assertSame([], $this->log->lines());
    }

    public function testASumOfBeforeIsNotAddedToOneOfAfter(): void
    {
        $this->store->set('k', 10);
        $this->other->clear();
        $this->other->set('k', 100);

        self::assertSame(101, $this->store->increment('k'));
        self::assertSame(101, $this->other->get('k'));
    }

    public function testAnEvictedGenerationTakesAllKeysAndNeverComesBack(): void
    {
        $this->store->set('k', 1);
        $word = $this->memcached->get('site!');
        self::assertSame(Outcome::Done, $this->memcached->delete('site!'));

        self::assertFalse($this->store->has('k'));
        self::assertFalse($this->other->has('k'));
        self::assertNotSame($word, $this->memcached->get('site!'));
        self::assertSame(Outcome::Done, $this->store->set('k', 2));
        self::assertSame(2, $this->other->get('k'));
    }

    public function testTwoThatFindNoGenerationAgreeOnOne(): void
    {
        self::assertSame(Outcome::Done, $this->store->set('a', 1));
        self::assertSame(Outcome::Done, $this->other->set('b', 2));

        self::assertSame(['a' => 1, 'b' => 2], $this->store->getMultiple(['a', 'b']));
    }

    public function testACallTakesOneRoundTrip(): void
    {
        $this->store->set('k', 1);
        $calls = [
            fn() => $this->store->get('k'),
            fn() => $this->store->read('k'),
            fn() => $this->store->has('k'),
            fn() => $this->store->set('k', 2),
            fn() => $this->store->increment('k'),
            fn() => $this->store->delete('k'),
            fn() => $this->store->setMultiple(array_fill_keys(range('a', 'z'), 1)),
            fn() => $this->store->getMultiple(range('a', 'z')),
        ];
        foreach ($calls as $number => $call) {
            $before = $this->batches();
            $call();
            // One for each server at most: of the key, and of the generation.
            self::assertLessThanOrEqual(2, $this->batches() - $before, "call $number");
        }
    }

    public function testNobodyKnowsWhileTheServerOfTheGenerationIsGone(): void
    {
        $key = $this->keyAwayFromTheGeneration();
        $this->store->set($key, 1);
        self::servers()->kill($this->memcached->serverOf('site!'));

        self::assertSame('missed', $this->store->get($key, 'missed'));
        self::assertFalse($this->store->has($key));
        self::assertSame([], $this->store->getMultiple([$key]));
        self::assertEquals(new Answer(answered: false), $this->store->read($key));
        self::assertEquals(new Answer(answered: false), $this->store->getOrLease('missing'));
        self::assertNull($this->store->lease($key));
        self::assertContains($this->store->set($key, 2), [Outcome::Unknown, Outcome::Refused]);
        self::assertContains($this->store->increment($key), [Outcome::Unknown, Outcome::Refused]);
        self::assertContains($this->store->delete($key), [Outcome::Unknown, Outcome::Refused]);
        self::assertContains($this->store->clear(), [Outcome::Unknown, Outcome::Refused]);
        $fresh = new MemcachedStore('site', $this->memcached);
        self::assertSame(Outcome::Refused, $fresh->set($key, 3), 'nothing is sent without a generation');
        self::assertFalse($fresh->read($key)->answered);
    }

    public function testAWriteThatWasDoneWhenNobodyKnowsTheGenerationIsUnknown(): void
    {
        $key = $this->keyAwayFromTheGeneration();
        $this->store->set($key, 1);
        self::servers()->kill($this->memcached->serverOf('site!'));

        self::assertSame(Outcome::Unknown, $this->store->increment($key));
        self::assertSame(Outcome::Unknown, $this->store->delete($key));
        self::assertSame(Outcome::Refused, $this->store->replace($key, 1), 'it is not there, so nothing was changed');
        self::assertSame(Outcome::Unknown, $this->store->set($key, 1));
        self::assertContains(Outcome::Unknown, $this->store->setMultiple([$key => 2, 'k' => 3]));
    }

    public function testAServerThatComesBackEmptyHasNoKeysOfBefore(): void
    {
        $key = $this->keyAwayFromTheGeneration();
        $this->store->set($key, 1);
        $version = $this->store->read($key)->version;
        self::servers()->restart($this->memcached->serverOf('site!'));
        // Its client leaves it alone for a while once it has seen that the connection is gone.
        for ($try = 0; $try < 6000 && !$this->store->read('probe')->answered; ++$try) {
            usleep(10_000);
        }

        self::assertFalse($this->store->has($key));
        self::assertSame(Outcome::Done, $this->store->set($key, 2));
        self::assertSame(Outcome::Exists, $this->store->cas($key, 3, $version));
    }

    public function testAFailureIsLoggedOnceAndAlwaysCounted(): void
    {
        $directory = sys_get_temp_dir() . '/larder-counters-' . bin2hex(random_bytes(6));
        $counters = new FileCounters($directory);
        $store = new MemcachedStore('site', self::servers()->client(retry: 60_000), $this->log, $counters);
        $store->set('k', 1);
        self::servers()->kill(0);
        self::servers()->kill(1);
        for ($call = 0; $call < 10; ++$call) {
            self::assertNull($store->get("k$call"));
        }
        $lines = $this->log->lines();
        $counts = $counters->all();
        unlink($directory);

        self::assertNotEmpty($lines);
        self::assertLessThanOrEqual(
            6,
            \count($lines),
            'two servers, each closed, then unreachable, then known to be down',
        );
        self::assertSame($lines, array_unique($lines));
        self::assertStringStartsWith('warning: memcached: ', $lines[0]);
        self::assertStringContainsString('127.0.0.1:', $lines[0]);
        self::assertGreaterThanOrEqual(10, array_sum($counts));
        self::assertMatchesRegularExpression(
            '/^larder_store_failures_total{store="memcached",cause="[a-z_]+"}$/',
            (string) array_key_first($counts),
        );
    }

    public function testWhatAnotherPutInThePlaceOfTheGenerationIsNone(): void
    {
        foreach (['', 'short', "a b\r\n123456", 7, ['x'], str_repeat('x', 12)] as $value) {
            $this->memcached->set('site!', $value);
            $store = new MemcachedStore('site', $this->memcached);

            self::assertSame(Outcome::Refused, $store->set('k', 1));
            self::assertFalse($store->has('k'));
            self::assertSame(Outcome::Done, $store->clear());
            self::assertSame(Outcome::Done, $store->set('k', 1));
        }
    }

    public function testASharedPoolIsRefused(): void
    {
        $this->expectException(PoolIsShared::class);
        $this->expectExceptionMessage('shared: false');
        new MemcachedStore('site', self::servers()->client(shared: true));
    }

    public function testAPrefixMayBeFiftyBytes(): void
    {
        $namespace = str_repeat('n', 63);
        $store = new MemcachedStore($namespace, self::servers()->client(prefix: str_repeat('p', 50)));
        $store->clear();
        foreach ([1, 59, 60, 61, 122, 123, 124, 125, 126, 1024] as $length) {
            foreach (['k', "\0"] as $byte) {
                $key = str_repeat($byte, $length);
                self::assertSame(Outcome::Done, $store->set($key, $key), "$length");
                self::assertSame($key, $store->get($key));
            }
        }
        $this->expectException(ValueError::class);
        $this->expectExceptionMessage('use at most 50 bytes');
        new MemcachedStore($namespace, self::servers()->client(prefix: str_repeat('p', 51)));
    }

    private static function servers(): MemcachedServers
    {
        return self::$servers ?? throw new LogicException('setUpBeforeClass() starts them.');
    }

    private function batches(): int
    {
        return array_sum(array_column($this->memcached->info(), 'batches'));
    }

    /** One whose server is another than that of the generation, now. */
    private function keyAwayFromTheGeneration(): string
    {
        $this->store->has('k');
        $word = MemcachedKeys::generationIn($this->memcached->get('site!'));
        self::assertNotNull($word);
        $keys = new MemcachedKeys('site');
        for ($number = 0; ; ++$number) {
            if ($this->memcached->serverOf($keys->item($word, "k$number")) !== $this->memcached->serverOf('site!')) {
                return "k$number";
            }
        }
    }
}
