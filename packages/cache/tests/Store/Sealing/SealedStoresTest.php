<?php

declare(strict_types=1);

namespace Larder\Tests\Store\Sealing;

use Larder\Answer;
use Larder\Cache;
use Larder\Dependency\Gates;
use Larder\Exception\InvalidSeal;
use Larder\Memcached;
use Larder\Metrics\MemoryCounters;
use Larder\Outcome;
use Larder\Session\Handler;
use Larder\Session\StoredSessions;
use Larder\Store;
use Larder\Store\ArrayStore;
use Larder\Store\Confirming;
use Larder\Store\MemcachedKeys;
use Larder\Store\MemcachedStore;
use Larder\Store\Operation;
use Larder\Store\RedisNamespace;
use Larder\Store\RedisStore;
use Larder\Store\RedisValues;
use Larder\Store\Seal;
use Larder\Store\Sealing\SealedValues;
use Larder\Store\Sealing\SealFlaw;
use Larder\Store\TieredStore;
use Larder\Testbed\Net\Exchange;
use Larder\Tests\Store\MemcachedServers;
use Larder\Tests\Store\RedisServers;
use Larder\Tests\Support\Counted;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\TestWith;
use PHPUnit\Framework\TestCase;

/**
 * Sealed values on real servers, on which somebody else writes: nothing that a key of the seal has not made for just
 * this key and namespace is read, or decoded.
 */
#[CoversClass(RedisStore::class)]
#[CoversClass(RedisNamespace::class)]
#[CoversClass(RedisValues::class)]
#[CoversClass(MemcachedStore::class)]
#[CoversClass(Operation::class)]
#[CoversClass(SealedValues::class)]
#[CoversClass(SealFlaw::class)]
#[CoversClass(StoredSessions::class)]
#[CoversClass(InvalidSeal::class)]
final class SealedStoresTest extends TestCase
{
    private const STORES = ['phpredis', 'predis', 'memcached', 'a tier over predis', 'a tier over memcached'];

    private const ID = 'abcdefghijklmnopqrstuv';

    private static ?RedisServers $redis = null;
    private static ?MemcachedServers $memcached = null;

    /** What the gadgets have done. */
    public static int $woken = 0;

    /** @var list<string> classes that the autoloader was asked for */
    private static array $asked = [];

    private TestLog $log;
    private MemoryCounters $counters;
    private string $which = '';

    /** @var array<string, Outcome> by client and namespace */
    private array $cleared = [];

    public static function setUpBeforeClass(): void
    {
        if (!\extension_loaded('larder')) {
            self::markTestSkipped('needs the PHP extension larder in this process');
        }
        self::$redis = new RedisServers();
        self::$memcached = new MemcachedServers(1);
        self::$memcached->settle();
        spl_autoload_register(static function (string $class): void {
            self::$asked[] = $class;
        }, prepend: true);
    }

    public static function tearDownAfterClass(): void
    {
        self::$redis?->stop();
        self::$memcached?->stop();
        self::$redis = self::$memcached = null;
    }

    protected function setUp(): void
    {
        $this->log = new TestLog();
        $this->counters = new MemoryCounters();
        self::$woken = 0;
    }

    /** @return iterable<string, array{string, string, list<string>}> store, attack, causes that it may have */
    public static function attacks(): iterable
    {
        $broken = ['seal_broken'];
        foreach (self::STORES as $store) {
            foreach (['head', 'nonce', 'middle', 'tag', 'longer'] as $where) {
                yield "$store: $where" => [$store, $where, ['seal_broken', 'unsealed', 'seal_key_unknown']];
            }
            yield "$store: another key's" => [$store, 'key', $broken];
            yield "$store: another namespace's" => [$store, 'namespace', $broken];
            yield "$store: another kind of server's" => [$store, 'kind', $broken];
            yield "$store: by a key that is not ours" => [$store, 'strange', ['seal_key_unknown']];
            yield "$store: with another id" => [$store, 'id', $broken];
            yield "$store: half" => [$store, 'half', $broken];
            yield "$store: without its last byte" => [$store, 'cut', $broken];
            yield "$store: its head alone" => [$store, 'only head', ['seal_broken', 'unsealed']];
            foreach (['text', 'number', 'gadget', 'igbinary'] as $unsealed) {
                // What memcached's client cannot read has no cause of the seal's.
                yield "$store: $unsealed unsealed" => [$store, "unsealed $unsealed", ['unsealed', 'unreadable']];
            }
        }
    }

