<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Larder\Exception\InvalidServer;
use Larder\Metrics\FileCounters;
use Larder\Outcome;
use Larder\Store\NullStore;
use Larder\Store\RedisAddress;
use Larder\Store\RedisFailure;
use Larder\Store\RedisNamespace;
use Larder\Store\RedisScript;
use Larder\Store\RedisStore;
use Larder\Store\RedisValues;
use Larder\Store\ReportedFailures;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Store\Contract\Suit;
use Larder\Tests\Store\Contract\ThrowsWhenRead;
use Larder\Tests\Support\Counted;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Predis\Client;
use Redis;
use Symfony\Component\Process\Process;
use ValueError;

/**
 * What the contract does not ask for: what lies in Redis, what others put there, and which servers and clients are
 * taken.
 */
#[CoversClass(RedisStore::class)]
#[CoversClass(RedisAddress::class)]
#[CoversClass(RedisFailure::class)]
#[CoversClass(RedisNamespace::class)]
#[CoversClass(RedisScript::class)]
#[CoversClass(RedisValues::class)]
#[CoversClass(ReportedFailures::class)]
final class RedisStoreTest extends TestCase
{
    private static ?RedisServers $servers = null;
    private Redis $direct;
    private TestLog $log;

    public static function setUpBeforeClass(): void
    {
        self::$servers = new RedisServers();
    }

    public static function tearDownAfterClass(): void
    {
        self::$servers?->stop();
        self::$servers = null;
    }

    protected function setUp(): void
    {
        $this->direct = self::servers()->direct();
        $this->direct->flushAll();
        $this->log = new TestLog();
    }

    /** @return iterable<string, array{string}> */
    public static function clients(): iterable
    {
        yield 'phpredis' => ['phpredis'];
        yield 'predis' => ['predis'];
    }

    #[DataProvider('clients')]
    public function testWhatIsOursAlone(string $client): void
    {
        $store = self::servers()->store($client);
        foreach (['a' => 1, 'b' => 'two', 'c' => [3.5]] as $key => $value) {
            $store->set($key, $value, 100.0);
        }
        $store->lease('d', 100.0);
        $store->increment('a');

        $names = $this->direct->keys('*');
        sort($names);
        self::assertSame(['site!', 'site:a', 'site:b', 'site:c', 'site?d'], $names);
    }

    #[DataProvider('clients')]
    public function testNamespacesOfAnyBytesDoNotMeet(string $client): void
    {
        $stores = array_map(
            static fn(string $namespace): RedisStore => self::servers()->store($client, $namespace),
            [
                'a',
                'a:b',
                'a%3Ab',
                'a!',
                'a?',
                'a=',
                'a*',
                '*',
                "a\0b",
                "\xff",
                str_repeat('n', 63),
                str_repeat('n', 62),
            ],
        );
        foreach ($stores as $number => $store) {
            foreach (['k', 'b:k', '!', ':', 'b:!'] as $key) {
                self::assertSame(Outcome::Done, $store->add($key, $number));
            }
        }
        $stores[0]->clear();
        foreach ($stores as $number => $store) {
            self::assertSame(
                $number === 0 ? [] : ['k' => $number, 'b:k' => $number],
                $store->getMultiple(['k', 'b:k']),
            );
        }
    }

    #[DataProvider('clients')]
    public function testSomebodysListUnderAKeyIsAMissAndCanBeReplaced(string $client): void
    {
        $store = self::servers()->store($client, log: $this->log);
        $store->set('k', 'x');
        foreach (['site:get', 'site:set', 'site:add', 'site:lease', 'site:delete', 'site?lease'] as $name) {
            $this->direct->lPush($name, 'not ours');
        }

        self::assertSame('missed', $store->get('get', 'missed'));
        self::assertFalse($store->has('get'));
        self::assertTrue($store->read('get')->answered);
        self::assertSame(['k' => 'x'], $store->getMultiple(['get', 'k']));
        self::assertSame(Outcome::NotFound, $store->increment('get'));
        self::assertSame(Outcome::NotFound, $store->touch('get'));
        self::assertSame(Outcome::Done, $store->set('set', 1));
        self::assertSame(Outcome::Done, $store->add('add', 2));
        self::assertSame(Outcome::Done, $store->set('lease', 3, lease: $store->getOrLease('lease')->lease));
        self::assertSame(Outcome::NotFound, $store->delete('delete'));
        self::assertSame([1, 2, 3], [$store->get('set'), $store->get('add'), $store->get('lease')]);
        self::assertSame([], $this->log->lines());
    }

