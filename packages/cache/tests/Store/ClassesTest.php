<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use ArrayObject;
use Closure;
use DateTimeImmutable;
use Larder\Cache;
use Larder\Exception\UnstorableValue;
use Larder\Memcached;
use Larder\Metrics\MemoryCounters;
use Larder\Outcome;
use Larder\Store;
use Larder\Store\Classes;
use Larder\Store\ClassNames;
use Larder\Store\MemcachedKeys;
use Larder\Store\MemcachedStore;
use Larder\Store\Operation;
use Larder\Store\RedisStore;
use Larder\Store\RedisValues;
use Larder\Store\StoredBytes;
use Larder\Testbed\Net\Exchange;
use Larder\Tests\Psr\LinkedObject;
use Larder\Tests\Support\Counted;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use stdClass;
use TypeError;

/** Whoever may write to a cache server chooses what is made of it: no object, unless its class is listed. */
#[CoversClass(Classes::class)]
#[CoversClass(ClassNames::class)]
#[CoversClass(MemcachedStore::class)]
#[CoversClass(RedisStore::class)]
#[CoversClass(RedisValues::class)]
#[CoversClass(StoredBytes::class)]
final class ClassesTest extends TestCase
{
    private static ?RedisServers $redis = null;
    private static ?MemcachedServers $memcached = null;

    /** @var list<string> classes that the autoloader was asked for */
    private static array $asked = [];

    private Closure $loader;

    protected function setUp(): void
    {
        $this->loader = static function (string $class): void {
            if (str_starts_with($class, 'Evil')) {
                self::$asked[] = $class;
            }
        };
        spl_autoload_register($this->loader, prepend: true);
        Gadget::$ran = self::$asked = [];
    }

    protected function tearDown(): void
    {
        spl_autoload_unregister($this->loader);
    }

    public static function tearDownAfterClass(): void
    {
        self::$redis?->stop();
        self::$memcached?->stop();
        self::$redis = self::$memcached = null;
    }

    /** @return iterable<string, array{string, string}> the letter of RedisValues, and bytes */
    public static function forms(): iterable
    {
        $gadget = new Gadget();
        $own = serialize($gadget);
        $values = [
            'itself' => $gadget,
            'in an array' => ['a' => [1, $gadget, $gadget]],
            'in an allowed object' => new ArrayObject([$gadget]),
            'in a property' => (object) ['a' => $gadget],
        ];
        foreach ($values as $name => $value) {
            yield "php, $name" => ['p', serialize($value)];
            if (\function_exists('igbinary_serialize')) {
                yield "igbinary, $name" => ['g', (string) igbinary_serialize($value)];
            }
        }
        $payload = "x:i:0;a:1:{i:0;$own};m:a:0:{}";
        yield 'php, Serializable' => ['p', 'C:11:"ArrayObject":' . \strlen($payload) . ":{{$payload}}"];
        yield 'php, in other case' => ['p', str_replace('Gadget', 'gADGET', $own)];
        $like = 's:18:"O:8:"stdClass":0:{";';
        yield 'php, behind a string that looks like one' => ['p', "a:2:{i:0;{$like}i:1;$own}"];
        yield 'php, a string that hides its begin' => ['p', 'a:2:{i:0;s:5:"O:8:"";i:1;' . $own . '}'];
        yield 'php, not loaded' => ['p', 'O:4:"Evil":0:{}'];
        yield 'php, an enum that is not loaded' => ['p', 'a:1:{i:0;E:11:"Evil:Hearts";}'];
        $name = Gadget::class;
        $length = \chr(\strlen($name));
        yield 'igbinary, by a string before' => ['g', "\0\0\0\2\x14\1\6\0\x14\2\6\0\x11$length$name\6\1\x1a\0\x14\0"];
        yield 'igbinary, with a long name' => ['g', "\0\0\0\2\x18\0$length$name\x14\0"];
        yield 'igbinary, with a very long name' => ['g', "\0\0\0\1\x19\0\0\0$length$name\x14\0"];
        yield 'igbinary, Serializable' => ['g', "\0\0\0\2\x17\x0bArrayObject\x1d" . \chr(\strlen($payload)) . $payload];
        yield 'igbinary, not loaded' => ['g', "\0\0\0\2\x17\4Evil\x14\0"];
        yield 'igbinary, an enum that is not loaded' => ['g', "\0\0\0\2\x17\4Evil\x27\x11\6Hearts"];
    }