    /** @param list<string> $causes */
    #[DataProvider('attacks')]
    public function testWhatIsNotSealedForThisKeyIsAMissAndIsNeverDecoded(
        string $which,
        string $attack,
        array $causes,
    ): void {
        [$old, $new] = [Seal::newKey(), Seal::newKey()];
        $seal = new Seal([$new, $old]);
        $store = $this->open($which, $seal);
        $values = ['k' => ['of k'], 'l' => 'of l', 'whole' => ['whole']];
        foreach ([...$store->setMultiple($values), $this->open($which, $seal, 'other')->set('k', 'there')] as $done) {
            self::assertSame(Outcome::Done, $done);
        }
        self::assertStringNotContainsString('of k', $this->raw('k'), 'it cannot be read');
        self::$asked = [];
        foreach (['k', 'l'] as $key) {
            $this->put($key, $this->attacked($attack, $key, [$old, $new]), $attack);
        }

        $store = $this->open($which, $seal);
        self::assertSame('miss', $store->get('k', 'miss'));
        self::assertEquals(new Answer(), $store->read('k'));
        self::assertSame(['whole' => ['whole']], $store->getMultiple(['l', 'whole', 'k']));
        $reads = Operation::run($store, [Operation::read('l'), Operation::read('whole')]);
        self::assertEquals(new Answer(), $reads[0]);
        self::assertSame(['whole'], $reads[1]->value);
        if ($store instanceof Confirming) {
            $told = $store->confirm([], ['k', 'whole']);
            self::assertSame([false, true], [$told->answers['k']->hit, $told->answers['whole']->hit]);
            self::assertArrayNotHasKey('k', $told->stamps);
        }
        $claimed = Operation::run($store, [Operation::getOrLease('l', 10.0)])[0];
        self::assertNotNull($claimed->lease);
        self::assertTrue($store->release('l', $claimed->lease));
        $answer = $store->getOrLease('k');
        self::assertFalse($answer->hit);
        self::assertNotNull($answer->lease, 'or nobody would make it anew');
        self::assertNull($store->getOrLease('k')->lease);
        self::assertSame(Outcome::Done, $store->set('k', ['anew'], lease: $answer->lease));
        self::assertSame(['anew'], $store->get('k'));

        self::assertSame(0, self::$woken);
        self::assertNotContains('Evil', self::asked());
        $counted = array_keys(Counted::by($this->counters));
        self::assertCount(1, $counted);
        self::assertContains(preg_replace('/.*cause="(.*)".*/', '$1', $counted[0]), $causes);
        self::assertCount(1, $this->log->lines(), implode("\n", $this->log->lines()));
        self::assertMatchesRegularExpression('/"([^"]*\.)?k":? (\S+ )?holds what/', $this->log->lines()[0]);
    }

    /** @return iterable<string, array{string}> */
    public static function stores(): iterable
    {
        foreach (self::STORES as $store) {
            yield $store => [$store];
        }
    }

    #[DataProvider('stores')]
    public function testKeysRotate(string $which): void
    {
        [$old, $new] = [Seal::newKey(), Seal::newKey()];
        $before = $this->open($which, new Seal($old));
        $before->set('k', 'of the old key');
        $during = $this->open($which, new Seal([$new, $old]));
        self::assertSame('of the old key', $during->get('k'));
        $during->set('l', 'of the new one');

        $after = $this->open($which, new Seal([$new]));
        self::assertSame('of the new one', $after->get('l'));
        self::assertSame([], $this->log->lines());
        self::assertNull($after->get('k'));
        self::assertSame(
            ['larder_store_failures_total{cause="seal_key_unknown"}' => 1],
            Counted::by($this->counters),
        );
    }

    #[DataProvider('stores')]
    public function testACacheWorksAsOverAPlainStore(string $which): void
    {
        $store = $this->open($which, new Seal(Seal::newKey()));
        $caches = array_map(static fn(): Cache => new Cache(
            $store,
            new Gates($store, inTransaction: static fn(): bool => false),
        ), [1, 2]);
        $made = 0;
        $make = static function () use (&$made): array {
            return ['made' => ++$made];
        };
        foreach ($caches as $cache) {
            self::assertSame(['made' => 1], $cache->remember('news', $make, 600, reads: ['news']));
        }
        self::assertSame(['a' => 1, 'b' => 2], $caches[0]->rememberMultiple(['a', 'b'], static fn(): array => [
            'a' => 1,
            'b' => 2,
        ], 600));
        self::assertSame(['b' => 2, 'a' => 1], $caches[1]->getMultiple(['b', 'a']));
        $caches[1]->change(['news'], static fn(): null => null);
        foreach ($caches as $cache) {
            self::assertSame(['made' => 2], $cache->remember('news', $make, 600, reads: ['news']));
        }
        self::assertSame(1, $caches[0]->increment('visits', 1, 1));
        self::assertSame(3, $caches[1]->increment('visits', 2));
        self::assertSame([], $this->log->lines());
    }