    #[DataProvider('clients')]
    public function testAGenerationThatIsNoneIsReplaced(string $client): void
    {
        $store = self::servers()->store($client);
        foreach ([
            fn() => $this->direct->lPush('site!', 'a list'),
            fn() => $this->direct->set('site!', 'short'),
            fn() => $this->direct->set('site!', 'much too long'),
        ] as $spoil) {
            $store->set('k', 1);
            $this->direct->del('site!');
            $spoil();
            self::assertFalse($store->has('k'));
            self::assertNotNull($store->getOrLease('k')->lease);
            self::assertSame(Outcome::Done, $store->set('k', 2));
            self::assertSame(2, $store->get('k'));
        }
    }

    #[DataProvider('clients')]
    public function testAGenerationThatWasEvictedTakesAllWithItForGood(string $client): void
    {
        $store = self::servers()->store($client);
        $store->setMultiple(['a' => 1, 'b' => 2]);
        $version = $store->read('a')->version;
        $lease = $store->lease('b');
        $this->direct->del('site!');

        self::assertSame([], $store->getMultiple(['a', 'b']));
        self::assertSame(Outcome::Exists, $store->set('b', 3, lease: $lease));
        self::assertSame(Outcome::Done, $store->set('c', 3));
        self::assertSame(['c' => 3], $store->getMultiple(['a', 'b', 'c']));
        self::assertSame(Outcome::NotFound, $store->cas('a', 4, $version));
    }

    /** @return iterable<string, array{string, string, string}> client, bytes, and the cause that is counted */
    public static function damage(): iterable
    {
        foreach (RedisServers::CLIENTS as $client) {
            yield "$client, cut off" => [$client, 'pa:2:{i:0;', 'unreadable'];
            yield "$client, no format" => [$client, '?x', 'unreadable'];
            yield "$client, an object that cannot be made again" => [
                $client,
                'p' . serialize(new ThrowsWhenRead()),
                'class_changed',
            ];
            yield "$client, igbinary that is none" => [$client, 'gx', 'unreadable'];
        }
    }

    #[DataProvider('damage')]
    public function testAValueThatCannotBeReadIsAMissAndIsCounted(
        string $client,
        string $bytes,
        string $cause,
    ): void {
        $directory = new TemporaryDirectory();
        $counters = new FileCounters($directory->path . '/counters');
        $store = self::servers()->store($client, log: $this->log, counters: $counters, objects: true);
        $store->set('k', 1);
        $value = $this->direct->get('site:k');
        self::assertIsString($value);
        $this->direct->set('site:k', substr($value, 0, 16) . $bytes);

        self::assertSame('missed', $store->get('k', 'missed'));
        self::assertFalse($store->read('k')->hit);
        self::assertSame([], $store->getMultiple(['k']));
        $answer = $store->getOrLease('k');
        self::assertNotNull($answer->lease, 'or nobody would ever make it anew');
        self::assertNull($store->getOrLease('k')->lease);
        self::assertSame(Outcome::Done, $store->set('k', 2, lease: $answer->lease));
        self::assertSame(2, $store->get('k'));
        self::assertSame(["larder_store_failures_total{cause=\"$cause\"}" => 5], Counted::by($counters));
        self::assertCount(1, $this->log->lines());
        $directory->remove();
    }

    #[DataProvider('clients')]
    public function testWhatIsTooShortIsAMiss(string $client): void
    {
        $store = self::servers()->store($client, log: $this->log);
        $store->set('k', 1);
        $value = $this->direct->get('site:k');
        self::assertIsString($value);
        foreach ([0, 7, 8, 15, 16] as $length) {
            $this->direct->set('site:k', substr($value, 0, $length));
            self::assertSame('missed', $store->get('k', 'missed'));
            self::assertFalse($store->read('k')->hit);
        }
        self::assertSame([], $this->log->lines());
    }

