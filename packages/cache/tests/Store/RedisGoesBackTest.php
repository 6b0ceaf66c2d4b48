<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use ArrayObject;
use Larder\Cache;
use Larder\Dependency\Gates;
use Larder\Metrics\FileCounters;
use Larder\Outcome;
use Larder\Store;
use Larder\Store\ArrayStore;
use Larder\Store\RedisBinding;
use Larder\Store\RedisNamespace;
use Larder\Store\RedisScript;
use Larder\Store\RedisServer;
use Larder\Store\RedisStore;
use Larder\Store\TieredStore;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\Counted;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Predis\Client;
use RuntimeException;
use ValueError;

/**
 * Servers that come back with an older copy of their data: by a snapshot after a crash, or a replica that lagged in the
 * place of its primary. Nothing of it counts, whatever was changed meanwhile.
 */
#[CoversClass(RedisStore::class)]
#[CoversClass(RedisServer::class)]
#[CoversClass(RedisNamespace::class)]
#[CoversClass(RedisScript::class)]
#[CoversClass(RedisBinding::class)]
final class RedisGoesBackTest extends TestCase
{
    /** Beyond the time that an answer of the server is believed, in microseconds. */
    private const LATER = 1_100_000;

    private static ?RedisServers $servers = null;

    public static function setUpBeforeClass(): void
    {
        self::$servers = new RedisServers(2);
    }

    public static function tearDownAfterClass(): void
    {
        self::$servers?->stop();
        self::$servers = null;
    }

    protected function setUp(): void
    {
        foreach ([0, 1] as $number) {
            self::servers()->direct($number)->rawcommand('REPLICAOF', 'NO', 'ONE');
            self::servers()->direct($number)->flushAll();
            self::servers()->save($number);
        }
    }

    /** @return iterable<string, array{GoingBack}> */
    public static function stores(): iterable
    {
        foreach (RedisServers::CLIENTS as $client) {
            foreach ([true, false] as $isGiven) {
                yield ($isGiven ? 'with ' : 'on ') . $client => [new GoingBack($client, $isGiven)];
            }
        }
    }

    #[DataProvider('stores')]
    public function testWhatWasChangedAfterASnapshotStaysChanged(GoingBack $stores): void
    {
        $store = $stores->open(self::servers());
        $cleared = $stores->open(self::servers(), namespace: 'cleared');
        $store->setMultiple(['set' => 'old', 'deleted' => 'old', 'touched' => 'old', 'same' => 'same', 'number' => 1]);
        $cleared->set('k', 'old');
        $version = $store->read('set')->version;
        $stamp = $store->confirm([], ['set'])->stamps['set'];
        $lease = $store->lease('leased', 600.0);
        $late = $store->lease('late', 600.0);
        self::servers()->save();
        $store->set('set', 'new');
        $store->delete('deleted');
        $store->touch('touched', 0.0);
        $store->increment('number');
        $store->set('leased', 'new', lease: $lease);
        $cleared->clear();
        self::servers()->restart();

        foreach ([$store, $stores->open(self::servers())] as $reader) {
            self::assertSame([], $reader->getMultiple(['set', 'deleted', 'touched', 'same', 'number', 'leased']));
            self::assertFalse($reader->read('set')->hit);
            self::assertFalse($reader->has('deleted'));
            self::assertSame([], $reader->confirm(['set' => $stamp], ['deleted'])->stamps);
        }
        self::assertNull($cleared->get('k'));
        self::assertSame(Outcome::Exists, $store->set('late', 'old', lease: $late), 'its run may be long gone');
        self::assertSame(Outcome::NotFound, $store->cas('set', 'x', $version));
        self::assertSame(Outcome::NotFound, $store->increment('number'));
        self::assertNotNull($store->getOrLease('leased')->lease, 'nobody waits for a lease of before');
        self::assertNotNull($stores->open(self::servers())->lease('late'));
        self::assertSame(Outcome::Done, $store->set('set', 'newer'));
        self::assertSame(
            ['set' => 'newer'],
            $stores->open(self::servers())->getMultiple(['set', 'deleted', 'touched', 'same']),
        );
    }

    public function testTheApplicationHasConnectedItsClientAnewMeanwhile(): void
    {
        $client = new Client(['port' => self::servers()->port()]);
        $store = RedisStore::with(['here:1' => $client], 'site', retry: 1);
        $store->set('k', 'old');
        self::servers()->save();
        self::assertSame('old', $store->get('k'));
        self::assertSame(Outcome::Done, $store->delete('k'));
        self::servers()->restart();
        $client->disconnect();
        $client->connect();

        self::assertNull($store->get('k'));
    }