    /** A number that increment() counts lies open, so anybody can put one there: get() gives it only where it may. */
    #[DataProvider('stores')]
    public function testNumbersStandOpenOnlyWhereItIsSaid(string $which): void
    {
        $key = Seal::newKey();
        $strict = $this->open($which, new Seal($key));
        self::assertSame(Outcome::Done, $strict->set('sealed', 5));
        self::assertSame(5, $strict->get('sealed'));
        self::assertSame(Outcome::Exists, $strict->increment('sealed'), 'no server can count it');
        self::assertSame(7, $strict->increment('visits', 1, 7));
        self::assertSame(8, $strict->increment('visits'));
        self::assertSame([], $this->log->lines());
        self::assertNull($strict->get('visits'));
        self::assertSame(['larder_store_failures_total{cause="unsealed"}' => 1], Counted::by($this->counters));

        $counting = $this->open($which, new Seal($key, counters: true));
        self::assertSame(8, $counting->get('visits'));
        self::assertSame(5, $counting->get('sealed'));
        self::assertSame(Outcome::Done, $counting->set('n', 1));
        self::assertSame(2, $counting->increment('n'));
    }

    #[TestWith(['phpredis'])]
    #[TestWith(['predis'])]
    #[TestWith(['memcached'])]
    public function testASessionThatDoesNotOpenIsANewOne(string $which): void
    {
        $seal = new Seal(Seal::newKey());
        $this->open($which, $seal, survives: true);
        $request = fn(): Handler => new Handler($this->open($which, $seal, survives: true), 60.0, 0.0);
        $first = $request();
        $first->read(self::ID);
        self::assertTrue($first->write(self::ID, 'user|i:4;'));
        $first->close();
        self::assertStringNotContainsString('user', $this->raw('session:' . self::ID));
        $mine = str_repeat('m', 32);
        $this->put("session:$mine", $this->raw('session:' . self::ID));

        $thief = $request();
        self::assertFalse($thief->validateId($mine), 'PHP gives a new id to who has it');
        self::assertSame('', $thief->read($mine));
        self::assertTrue($thief->write($mine, 'n|i:1;'));
        $thief->close();
        self::assertTrue($thief->validateId($mine));
        self::assertSame('n|i:1;', $request()->read($mine));
        $second = $request();
        self::assertTrue($second->validateId(self::ID));
        self::assertSame('user|i:4;', $second->read(self::ID));
        $second->close();
        self::assertSame(['larder_store_failures_total{cause="seal_broken"}'], array_keys(
            Counted::by($this->counters),
        ));
    }

    public function testAClientThatDecodesIsNotSealed(): void
    {
        $this->expectException(InvalidSeal::class);
        $this->expectExceptionMessage("construct Larder\\Memcached with serializer: 'none'");

        new MemcachedStore('sealed', new Memcached(shared: false), seal: new Seal(Seal::newKey()));
    }

    public function testMemcachedAndRedisOnTheirAddressesAreSealedByOneArgument(): void
    {
        self::assertNotNull(self::$redis);
        self::assertNotNull(self::$memcached);
        $seal = new Seal(Seal::newKey());
        foreach ([
            MemcachedStore::on(self::$memcached->addresses(), 'on', seal: $seal),
            RedisStore::on(self::$redis->addresses(), 'on', seal: $seal),
            RedisStore::with(['127.0.0.1:6379' => self::$redis->direct()], 'with', seal: $seal),
        ] as $store) {
            self::assertSame(Outcome::Done, $store->set('k', ['secret']));
            self::assertSame(['secret'], $store->get('k'));
        }
        $raw = self::$redis->direct()->get('with:k');
        self::assertIsString($raw);
        self::assertStringNotContainsString('secret', $raw);
    }

    /**
     * @phpstan-impure
     *
     * @return list<string>
     */
    private static function asked(): array
    {
        return self::$asked;
    }

    /** A handle with no near values; the first one of a namespace finds it empty. */
    private function open(
        string $which,
        Seal $seal,
        string $namespace = 'sealed',
        bool $survives = false,
    ): Store {
        self::assertNotNull(self::$redis);
        self::assertNotNull(self::$memcached);
        $tier = 'a tier over ';
        $far = str_replace($tier, '', $which);
        $space = $survives ? "{$namespace}s" : $namespace;
        $store = $far === 'memcached'
            ? new MemcachedStore(
                $space,
                self::$memcached->client(serializer: 'none'),
                $this->log,
                $this->counters,
                $seal,
            )
            : self::$redis->store(
                $far,
                $space,
                $this->log,
                counters: $this->counters,
                survives: $survives,
                seal: $seal,
            );
        if (!isset($this->cleared["$far $space"])) {
            $this->cleared["$far $space"] = $store->clear();
        }
        $this->which = $which;

        return $far === $which ? $store : new TieredStore(new ArrayStore(), $store, log: $this->log);
    }