    #[DataProvider('clients')]
    public function testValuesOfMegabytes(string $client): void
    {
        $store = self::servers()->store($client, log: $this->log, timeout: 30_000);
        foreach ([1 << 20, 20 << 20] as $size) {
            $value = random_bytes(1 << 16);
            $value = str_repeat($value, intdiv($size, \strlen($value)));
            self::assertSame(Outcome::Done, $store->set('k', $value));
            self::assertTrue($value === $store->get('k'));
            self::assertTrue($value === $store->getOrLease('k')->value);
            self::assertTrue(['k' => $value] === $store->getMultiple(['k']));
            self::assertSame(Outcome::Done, $store->cas('k', ['in' => $value], $store->read('k')->version));
            self::assertTrue(['in' => $value] === $store->read('k')->value);
        }
        self::assertSame([], $this->log->lines());
    }

    #[DataProvider('clients')]
    public function testAServerThatForgetsItsScriptsIsGivenThemAgain(string $client): void
    {
        $store = self::servers()->store($client, log: $this->log);
        $calls = [
            static fn() => $store->set('k', 1),
            static fn() => $store->set('k', 2, lease: $store->lease('k')),
            static fn() => $store->add('l', 1),
            static fn() => $store->cas('k', 3, $store->read('k')->version),
            static fn() => $store->setMultiple(['m' => 1, 'n' => 2])['n'],
            static fn() => $store->touch('k', 100.0),
            static fn() => $store->increment('k') === 4 ? Outcome::Done : Outcome::Refused,
            static fn() => $store->has('k') ? Outcome::Done : Outcome::Refused,
            static fn() => $store->getOrLease('k')->hit ? Outcome::Done : Outcome::Refused,
            static fn() => $store->release('o', (int) $store->getOrLease('o')->lease)
                ? Outcome::Done
                : Outcome::Refused,
            static fn() => $store->deleteMultiple(['m'])['m'],
            static fn() => $store->clear(),
        ];
        foreach ($calls as $number => $call) {
            $this->direct->script('flush');
            self::assertSame(Outcome::Done, $call(), "call $number");
        }
        self::assertSame([], $this->log->lines());
    }

    #[DataProvider('clients')]
    public function testTheLeastIntegerCanBeTakenAway(string $client): void
    {
        $store = self::servers()->store($client);
        $store->setMultiple(['fits' => -1, 'least' => PHP_INT_MIN, 'over' => 0]);

        self::assertSame(PHP_INT_MAX, $store->decrement('fits', PHP_INT_MIN));
        self::assertSame(0, $store->decrement('least', PHP_INT_MIN));
        self::assertSame(Outcome::Exists, $store->decrement('over', PHP_INT_MIN));
        self::assertSame(0, $store->get('over'));
    }

    #[DataProvider('clients')]
    public function testALeaseWithoutEndHasOne(string $client): void
    {
        $store = self::servers()->store($client);
        foreach ([INF, 1e18, 0.0, -5.0] as $number => $seconds) {
            self::assertNotNull($store->lease("k$number", $seconds));
        }

        self::assertGreaterThan(0, $this->direct->pttl('site?k0'));
        self::assertGreaterThan(0, $this->direct->pttl('site?k1'));
    }

    #[DataProvider('clients')]
    public function testClearGivesMemoryBackAndLeavesWhatIsNotOurs(string $client): void
    {
        $store = self::servers()->store($client, timeout: 30_000);
        $other = self::servers()->store($client, 'other');
        $values = [];
        for ($number = 0; $number < 3000; ++$number) {
            $values["key $number"] = $number;
        }
        $store->setMultiple($values);
        $other->setMultiple($values);
        $this->direct->lPush('site:list', 'not ours');
        $this->direct->set('site', 'not ours');
        $this->direct->set('sitemap:1', 'not ours');

        self::assertSame(Outcome::Done, $store->clear());
        self::assertSame(3000 + 1 + 3, $this->direct->dbSize());
        self::assertSame($values, $other->getMultiple(array_map(strval(...), array_keys($values))));
    }

    #[DataProvider('clients')]
    public function testASweepTakesNothingThatWasWrittenMeanwhile(string $client): void
    {
        $store = self::servers()->store($client);
        $store->set('old', 1);
        $store->clear();
        $store->set('new', 2);
        $old = $this->direct->get('site!');
        $this->direct->set('site:left', str_repeat('x', 8) . '12345678i4');
        $store->clear();
        $store->set('again', 3);

        self::assertNotSame($old, $this->direct->get('site!'));
        $names = $this->direct->keys('*');
        sort($names);
        self::assertSame(['site!', 'site:again'], $names);
    }