    #[DataProvider('stores')]
    public function testAValueThatAChangeEndedDoesNotComeBack(GoingBack $stores): void
    {
        $news = new ArrayObject(['title' => 'old']);
        $cache = static function () use ($stores): Cache {
            $store = $stores->open(self::servers());

            return new Cache($store, new Gates($store, inTransaction: static fn(): bool => false));
        };
        $seen = static function (Cache $cache) use ($news): mixed {
            return $cache->remember('k', static function () use ($news): mixed {
                return $news['title'];
            }, ttl: 600.0, reads: ['#news']);
        };
        [$first, $second] = [$cache(), $cache()];
        self::assertSame(['old', 'old'], [$seen($first), $seen($second)]);
        self::servers()->save();
        $first->change(['#news'], static function () use ($news): void {
            $news['title'] = 'new';
        });
        self::assertSame('new', $seen($second));
        self::servers()->restart();

        self::assertSame(['new', 'new', 'new'], [$seen($first), $seen($second), $seen($cache())]);
    }

    #[DataProvider('stores')]
    public function testAGateThatWasClosedInTheSnapshotIsOpen(GoingBack $stores): void
    {
        $store = $stores->open(self::servers());
        $cache = new Cache($store, new Gates($store, inTransaction: static fn(): bool => false));
        $cache->change(['#news'], static fn() => self::servers()->save());
        self::servers()->restart();
        $made = new ArrayObject(['times' => 0]);
        for ($call = 0; $call < 3; ++$call) {
            $cache->remember('k', static function () use ($made): int {
                $made['times'] = 1 + ($made['times'] ?? 0);

                return $made['times'];
            }, ttl: 600.0, reads: ['#news']);
        }

        self::assertSame(1, $made['times']);
    }

    #[DataProvider('stores')]
    public function testTwoThatSeeTheRestartAtDifferentTimes(GoingBack $stores): void
    {
        [$first, $second] = [$stores->open(self::servers()), $stores->open(self::servers())];
        $first->setMultiple(['k' => 'old', 'l' => 'old']);
        self::assertSame('old', $second->get('k'));
        $lease = $second->lease('m', 600.0);
        self::servers()->save();
        self::servers()->restart();
        self::assertSame(Outcome::Done, self::patiently($first)->set('k', 'new'));

        self::assertContains($second->set('m', 'old', lease: $lease), [Outcome::Exists, Outcome::Unknown]);
        self::assertSame(['k' => 'new'], $second->getMultiple(['k', 'l', 'm']));
    }

    #[DataProvider('stores')]
    public function testALaggingReplicaIsPromotedDemotedAndPromotedAgain(GoingBack $stores): void
    {
        [$first, $second] = [$stores->open(self::servers()), $stores->open(self::servers(), 1)];
        $second->set('k', 'of another time');
        $first->setMultiple(['k' => 'old', 'l' => 'old']);
        self::follow(1, 0);
        self::assertSame('old', self::lies(1, 'k'));
        self::cut(1);
        $first->delete('l');
        self::assertSame(Outcome::Done, $first->set('k', 'new'));
        usleep(self::LATER);
        self::assertFalse($second->read('k')->answered, 'a replica answers no reads');
        self::assertContains($second->set('k', 'x'), [Outcome::Refused, Outcome::Unknown]);

        self::promote(1);
        self::assertSame([], self::patiently($second)->getMultiple(['k', 'l']));
        self::assertSame(Outcome::Done, $second->set('k', 'newer'));
        self::assertSame('newer', $second->get('k'));

        // The connections of the one before stay open.
        self::follow(0, 1);
        usleep(self::LATER);
        self::assertFalse($first->read('k')->answered);
        self::assertFalse($stores->open(self::servers())->read('k')->answered);
        self::cut(0);
        self::assertSame(Outcome::Done, $second->set('k', 'newest'));

        self::promote(0);
        self::assertSame('newer', self::lies(0, 'k'));
        foreach ([self::patiently($first), $stores->open(self::servers())] as $reader) {
            self::assertSame([], $reader->getMultiple(['k', 'l']));
        }
        self::assertSame(Outcome::Done, $first->add('k', 'last'));
        self::assertSame('last', $stores->open(self::servers())->get('k'));
    }

    /** @return iterable<string, array{string, bool}> client, and whether it was told of failovers */
    public static function watchful(): iterable
    {
        foreach (RedisServers::CLIENTS as $client) {
            yield $client => [$client, false];
            yield "$client, with failover" => [$client, true];
        }
    }