    #[DataProvider('forms')]
    public function testNoObjectIsMadeOfWhatLiesOnAServer(string $form, string $bytes): void
    {
        foreach ([[], false, ['App\Other']] as $objects) {
            foreach (self::stores($objects) as $name => [$store, $put]) {
                $counters = new MemoryCounters();
                $store = $store($counters);
                $put($store, $form, $bytes);
                Gadget::$ran = [];

                self::assertSame('missed', $store->get('k', 'missed'), $name);
                self::assertFalse($store->read('k')->hit);
                self::assertSame(['whole' => 1], $store->getMultiple(['k', 'whole']));
                self::assertFalse(Operation::run($store, [Operation::read('k')])[0]->hit);
                self::assertSame('none', (new Cache($store))->get('k', 'none'));
                $answer = $store->getOrLease('k');
                self::assertNotNull($answer->lease, 'or nobody would make it anew');
                self::assertSame(Outcome::Done, $store->set('k', 2, lease: $answer->lease));

                self::assertSame([], Gadget::$ran, $name);
                self::assertSame([], self::$asked);
                self::assertSame(
                    ['larder_store_failures_total{cause="class_refused"}'],
                    array_keys(Counted::by($counters)),
                    $name,
                );
            }
        }
    }

    public function testExactlyWhatIsListedIsMade(): void
    {
        foreach (self::stores(['\\' . strtolower(Gadget::class)]) as $name => [$store, $put]) {
            $store = $store(new MemoryCounters());
            $put($store, 'p', serialize([new Gadget()]));
            self::assertEquals([new Gadget()], $store->get('k'), $name);
            $put($store, 'p', serialize([new Gadget(), new LinkedObject('a')]));
            self::assertSame('missed', $store->get('k', 'missed'), $name);
        }
    }

    public function testAWriteRefusesWhatAReadWouldNotTake(): void
    {
        foreach (self::stores([]) as $name => [$store]) {
            $store = $store(new MemoryCounters());
            foreach ([new Gadget(), [new Gadget()], new ArrayObject([1, new Gadget()])] as $value) {
                try {
                    $store->set('k', $value);
                    self::fail("$name stored it");
                } catch (UnstorableValue $exception) {
                    self::assertStringContainsString(Gadget::class, $exception->getMessage());
                    self::assertStringContainsString('$objects', $exception->getMessage());
                }
            }
            $stored = [new DateTimeImmutable('2026-01-01'), new ArrayObject([new stdClass()]), Outcome::Done, [1.5]];
            self::assertSame(Outcome::Done, $store->set('k', $stored));
            self::assertEquals($stored, $store->get('k'), $name);
        }
        foreach (self::stores(false) as $name => [$store]) {
            foreach ([new stdClass(), [Outcome::Done]] as $value) {
                try {
                    $store(new MemoryCounters())->set('k', $value);
                    self::fail("$name stored it");
                } catch (UnstorableValue) {
                    $this->addToAssertionCount(1);
                }
            }
        }
    }

    public function testAListIsOneOfNames(): void
    {
        foreach ([[7], [''], [Gadget::class, null]] as $objects) {
            try {
                Classes::of($objects);
                self::fail('took ' . json_encode($objects));
            } catch (TypeError $error) {
                self::assertStringContainsString('list of names of classes', $error->getMessage());
            }
        }
    }