    #[DataProvider('clients')]
    public function testIgbinaryIsWrittenWhereItIsAskedForAndReadByAll(string $client): void
    {
        $php = self::servers()->store($client);
        $igbinary = self::servers()->store($client, serializer: 'igbinary');
        $values = [
            'array' => ['a' => [1, null, 'x']],
            'null' => null,
            'false' => false,
            'enum' => ['in' => Suit::Hearts],
            'int' => 7,
            'float' => -0.5,
        ];
        $igbinary->setMultiple($values);
        self::assertSame($values, $php->getMultiple(array_keys($values)));
        self::assertSame('g', $this->format('site:array'));
        $php->setMultiple($values);

        self::assertSame($values, $igbinary->getMultiple(array_keys($values)));
        self::assertSame('p', $this->format('site:array'));
    }

    public function testBothClientsReadWhatTheOtherWrote(): void
    {
        [$first, $second] = array_map(
            static fn(string $client): RedisStore => self::servers()->store($client),
            RedisServers::CLIENTS,
        );
        $first->set('k', ['a' => 1]);
        self::assertSame(Outcome::Done, $second->cas('k', 5, $first->read('k')->version));
        self::assertSame(6, $first->increment('k'));
        self::assertSame(Outcome::Done, $second->set('k', 7, lease: $first->lease('k')));
        self::assertSame(7, $first->get('k'));
    }

    #[DataProvider('clients')]
    public function testDatabaseUserAndPassword(string $client): void
    {
        self::assertContains($client, RedisServers::CLIENTS);
        $this->direct->rawcommand('ACL', 'SETUSER', 'site', 'on', '>a&b c', '~site*', '+@all');
        $socket = 'unix:' . self::servers()->socket();
        $store = RedisStore::on(
            $socket . '?db=3&user=site&password=a%26b+c',
            'site',
            $this->log,
            5000,
            client: $client,
        );
        self::assertSame(Outcome::Done, $store->set('k', 'in 3'));
        self::assertSame([], $this->log->lines());
        self::assertSame(0, $this->direct->exists('site:k'));
        $this->direct->select(3);
        self::assertSame(1, $this->direct->exists('site:k'));

        $denied = RedisStore::on($socket . '?user=site&password=secret', 'site', $this->log, 5000, client: $client);
        self::assertSame(Outcome::Refused, $denied->set('k', 1));
        self::assertFalse($denied->read('k')->answered);
        self::assertCount(1, $this->log->lines());
        self::assertStringContainsString("redis: $socket: check the user", $this->log->lines()[0]);
        self::assertStringNotContainsString('secret', $this->log->lines()[0]);
    }

    public function testAnApplicationsClientsAreUsedAsTheyAre(): void
    {
        $redis = self::servers()->direct();
        $redis->setOption(Redis::OPT_PREFIX, 'app:');
        $redis->setOption(Redis::OPT_SERIALIZER, Redis::SERIALIZER_PHP);
        $predis = new Client(['scheme' => 'unix', 'path' => self::servers()->socket()], ['prefix' => 'app:']);
        foreach ([$redis, $predis] as $client) {
            $store = RedisStore::with(['here:1' => $client], 'site', $this->log);
            $plain = self::servers()->store('phpredis');
            self::assertSame(Outcome::Done, $store->set('k', [1, 'two']));
            self::assertSame([1, 'two'], $store->get('k'));
            self::assertSame([1, 'two'], $plain->get('k'), 'its prefix is not ours');
            $client->set('k', 'own');
            self::assertSame('own', $client->get('k'));
            self::assertSame(Outcome::Done, $store->clear());
            self::assertSame([], $this->log->lines());
        }
    }

    public function testAnApplicationsTransactionIsNotDisturbed(): void
    {
        $redis = self::servers()->direct();
        $store = RedisStore::with(['here:1' => $redis], 'site', $this->log);
        $redis->multi();
        $redis->set('own', '1');
        self::assertSame(Outcome::Refused, $store->set('k', 1));
        self::assertFalse($store->read('k')->answered);
        self::assertSame([true], $redis->exec());

        self::assertSame(Outcome::Done, $store->set('k', 1));
        self::assertSame(
            ['warning: redis: here:1: the application\'s client is in the middle of a MULTI or a pipeline'],
            $this->log->lines(),
        );
    }

    public function testAClientOfSeveralServersIsAMistake(): void
    {
        $this->expectException(InvalidServer::class);
        RedisStore::with(
            ['a' => new Client(['tcp://127.0.0.1:1', 'tcp://127.0.0.1:2'], ['cluster' => 'predis'])],
            'site',
        );
    }