    #[DataProvider('watchful')]
    public function testAPrimaryThatIsDemotedIsReadForNoLongerThanASecond(string $client, bool $failover): void
    {
        $store = self::servers()->store($client, failover: $failover);
        $key = self::keyOf($store, 0);
        $store->set($key, 'old');
        self::assertSame('old', $store->get($key));
        $direct = self::servers()->direct();
        $direct->rawcommand('REPLICAOF', '127.0.0.1', '1');
        if (!$failover) {
            usleep(self::LATER);
        }

        self::assertFalse($store->read($key)->answered);
        self::assertNull($store->get($key));
    }

    #[DataProvider('stores')]
    public function testWhatSurvivesIsThereAndAsOldAsTheSnapshot(GoingBack $stores): void
    {
        $sessions = $stores->open(self::servers(), survives: true);
        $values = $stores->open(self::servers());
        self::assertSame([true, false], [$sessions->mayGoBack(), $sessions->dropsInstead()]);
        self::assertSame([false, true], [$values->mayGoBack(), $values->dropsInstead()]);
        $sessions->set('k', 'session');
        $sessions->set('number', 1);
        $values->set('k', 'value');
        self::servers()->save();
        $sessions->increment('number');
        self::servers()->restart();

        self::assertNull($values->get('k'));
        self::assertSame(['k' => 'session', 'number' => 1], $sessions->getMultiple(['k', 'number']));
        self::assertSame(Outcome::Done, $values->set('k', 'another'));
        self::assertSame(Outcome::Done, $values->clear());
        $survivor = $stores->open(self::servers(), survives: true);
        self::assertSame('session', $survivor->get('k'), 'one namespace does not touch the other');
        self::assertSame(Outcome::Done, $sessions->clear());
        self::assertNull($sessions->get('k'));
    }

    public function testVersionsAreNotKeptWhereTheyMayComeBack(): void
    {
        $this->expectException(ValueError::class);
        $this->expectExceptionMessage('must not come back');
        new Gates(self::servers()->store('predis', survives: true));
    }

    public function testATierIsAsItsFarStore(): void
    {
        foreach ([true, false] as $survives) {
            $far = self::servers()->store('predis', survives: $survives);
            $tiers = new TieredStore(new ArrayStore(), $far);

            self::assertSame([$survives, !$survives], [$tiers->mayGoBack(), $tiers->dropsInstead()]);
        }
    }

    #[DataProvider('stores')]
    public function testThatItIsEmptyIsSaidAndCountedOnce(GoingBack $stores): void
    {
        $directory = new TemporaryDirectory();
        $counters = new FileCounters($directory->path . '/counters');
        $log = new TestLog();
        $opened = array_map(
            static fn(): RedisStore => $stores->open(self::servers(), log: $log, counters: $counters),
            range(0, 2),
        );
        self::servers()->renew();
        self::patiently($opened[0])->set('k', 1);
        self::servers()->save();
        // The first replica; a restart.
        foreach ([static fn() => self::follow(1, 0), static fn() => self::servers()->restart()] as $event) {
            $event();
            usleep(self::LATER);
            foreach ($opened as $store) {
                self::assertSame([], $store->getMultiple(['k', 'l']));
            }
            foreach ($opened as $number => $store) {
                self::patiently($store)->set("of $number", 1);
            }
            self::assertSame(['of 0' => 1, 'of 2' => 1], $opened[1]->getMultiple(['of 0', 'of 2']));
            $opened[0]->set('k', 2);
        }

        self::assertSame(2, Counted::by($counters)['larder_store_failures_total{cause="emptied"}']);
        self::assertCount(
            1,
            array_filter($log->lines(), static fn(string $line): bool => str_contains($line, 'made anew')),
        );
        $directory->remove();
    }

    #[DataProvider('stores')]
    public function testWhatLosesNothingEmptiesNothing(GoingBack $stores): void
    {
        $store = $stores->open(self::servers());
        $store->set('k', 1);
        $direct = self::servers()->direct();
        foreach ([
            static fn() => self::servers()->save(),
            static fn() => $direct->rawcommand('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'),
            static fn() => $direct->script('flush'),
            static fn() => usleep(self::LATER),
        ] as $event) {
            $event();
            self::assertSame(1, $store->get('k'));
            self::assertSame(1, $stores->open(self::servers())->get('k'));
        }
    }

