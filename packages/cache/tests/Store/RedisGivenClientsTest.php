<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Closure;
use ErrorException;
use Exception;
use Larder\Exception\InvalidServer;
use Larder\Outcome;
use Larder\Store;
use Larder\Store\RedisByExtension;
use Larder\Store\RedisByPredis;
use Larder\Store\RedisFailure;
use Larder\Store\RedisPlace;
use Larder\Store\RedisStore;
use Larder\Testbed\Process\Fork;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Predis\Client;
use Predis\Retry\Retry;
use Predis\Retry\Strategy\NoBackoff;
use Redis;
use RedisArray;
use RedisException;
use stdClass;

/**
 * An application's client in every state that it can be in: no call of the store throws, and once the server and the
 * client are well again, so is the store.
 */
#[CoversClass(RedisStore::class)]
#[CoversClass(RedisByExtension::class)]
#[CoversClass(RedisByPredis::class)]
#[CoversClass(RedisPlace::class)]
#[CoversClass(RedisFailure::class)]
final class RedisGivenClientsTest extends TestCase
{
    /** Long enough to be taken for a value. */
    private const MESSAGE = 'a message that is longer than the head of a value s';

    private static ?RedisServers $servers = null;
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
        self::servers()->restart();
        self::servers()->direct()->flushAll();
        $this->log = new TestLog();
    }

    protected function tearDown(): void
    {
        self::servers()->restart();
    }

    /** @return iterable<string, array{Closure(): (Redis|Client)}> a client that is connected, or can be */
    public static function clients(): iterable
    {
        yield 'phpredis' => [self::phpredis(...)];
        yield 'phpredis, by a socket' => [static function (): Redis {
            $redis = new Redis();
            $redis->connect(self::servers()->socket());

            return $redis;
        }];
        yield 'phpredis, persistent' => [static function (): Redis {
            $redis = new Redis();
            $redis->pconnect('127.0.0.1', self::servers()->port(), 1.0, 'of the store');

            return $redis;
        }];
        yield 'phpredis, no retries' => [static function (): Redis {
            $redis = self::phpredis();
            $redis->setOption(Redis::OPT_MAX_RETRIES, 0);

            return $redis;
        }];
        yield 'phpredis, literal replies' => [static function (): Redis {
            $redis = self::phpredis();
            $redis->setOption(Redis::OPT_REPLY_LITERAL, true);
            $redis->setOption(Redis::OPT_PREFIX, 'app:');

            return $redis;
        }];
        yield 'phpredis, another database' => [static function (): Redis {
            $redis = self::phpredis();
            $redis->select(3);

            return $redis;
        }];
        yield 'predis' => [static fn(): Client => self::predis()];
        yield 'predis, no exceptions' => [static fn(): Client => self::predis([], ['exceptions' => false])];
        yield 'predis, its own retries' => [
            static fn(): Client => self::predis(['retry' => new Retry(new NoBackoff(), 3)]),
        ];
        yield 'predis, persistent' => [static fn(): Client => self::predis(['persistent' => true])];
        yield 'predis, RESP3' => [static fn(): Client => self::predis(['protocol' => 3])];
        yield 'predis, another database' => [static fn(): Client => self::predis(['database' => 3])];
    }

    /** @param Closure(): (Redis|Client) $connect */
    #[DataProvider('clients')]
    public function testARestartIsSurvived(Closure $connect): void
    {
        $store = $this->store($connect());
        self::assertSame(Outcome::Done, $store->set('k', 1));
        self::servers()->restart();

        self::assertTrue(self::recovers($store));
        self::assertSame(Outcome::Done, $store->set('k', 2));
        self::assertSame(2, $store->get('k'));
    }

    /** @param Closure(): (Redis|Client) $connect */
    #[DataProvider('clients')]
    public function testCallsWhileTheServerIsGoneAreSurvived(Closure $connect): void
    {
        $client = $connect();
        $store = $this->store($client);
        self::assertSame(Outcome::Done, $store->set('k', 1));
        self::servers()->kill();
        for ($round = 0; $round < 3; ++$round) {
            self::assertSame([], self::failing($store));
        }
        self::servers()->restart();

        self::assertTrue(self::recovers($store));
        self::assertSame(Outcome::Done, $store->set('k', 2));
        self::assertSame(2, $store->get('k'));
        self::servers()->kill();
        self::assertSame([], self::failing($store));
        self::servers()->restart();
        self::assertTrue(self::recovers($store), 'and again');
    }

    /** @param Closure(): (Redis|Client) $connect */
    #[DataProvider('clients')]
    public function testWhatTheApplicationClosesIsOpenedAgain(Closure $connect): void
    {
        $client = $connect();
        $store = $this->store($client);
        self::assertSame(Outcome::Done, $store->set('k', 1));
        $isAway = $client instanceof Redis && $client->getDBNum() !== 0;
        $client instanceof Redis ? $client->close() : $client->disconnect();
        if ($isAway) {
            // phpredis 5.3 forgets it, for the application's own commands too.
            $client->select(3);
        }

        self::assertSame(1, $store->get('k'));
        self::servers()->direct()->rawcommand('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
        self::assertSame(1, self::recovers($store) ? $store->get('k') : null);
        // Also the one that the store may have made meanwhile.
        self::assertSame(Outcome::Done, $store->set('k', 2));
        self::assertSame(2, $store->get('k'));
    }

    public function testAClientThatIsNotConnectedYet(): void
    {
        foreach ([new Redis(), self::refused()] as $redis) {
            $store = $this->store($redis);
            self::assertSame([], self::failing($store));
            $redis->connect('127.0.0.1', self::servers()->port());

            self::assertTrue(self::recovers($store));
            self::assertSame(Outcome::Done, $store->set('k', 1));
            self::assertSame(1, $store->get('k'));
        }
        self::assertStringContainsString('call its connect()', implode("\n", $this->log->lines()));
        $predis = self::predis(['port' => 1, 'timeout' => 0.2]);
        self::assertSame([], self::failing($this->store($predis)));
        self::assertTrue(self::recovers($this->store(self::predis())), 'it connects by itself');
    }

    public function testAClientWhoseOwnConnectFailedMeanwhile(): void
    {
        $redis = self::phpredis();
        $store = $this->store($redis);
        self::assertSame(Outcome::Done, $store->set('k', 1));
        try {
            $redis->connect('127.0.0.1', 1, 0.2);
        } catch (Exception) {
            // As an application does that goes on without.
        }

        // The server is there: from the second call on the store may have a connection of its own.
        self::assertContains($store->get('k', 'missed'), ['missed', 1]);
        self::assertTrue(self::recovers($store), 'by a connection of its own');
        self::assertSame(1, $store->get('k'));
    }

    public function testTheStoresOwnConnectionHasTheAccountAndTheDatabase(): void
    {
        $direct = self::servers()->direct();
        $direct->rawcommand('ACL', 'SETUSER', 'shop', 'on', '>secret', '~site*', '+@all');
        $redis = self::phpredis();
        $redis->auth(['shop', 'secret']);
        $redis->select(2);
        $store = $this->store($redis);
        self::assertSame(Outcome::Done, $store->set('k', 1));
        try {
            $redis->connect('127.0.0.1', 1, 0.2);
        } catch (Exception) {
        }
        self::assertTrue(self::recovers($store));
        $list = $direct->rawcommand('CLIENT', 'LIST');

        self::assertSame(1, $store->get('k'));
        self::assertIsString($list);
        self::assertMatchesRegularExpression('/ db=2 .* user=shop /', $list);
        $direct->rawcommand('ACL', 'DELUSER', 'shop');
    }

    public function testAnotherDatabaseThatTheApplicationSelectedIsNotWrittenTo(): void
    {
        $redis = self::phpredis();
        $store = $this->store($redis);
        self::assertSame(Outcome::Done, $store->set('k', 1));
        $redis->select(5);

        self::assertSame(Outcome::Refused, $store->set('k', 2));
        self::assertFalse($store->read('k')->answered);
        self::assertSame(0, $redis->dbSize());
        $redis->select(0);
        self::assertSame(1, $store->get('k'));
        self::assertStringContainsString('another database', $this->log->lines()[0]);
    }

    public function testATransactionBegunByPhpredisIsLeftAlone(): void
    {
        foreach ([Redis::MULTI, Redis::PIPELINE] as $mode) {
            $redis = self::phpredis();
            $store = $this->store($redis);
            $store->set('k', 1);
            $redis->multi($mode);
            $redis->set('own', '1');
            self::assertSame([], self::failing($store));

            self::assertSame([true], $redis->exec());
            self::assertSame(1, $store->get('k'));
        }
    }

    /** The client does not know of it, and the server takes every command into it. */
    public function testATransactionBegunByCommandEndsAndGivesNoValue(): void
    {
        foreach ([self::phpredis(), self::predis()] as $client) {
            $store = $this->store($client);
            $store->set('k', 1);
            $raw = static fn(string ...$words): mixed => $client instanceof Redis
                ? $client->rawcommand(...$words)
                : $client->executeRaw(array_values($words));
            $raw('MULTI');
            $raw('SET', 'own', '1');
            self::assertSame([], self::failing($store));
            $isDone = true;
            try {
                $isDone = \is_array($raw('EXEC'));
            } catch (Exception) {
                $isDone = false;
            }

            self::assertFalse($isDone, 'it is an error, and nothing half done');
            self::assertTrue(self::recovers($store));
            self::assertContains($store->set('k', 2), [Outcome::Done, Outcome::Unknown]);
        }
        self::assertFalse(self::servers()->direct()->get('own'));
    }

    public function testASubscriptionGoesOnAndItsMessagesAreNoValues(): void
    {
        foreach ([self::phpredis(), self::predis()] as $client) {
            $store = $this->store($client);
            $store->set('k', 1);
            $publisher = self::servers()->direct();
            $wrong = $messages = [];
            $heard = static function (string $message) use ($store, &$wrong, &$messages): void {
                $messages[] = $message;
                array_push($wrong, ...self::failing($store));
            };
            if ($client instanceof Redis) {
                $client->setOption(Redis::OPT_READ_TIMEOUT, 1.0);
                $child = self::publishing();
                try {
                    $client->subscribe(['news'], static function (Redis $redis, string $name, string $message) use (
                        $heard,
                        $publisher,
                        &$messages,
                    ): void {
                        $heard($message);
                        if (\count($messages) < 3) {
                            $publisher->publish('news', self::MESSAGE);
                        }
                    });
                } catch (RedisException) {
                    // The time to wait for a message is over: phpredis leaves a subscription in no other way.
                }
                $client->close();
                pcntl_waitpid($child, $status);
            } else {
                $loop = $client->pubSubLoop(['subscribe' => 'news']);
                self::assertNotNull($loop);
                $loop->current();
                for ($number = 0; $number < 3; ++$number) {
                    $publisher->publish('news', self::MESSAGE);
                    $message = $loop->current();
                    self::assertInstanceOf(stdClass::class, $message);
                    self::assertIsString($message->payload);
                    $heard($message->payload);
                }
                $publisher->publish('news', self::MESSAGE);
                $heard('a message is in the connection');
                $loop->stop(true);
            }

            self::assertSame([], $wrong);
            self::assertSame([self::MESSAGE, self::MESSAGE, self::MESSAGE], \array_slice($messages, 0, 3));
            self::assertTrue(self::recovers($store));
        }
    }

    public function testAnErrorHandlerThatThrowsIsNoMatter(): void
    {
        foreach ([self::phpredis(), self::predis()] as $client) {
            $store = $this->store($client);
            $store->set('k', 1);
            self::servers()->kill();
            set_error_handler(static fn(int $level, string $message): never => throw new ErrorException($message));
            try {
                self::assertSame([], self::failing($store));
            } finally {
                restore_error_handler();
            }
            self::servers()->restart();
            self::assertTrue(self::recovers($store));
        }
    }

    public function testAClientOfAnotherKindIsAMistake(): void
    {
        $this->expectException(InvalidServer::class);
        // @phpstan-ignore argument.type (what an application may give)
        RedisStore::with(['here:1' => new RedisArray(['127.0.0.1:' . self::servers()->port()])], 'site');
    }

    /**
     * Calls a store that cannot answer.
     *
     * @return list<string> what it did and should not
     */
    private static function failing(Store $store): array
    {
        $wrong = [];
        foreach ([
            'get' => [static fn() => $store->get('k', 'missed'), ['missed']],
            'read' => [static fn() => $store->read('k')->answered, [false]],
            'values' => [static fn() => $store->getMultiple(['k', 'l']), [[]]],
            'has' => [static fn() => $store->has('k'), [false]],
            'set' => [static fn() => $store->set('l', 2), [Outcome::Refused, Outcome::Unknown]],
            'many' => [
                static fn() => array_values(array_unique($store->setMultiple(['l' => 2, 'm' => 2]), SORT_REGULAR)),
                [[Outcome::Refused], [Outcome::Unknown]],
            ],
            'count' => [static fn() => $store->increment('l'), [Outcome::Refused, Outcome::Unknown]],
            'claim' => [static fn() => [$store->getOrLease('l')->lease, $store->getOrLease('l')->hit], [[null, false]]],
            'clear' => [static fn() => $store->clear(), [Outcome::Refused, Outcome::Unknown]],
        ] as $name => [$call, $expected]) {
            try {
                $given = $call();
            } catch (Exception $exception) {
                $given = $exception::class . ': ' . $exception->getMessage();
            }
            if (!\in_array($given, $expected, true)) {
                $wrong[] = $name . ' gave ' . var_export($given, true);
            }
        }

        return $wrong;
    }

    private static function recovers(Store $store): bool
    {
        for ($try = 0; $try < 600; ++$try) {
            if ($store->read('k')->answered) {
                return true;
            }
            usleep(20_000);
        }

        return false;
    }

    private function store(Redis|Client $client): RedisStore
    {
        return RedisStore::with(['here:1' => $client], 'site', $this->log, 2000, 1);
    }

    private static function phpredis(): Redis
    {
        $redis = new Redis();
        $redis->connect('127.0.0.1', self::servers()->port(), 1.0);

        return $redis;
    }

    private static function refused(): Redis
    {
        $redis = new Redis();
        try {
            $redis->connect('127.0.0.1', 1, 0.2);
        } catch (Exception) {
            // It stays as it is then.
        }

        return $redis;
    }

    /**
     * @param array<string, mixed> $parameters
     * @param array<string, mixed> $options
     */
    private static function predis(array $parameters = [], array $options = []): Client
    {
        return new Client([...['port' => self::servers()->port(), 'timeout' => 1.0], ...$parameters], $options);
    }

    /** A process that sends a message as soon as somebody hears it. */
    private static function publishing(): int
    {
        return Fork::start(static function (): void {
            $redis = self::servers()->direct();
            for ($try = 0; $try < 1000 && $redis->publish('news', self::MESSAGE) === 0; ++$try) {
                usleep(10_000);
            }
        });
    }

    private static function servers(): RedisServers
    {
        self::assertNotNull(self::$servers);

        return self::$servers;
    }
}