    public function testAClientIsNamedWithoutPassword(): void
    {
        try {
            RedisStore::with(['a?password=secret' => self::servers()->direct()], 'site');
            self::fail('It was taken');
        } catch (InvalidServer $exception) {
            self::assertStringNotContainsString('secret', $exception->getMessage());
        }
    }

    /** @return iterable<string, array{string}> */
    public static function noServers(): iterable
    {
        foreach ([
            '', ':6379', 'host:0', 'host:65536', 'host:x', '::1', '[::1', 'a b', 'unix:', 'http://host',
            'host?database=1', 'host?db=', 'host?db=x', 'host?user=a', 'host?password[]=secret',
        ] as $text) {
            yield $text === '' ? 'nothing' : $text => [$text];
        }
    }

    #[DataProvider('noServers')]
    public function testAServerThatIsNoneIsAMistake(string $text): void
    {
        try {
            RedisStore::on($text, 'site');
            self::fail('It was taken');
        } catch (InvalidServer $exception) {
            self::assertStringNotContainsString('secret', $exception->getMessage());
        }
    }

    public function testAddresses(): void
    {
        $found = [];
        foreach (['host', 'host:1', '[::1]', '[::1]:7000', 'unix:/run/a b.sock', 'tls://host:2?db=4'] as $text) {
            $address = RedisAddress::written($text);
            $found[] = [$address->name, $address->inRing(), $address->isTls, $address->database];
        }

        self::assertSame([
            ['host', 'host:6379', false, 0],
            ['host:1', 'host:1', false, 0],
            ['[::1]', '::1:6379', false, 0],
            ['[::1]:7000', '::1:7000', false, 0],
            ['unix:/run/a b.sock', '/run/a b.sock:0', false, 0],
            ['tls://host:2', 'host:2', true, 4],
        ], $found);
    }

    public function testServersThatCannotBe(): void
    {
        $wrong = 0;
        foreach ([['a', 'a:6379'], ['a?db=1', 'a?db=2'], ['a' => 0], ['a' => 1001], []] as $servers) {
            try {
                RedisStore::on($servers, 'site'); // @phpstan-ignore argument.type (the empty list)
            } catch (InvalidServer) {
                ++$wrong;
            }
        }
        foreach ([
            ['', 250, 1000],
            [str_repeat('n', 64), 250, 1000],
            ['site', 0, 1000],
            ['site', 250, -1],
        ] as [$namespace, $timeout, $retry]) {
            try {
                RedisStore::on('a', $namespace, null, $timeout, $retry);
            } catch (ValueError) {
                ++$wrong;
            }
        }

        self::assertSame(9, $wrong);
    }

    public function testAnApplicationRunsWithoutAClient(): void
    {
        $program = <<<'PHP'
            spl_autoload_register(static function (string $class): void {
                if (str_starts_with($class, 'Larder\\') || str_starts_with($class, 'Psr\\')) {
                    $library = 'packages/cache/src/' . substr($class, 7);
                    $tests = 'packages/cache/tests/Support/' . substr($class, 21);
                    foreach ([$library, $tests, 'vendor/psr/log/src/' . substr($class, 8)] as $file) {
                        is_file($file = getcwd() . '/' . strtr($file, '\\', '/') . '.php') && require_once $file;
                    }
                }
            });
            $log = new Larder\Tests\Support\TestLog();
            $store = Larder\Store\RedisStore::on('127.0.0.1:1', 'site', $log);
            $lease = $store->getOrLease('k')->lease;
            echo json_encode([$store::class, $store->set('k', 1)->name, $lease !== null, $log->lines()]);
            PHP;
        $process = new Process([PHP_BINARY, '-n', '-r', $program], \dirname(__DIR__, 4));
        $process->mustRun();

        self::assertSame(
            [
                NullStore::class,
                'Refused',
                true,
                [
                    'warning: Nothing is cached in Redis: there is no client for it. Load the PHP extension redis, or '
                        . 'run: composer require predis/predis.',
                ],
            ],
            json_decode($process->getOutput(), true),
        );
    }

    /** The letter that says how a value is written. */
    private function format(string $name): string
    {
        $bytes = $this->direct->get($name);
        self::assertIsString($bytes);

        return substr($bytes, 16, 1);
    }

    private static function servers(): RedisServers
    {
        self::assertNotNull(self::$servers);

        return self::$servers;
    }
}