    /** The bytes that lie on the server under a key. */
    private function raw(string $key, string $namespace = 'sealed'): string
    {
        self::assertNotNull(self::$redis);
        self::assertNotNull(self::$memcached);
        if (str_contains($this->which, 'memcached')) {
            $bytes = self::$memcached->client(serializer: 'none')->get($this->item($key, $namespace));
        } else {
            $bytes = self::$redis->direct()->get($this->item($key, $namespace));
            $bytes = \is_string($bytes) ? substr($bytes, RedisValues::HEAD + 1) : null;
        }
        self::assertIsString($bytes);

        return $bytes;
    }

    private function item(string $key, string $namespace = 'sealed'): string
    {
        self::assertNotNull(self::$memcached);
        $isSession = str_starts_with($key, 'session:');
        if (!str_contains($this->which, 'memcached')) {
            return $isSession ? "{$namespace}s+:$key" : "$namespace:$key";
        }
        $keys = new MemcachedKeys($isSession ? "{$namespace}s" : $namespace);
        $generation = MemcachedKeys::generationIn(self::$memcached->client()->get($keys->generation));
        self::assertNotNull($generation);

        return $keys->item($generation, $key);
    }

    /** As somebody would who writes on the server and has seen its values. */
    private function put(string $key, string $bytes, string $attack = ''): void
    {
        self::assertNotNull(self::$redis);
        self::assertNotNull(self::$memcached);
        $item = $this->item($key);
        if (str_contains($this->which, 'memcached')) {
            // Flags of the layout memcached.
            $flags = ['unsealed number' => 1, 'unsealed gadget' => 4, 'unsealed igbinary' => 5][$attack] ?? 0;
            $request = "set $item $flags 0 " . \strlen($bytes) . "\r\n$bytes\r\n";
            Exchange::with('tcp://' . self::$memcached->address(0), $request, "STORED\r\n");
        } else {
            $form = [
                'unsealed number' => 'i',
                'unsealed gadget' => 'p',
                'unsealed igbinary' => 'g',
                'unsealed text' => 's',
            ];
            $direct = self::$redis->direct();
            $there = $direct->get($item);
            $head = substr(\is_string($there) ? $there : $this->generation(), 0, RedisValues::HEAD);
            $direct->set($item, $head . ($form[$attack] ?? RedisValues::SEALED) . $bytes);
        }
    }

    /** Of the sessions in Redis, with a version. */
    private function generation(): string
    {
        self::assertNotNull(self::$redis);
        $record = self::$redis->direct()->get('sealeds+!');
        self::assertIsString($record);

        return substr($record, 0, 8) . RedisValues::number();
    }

    /** The same key of the same namespace, on the other kind of server. */
    private function elsewhere(string $key, Seal $seal): string
    {
        $here = $this->which;
        $this->open(str_contains($here, 'memcached') ? 'predis' : 'memcached', $seal)->set($key, 'elsewhere');
        $raw = $this->raw($key);
        $this->which = $here;

        return $raw;
    }

    /** @param array{string, string} $keys of the seal: the second one seals */
    private function attacked(string $attack, string $key, array $keys): string
    {
        [$old, $new] = $keys;
        $raw = $this->raw($key);
        $flip = static function (int $at) use ($raw): string {
            $changed = $raw;
            $changed[$at] = $changed[$at] ^ "\x01";

            return $changed;
        };
        $gadget = \sprintf('a:2:{i:0;O:%d:"%s":0:{}i:1;E:6:"Evil:A";}', \strlen(Gadget::class), Gadget::class);

        return match ($attack) {
            'head' => $flip(3),
            'nonce' => $flip(8),
            'middle' => $flip(intdiv(\strlen($raw), 2)),
            'tag' => $flip(\strlen($raw) - 1),
            'longer' => $raw . "\0",
            'key' => $this->raw('whole'),
            'namespace' => $this->raw('k', 'other'),
            'kind' => $this->elsewhere($key, new Seal($new)),
            'strange' => $this->elsewhere($key, new Seal(Seal::newKey())),
            'id' => substr((new Seal($old))->sealed('', ''), 0, 6) . substr($raw, 6),
            'half' => substr($raw, 0, intdiv(\strlen($raw), 2)),
            'cut' => substr($raw, 0, -1),
            'only head' => substr($raw, 0, 6),
            'unsealed text' => 'plain',
            'unsealed number' => '7',
            'unsealed gadget' => $gadget,
            default => (string) igbinary_serialize([new Gadget()]),
        };
    }
}

/** What a stranger would have PHP make. */
final class Gadget
{
    public function __wakeup(): void
    {
        ++SealedStoresTest::$woken;
    }
}