    public function testAnAccountWithoutInfoKeepsNothingAndSaysWhatToType(): void
    {
        $direct = self::servers()->direct();
        $direct->rawcommand(
            ...explode(' ', 'ACL SETUSER shop on >secret ~site[:?!=+]* -@all +get +mget +set +eval +evalsha +unlink'),
            ...explode(' ', '+scan +getrange +pexpire +persist +incrby'),
        );
        foreach (RedisServers::CLIENTS as $client) {
            $log = new TestLog();
            $address = self::servers()->addresses()[0] . '?user=shop&password=secret';
            $store = RedisStore::on($address, 'site', $log, 5000, 1, client: $client);
            $survives = RedisStore::on($address, 'site', $log, 5000, 1, client: $client, survives: true);
            for ($call = 0; $call < 3; ++$call) {
                self::assertSame(Outcome::Refused, $store->set('k', 1));
                self::assertFalse($store->read('k')->answered);
            }
            self::assertCount(1, $log->lines());
            self::assertStringContainsString('ACL SETUSER NAME +info', $log->lines()[0]);
            self::assertSame(Outcome::Done, $survives->set('k', 2));
            self::assertSame(2, $survives->get('k'));
            $direct->rawcommand('ACL', 'SETUSER', 'shop', '+info');
            self::assertSame(Outcome::Done, self::patiently($store)->set('k', 1));
            self::assertSame(1, $store->get('k'));
            $direct->rawcommand('ACL', 'SETUSER', 'shop', '-info');
        }
        $direct->rawcommand('ACL', 'DELUSER', 'shop');
    }

    public function testARecordOfBeforeDoesNotCount(): void
    {
        $store = self::servers()->store('predis');
        $key = self::keyOf($store, 0);
        $store->set($key, 1);
        $direct = self::servers()->direct();
        $record = $direct->get('site!');
        self::assertIsString($record);
        self::assertMatchesRegularExpression('/^.{8}[0-9a-f]{40}$/s', $record);
        foreach ([substr($record, 0, 8), $record . '0', substr($record, 0, 8) . str_repeat('0', 40)] as $other) {
            $direct->set('site!', $other);
            self::assertNull($store->get($key));
            self::assertFalse($store->has($key));
        }
        $direct->set('site!', $record);
        self::assertSame(1, $store->get($key));
    }

    public function testMoreKeysThanFitOnAScriptsStack(): void
    {
        $values = [];
        for ($number = 0; $number < 9_500; ++$number) {
            $values["k$number"] = $number;
        }
        $store = self::servers()->store('phpredis', timeout: 60_000, failover: true);
        $store->setMultiple($values);
        $keys = array_keys($values);

        self::assertSame($values, $store->getMultiple($keys));
        $some = [...\array_slice($keys, 0, 999), 'not there', ...\array_slice($keys, 999, 1002)];
        self::assertSame(\array_slice($values, 0, 2001), $store->getMultiple($some));
    }

    private static function follow(int $replica, int $primary): void
    {
        self::servers()->direct($primary)->config('SET', 'repl-diskless-sync-delay', '0');
        $direct = self::servers()->direct($replica);
        $direct->rawcommand('REPLICAOF', '127.0.0.1', (string) self::servers()->port($primary));
        for ($try = 0; $try < 600; ++$try) {
            $info = $direct->info('replication');
            if (($info['master_link_status'] ?? '') === 'up') {
                return;
            }
            usleep(50_000);
        }
        throw new RuntimeException('The replica does not follow.');
    }

    /** The replica hears of nothing any more, and does not know it. */
    private static function cut(int $replica): void
    {
        self::servers()->direct($replica)->rawcommand('REPLICAOF', '127.0.0.1', '1');
    }

    private static function promote(int $replica): void
    {
        self::servers()->direct($replica)->rawcommand('REPLICAOF', 'NO', 'ONE');
    }

    /** What a reader would get that trusts the server. */
    private static function lies(int $number, string $key): string
    {
        $bytes = self::servers()->direct($number)->get('site:' . $key);
        self::assertIsString($bytes);

        return substr($bytes, 17);
    }

    /** A store that is asked again at once, as soon as it may be. */
    private static function patiently(Store $store): Store
    {
        for ($try = 0; $try < 600 && !$store->read('anything')->answered; ++$try) {
            usleep(50_000);
        }

        return $store;
    }

    private static function keyOf(RedisStore $store, int $number): string
    {
        for ($try = 0; $try < 100; ++$try) {
            $store->set("k$try", 1);
            if (self::servers()->direct($number)->exists("site:k$try") === 1) {
                return "k$try";
            }
        }
        throw new RuntimeException('The ring gives this server no key.');
    }

    private static function servers(): RedisServers
    {
        self::assertNotNull(self::$servers);

        return self::$servers;
    }
}