    /** Whatever bytes: where the walk says that there is nothing, the serializer makes nothing. */
    public function testTheWalkTellsOfAllThatIsMade(): void
    {
        mt_srand(20260107);
        $walked = $made = 0;
        $none = Classes::of(false);
        $gadget = new Gadget();
        $case = Outcome::Done;
        $parts = [
            static fn(): mixed => mt_rand(-300, 300) << mt_rand(0, 40),
            static fn(): mixed => str_repeat(\chr(mt_rand(0x14, 0x27)), mt_rand(0, 30)) . 'O:8:"stdClass":0:{}',
            static fn(): mixed => [null, true, 1.5, '', 'k'][mt_rand(0, 4)],
            static fn(): mixed => [$gadget, $case, new stdClass(), new ArrayObject(['k', $gadget])][mt_rand(0, 3)],
        ];
        $serializers = ['serialize' => 'unserialize'];
        if (\function_exists('igbinary_serialize')) {
            $serializers['igbinary_serialize'] = 'igbinary_unserialize';
        }
        for ($round = 0; $round < 2_000; ++$round) {
            $value = [];
            for ($i = mt_rand(0, 6); $i > 0; --$i) {
                $value[mt_rand(0, 1) === 0 ? $i : "k$i"] = mt_rand(0, 3) === 0 ? [$value] : $parts[mt_rand(0, 3)]();
            }
            foreach ($serializers as $write => $read) {
                $bytes = (string) $write($value);
                $refused = $write === 'serialize' ? $none->refusedIn($bytes) : $none->refusedInIgbinary($bytes);
                $hasObjects = preg_match('/object|enum|::/', var_export($value, true)) === 1;
                self::assertSame($hasObjects, $refused !== null, $bytes);
                ++$walked;
                for ($change = mt_rand(0, 2); $change > 0 && $bytes !== ''; --$change) {
                    $bytes[mt_rand(0, \strlen($bytes) - 1)] = \chr(mt_rand(0, 255));
                }
                if (($write === 'serialize' ? $none->refusedIn($bytes) : $none->refusedInIgbinary($bytes)) === null) {
                    Gadget::$ran = $asked = [];
                    $loader = static function (string $class) use (&$asked): void {
                        $asked[] = $class;
                    };
                    spl_autoload_register($loader, prepend: true);
                    $got = @$read($bytes);
                    spl_autoload_unregister($loader);
                    self::assertSame([], [...Gadget::$ran, ...$asked], bin2hex($bytes));
                    // A class whose name is none is incomplete at once, and a miss.
                    $shown = str_replace('\__PHP_Incomplete_Class::', '', var_export($got, true));
                    self::assertDoesNotMatchRegularExpression('/object|::/', $shown, bin2hex($bytes));
                    ++$made;
                }
            }
        }
        self::assertGreaterThan(3_000, $walked);
        self::assertGreaterThan(500, $made);
    }

    /**
     * @param bool|list<string> $objects
     *
     * @return iterable<string, array{Closure(MemoryCounters): Store, Closure(Store, string, string): void}> a store,
     *     and what an attacker puts under its key "k"
     */
    private static function stores(bool|array $objects): iterable
    {
        $servers = self::$redis ??= new RedisServers();
        foreach (\extension_loaded('redis') ? RedisServers::CLIENTS : ['predis'] as $client) {
            yield "Redis by $client" => [
                static fn(MemoryCounters $counters): Store => $servers->store(
                    $client,
                    'objects',
                    new TestLog(),
                    counters: $counters,
                    objects: $objects,
                ),
                static function (Store $store, string $form, string $bytes) use ($servers): void {
                    $store->setMultiple(['k' => 1, 'whole' => 1]);
                    $value = $servers->direct()->get('objects:k');
                    self::assertIsString($value);
                    $servers->direct()->set('objects:k', substr($value, 0, RedisValues::HEAD) . $form . $bytes);
                },
            ];
        }
        if (!\extension_loaded('larder')) {
            return;
        }
        $memcached = self::$memcached ??= new MemcachedServers(1);
        $client = static fn(): Memcached => $memcached->client(objects: $objects);
        yield 'memcached' => [
            static fn(MemoryCounters $counters): Store => new MemcachedStore(
                'objects',
                $client(),
                new TestLog(),
                $counters,
            ),
            static function (Store $store, string $form, string $bytes) use ($client, $memcached): void {
                $store->setMultiple(['k' => 1, 'whole' => 1]);
                $keys = new MemcachedKeys('objects');
                $generation = MemcachedKeys::generationIn($client()->get($keys->generation));
                self::assertNotNull($generation);
                $item = $keys->item($generation, 'k');
                $flags = $form === 'p' ? 4 : 5;
                $request = "set $item $flags 0 " . \strlen($bytes) . "\r\n$bytes\r\n";
                Exchange::with('tcp://' . $memcached->address(0), $request, "STORED\r\n");
            },
        ];
    }
}
