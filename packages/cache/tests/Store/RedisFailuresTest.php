<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Closure;
use Larder\Metrics\FileCounters;
use Larder\Outcome;
use Larder\Store;
use Larder\Store\Operation;
use Larder\Store\PredisStream;
use Larder\Store\PredisStreams;
use Larder\Store\RedisByExtension;
use Larder\Store\RedisByPredis;
use Larder\Store\RedisFailure;
use Larder\Store\RedisNamespace;
use Larder\Store\RedisScript;
use Larder\Store\RedisServer;
use Larder\Store\RedisStore;
use Larder\Store\ReportedFailures;
use Larder\Testbed\Process\Fork;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\Counted;
use Larder\Tests\Support\Printed;
use Larder\Tests\Support\TestLog;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Predis\Client;
use Symfony\Component\Process\Process;

/**
 * Servers that are killed, paused, full, or no Redis at all: each call ends, tells the truth, and never takes a reply
 * for another's.
 */
#[CoversClass(RedisStore::class)]
#[CoversClass(RedisServer::class)]
#[CoversClass(RedisNamespace::class)]
#[CoversClass(RedisScript::class)]
#[CoversClass(RedisFailure::class)]
#[CoversClass(RedisByExtension::class)]
#[CoversClass(RedisByPredis::class)]
#[CoversClass(PredisStream::class)]
#[CoversClass(PredisStreams::class)]
#[CoversClass(ReportedFailures::class)]
final class RedisFailuresTest extends TestCase
{
    /** Longer than any test, in milliseconds. */
    private const LONG = 600_000;

    private TemporaryDirectory $directory;
    private TestLog $log;
    private FileCounters $counters;
    private ?RedisServers $servers = null;
    private ?Process $fake = null;

    /** For the tests that do no more to a server than pause it. */
    private static ?RedisServers $pausing = null;

    public static function tearDownAfterClass(): void
    {
        self::$pausing?->stop();
        self::$pausing = null;
    }

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        $this->log = new TestLog();
        $this->counters = new FileCounters($this->directory->path . '/counters');
    }

    protected function tearDown(): void
    {
        $this->fake?->stop(0);
        $this->servers?->stop();
        exec('rm -rf ' . escapeshellarg($this->directory->path));
    }

    /** @return iterable<string, array{string}> */
    public static function clients(): iterable
    {
        yield 'phpredis' => ['phpredis'];
        yield 'predis' => ['predis'];
    }

    /**
     * @return iterable<string, array{string, Closure(Store): mixed, mixed}> client, call, and what it gives when no
     *     reply comes
     */
    public static function calls(): iterable
    {
        foreach (RedisServers::CLIENTS as $client) {
            yield "$client get" => [$client, static fn(Store $store) => $store->get('k', 'missed'), 'missed'];
            yield "$client read" => [$client, static fn(Store $store) => $store->read('k')->answered, false];
            yield "$client getMultiple" => [$client, static fn(Store $store) => $store->getMultiple(['k', 'l']), []];
            yield "$client has" => [$client, static fn(Store $store) => $store->has('k'), false];
            yield "$client set" => [$client, static fn(Store $store) => $store->set('k', 2), Outcome::Unknown];
            yield "$client set with a lease" => [
                $client,
                static fn(Store $store) => $store->set('k', 2, lease: 5),
                Outcome::Unknown,
            ];
            yield "$client add" => [$client, static fn(Store $store) => $store->add('k', 2), Outcome::Unknown];
            yield "$client replace" => [$client, static fn(Store $store) => $store->replace('k', 2), Outcome::Unknown];
            yield "$client cas" => [$client, static fn(Store $store) => $store->cas('k', 2, 5), Outcome::Unknown];
            yield "$client setMultiple" => [
                $client,
                static fn(Store $store) => $store->setMultiple(['k' => 2, '7' => 3]),
                ['k' => Outcome::Unknown, 7 => Outcome::Unknown],
            ];
            yield "$client delete" => [$client, static fn(Store $store) => $store->delete('k'), Outcome::Unknown];
            yield "$client deleteMultiple" => [
                $client,
                static fn(Store $store) => $store->deleteMultiple(['k', '7']),
                ['k' => Outcome::Unknown, 7 => Outcome::Unknown],
            ];
            yield "$client touch" => [$client, static fn(Store $store) => $store->touch('k', 5.0), Outcome::Unknown];
            yield "$client increment" => [$client, static fn(Store $store) => $store->increment('k'), Outcome::Unknown];
            yield "$client decrement" => [
                $client,
                static fn(Store $store) => $store->decrement('k', 2, 1),
                Outcome::Unknown,
            ];
            yield "$client getOrLease" => [
                $client,
                static fn(Store $store) => [$store->getOrLease('k')->answered, $store->getOrLease('k')->lease],
                [false, null],
            ];
            yield "$client lease" => [$client, static fn(Store $store) => $store->lease('k'), null];
            yield "$client release" => [$client, static fn(Store $store) => $store->release('k', 5), false];
            yield "$client clear" => [$client, static fn(Store $store) => $store->clear(), Outcome::Unknown];
        }
    }

    /** @param Closure(Store): mixed $call */
    #[DataProvider('calls')]
    public function testAPausedServerEndsEachCall(string $client, Closure $call, mixed $given): void
    {
        $servers = self::$pausing ??= new RedisServers();
        $store = $servers->store($client, 'site', $this->log, 100, self::LONG, $this->counters);
        $servers->pause();
        try {
            self::assertEquals($given, $call($store));
        } finally {
            $servers->resume();
        }

        self::assertSame(Outcome::Refused, $store->set('k', 3), 'it is not asked again');
        self::assertSame(1, Counted::by($this->counters)['larder_store_failures_total{cause="timed_out"}']);
        self::assertCount(1, $this->log->lines());
        self::assertStringContainsString('no reply before the deadline', $this->log->lines()[0]);
    }

    #[DataProvider('clients')]
    public function testAReplyThatComesLateIsNobodys(string $client): void
    {
        $store = $this->store($client, timeout: 100, retry: 1);
        $values = [];
        for ($number = 0; $number < 20; ++$number) {
            $values["k$number"] = "value of $number";
        }
        $this->patiently(
            static fn(): bool => !\in_array(Outcome::Refused, $store->setMultiple($values), true)
                && $store->getMultiple(array_keys($values)) === $values,
        );
        $late = 0;
        for ($number = 0; $number < 10; ++$number) {
            $this->servers?->pause();
            $late += $store->read("k$number")->answered ? 0 : 1;
            $this->servers?->resume();
            for ($next = 0; $next < 20; ++$next) {
                usleep(500);
                self::assertContains($store->get("k$next"), ["value of $next", null]);
            }
        }

        self::assertSame(10, $late);
        self::assertTrue($this->patiently(static fn(): bool => $store->getMultiple(array_keys($values)) === $values));
    }

    #[DataProvider('clients')]
    public function testAServerThatIsGoneIsAMissAndIsNotAskedAgainForAWhile(string $client): void
    {
        $store = $this->store($client, retry: self::LONG);
        $store->set('k', 0);
        $this->servers?->kill();
        $store->read('k');

        self::assertFalse($store->read('k')->answered);
        self::assertSame(Outcome::Refused, $store->set('k', 1));
        self::assertSame([null, null], [$store->get('k'), $store->getOrLease('k')->lease]);
        $this->servers?->restart();
        self::assertFalse($store->read('k')->answered);
        self::assertSame(
            [
                'larder_store_failures_total{store="redis",cause="closed"}',
                'larder_store_failures_total{store="redis",cause="down"}',
                'larder_store_failures_total{store="redis",cause="unreachable"}',
            ],
            array_keys($this->counters->all()),
        );
        self::assertCount(2, $this->log->lines());
    }

    #[DataProvider('clients')]
    public function testAServerThatComesBackIsUsedAgain(string $client): void
    {
        $store = $this->store($client, retry: 1);
        $store->set('k', 1);
        $old = $store->read('k')->version;
        $this->servers?->restart();

        self::assertTrue($store->read('k')->answered, 'a connection of before is worth another try');
        self::assertFalse($store->has('k'));
        self::assertSame(Outcome::Done, $store->set('k', 2));
        self::assertSame(Outcome::Exists, $store->cas('k', 3, $old), 'no version comes again');
        $this->servers?->restart();
        self::assertContains($store->set('k', 4), [Outcome::Unknown, Outcome::Done], 'it may have been sent');
        self::assertSame(Outcome::Done, $store->set('k', 5));
        self::assertSame(5, $store->get('k'));
    }

    #[DataProvider('clients')]
    public function testAClaimAfterARestartIsAnswered(string $client): void
    {
        $store = $this->store($client, retry: self::LONG);
        $store->read('k');
        $this->servers?->restart();
        $first = $store->getOrLease('k');
        $this->servers?->restart();
        $second = $store->lease('k');
        $this->servers?->restart();
        $third = Operation::run(
            $store,
            [Operation::lease('k', 60.0), Operation::getOrLease('l', 60.0), Operation::read('m')],
        );
        $lease = $third[0]->lease;

        self::assertTrue($first->answered, 'a connection of before is worth another try');
        self::assertNotContains(null, [$first->lease, $second, $lease, $third[1]->lease]);
        self::assertSame(Outcome::Done, $store->set('k', 1, lease: $lease));
    }

    /** The reply to the first may have been lost. */
    public function testAClaimThatIsSentAgainIsGrantedAgain(): void
    {
        $this->servers = new RedisServers();
        $redis = $this->servers->direct();
        $claim = static fn(string $token): mixed => $redis->eval(
            RedisScript::Claim->text(false),
            ['generation', 'value', 'lease', '12345678', $token, '60000'],
            3,
        );
        $lease = static fn(string $token): mixed => $redis->eval(
            RedisScript::Operations->text(false),
            ['generation', 'value', 'lease', 'spare', '12345678', 'lease', $token, '60000'],
            4,
        );

        self::assertSame(
            [[1, 'larder'], [1, 'larder'], [0, 'larder']],
            [$claim('token of'), $claim('token of'), $claim('another1')],
        );
        self::assertSame([[1, 'larder'], [0, 'larder']], [$lease('token of'), $lease('another1')]);
    }

    #[DataProvider('clients')]
    public function testAServerThatIsKilledInTheMiddleOfACall(string $client): void
    {
        $store = $this->store($client, timeout: 60_000, retry: 1);
        $servers = $this->servers;
        self::assertNotNull($servers);
        $servers->pause();
        $killer = new Process(['sh', '-c', 'sleep 0.1; kill -9 ' . $servers->pid()]);
        $killer->start();

        self::assertSame(Outcome::Unknown, $store->increment('k', 1, 1));
        $killer->wait();
        self::assertSame(['larder_store_failures_total{cause="closed"}' => 1], Counted::by($this->counters));
        $servers->restart();
        self::assertTrue($this->patiently(static fn(): bool => $store->decrement('k', 0, 1) === 1));
    }

    #[DataProvider('clients')]
    public function testAFullServerRefusesWritesAndAnswersReads(string $client): void
    {
        $store = $this->store($client, retry: self::LONG);
        $store->setMultiple(['k' => 'before', 'gone' => 1]);
        $lease = $store->lease('k');
        $direct = $this->servers?->direct();
        $direct?->config('SET', 'maxmemory', '1');

        foreach ([
            static fn() => $store->set('k', 1),
            static fn() => $store->set('k', 1, lease: $lease),
            static fn() => $store->add('new', 1),
            static fn() => $store->replace('k', 1),
            static fn() => $store->increment('new', 1, 1),
            static fn() => $store->setMultiple(['k' => 1])['k'],
        ] as $number => $write) {
            self::assertSame(Outcome::Refused, $write(), "write $number");
            self::assertSame('before', $store->get('k'), 'nothing changed, and reads go on');
        }
        self::assertNull($store->getOrLease('new')->lease);
        self::assertSame(Outcome::Done, $store->delete('gone'));
        self::assertSame(Outcome::Done, $store->clear());
        $direct?->config('SET', 'maxmemory', '0');
        self::assertSame(Outcome::Done, $store->set('k', 2));
        self::assertSame(['larder_store_failures_total{cause="no_memory"}' => 7], Counted::by($this->counters));
        self::assertCount(1, $this->log->lines());
        self::assertStringContainsString('raise maxmemory', $this->log->lines()[0]);
    }

    #[DataProvider('clients')]
    public function testAReplicaIsLeftAloneUntilItIsOneNoMore(string $client): void
    {
        $store = $this->store($client, retry: 1);
        $store->set('k', 'before');
        $direct = $this->servers?->direct();
        $direct?->rawcommand('REPLICAOF', '127.0.0.1', '1');

        self::assertSame(Outcome::Refused, $store->set('k', 1));
        self::assertSame(1, Counted::by($this->counters)['larder_store_failures_total{cause="replica"}']);
        self::assertStringContainsString('it is a replica', $this->log->lines()[0]);
        $direct?->rawcommand('REPLICAOF', 'NO', 'ONE');
        self::assertTrue($this->patiently(static fn(): bool => $store->set('k', 2) === Outcome::Done));
        self::assertSame(2, $store->get('k'));
    }

    #[DataProvider('clients')]
    public function testOneOfThreeThatIsGoneTakesItsOwnKeysOnly(string $client): void
    {
        $store = $this->store($client, 3, retry: self::LONG);
        $values = [];
        for ($number = 0; $number < 60; ++$number) {
            $values["k$number"] = $number;
        }
        $keys = array_keys($values);
        self::assertSame(array_fill_keys($keys, Outcome::Done), $store->setMultiple($values));
        $this->servers?->kill(1);
        $found = $store->getMultiple($keys);

        self::assertGreaterThan(20, \count($found));
        self::assertLessThan(60, \count($found));
        self::assertSame(array_intersect_key($values, $found), $found);
        foreach ($store->setMultiple($values) as $key => $outcome) {
            self::assertSame(isset($found[$key]) ? Outcome::Done : Outcome::Refused, $outcome);
        }
        foreach ($store->deleteMultiple(\array_slice($keys, 0, 30)) as $key => $outcome) {
            self::assertSame(isset($found[$key]) ? Outcome::Done : Outcome::Refused, $outcome);
        }
        self::assertSame(Outcome::Unknown, $store->clear());
        self::assertSame([], $store->getMultiple($keys));
    }

    #[DataProvider('clients')]
    public function testThreePausedServersHaveOneDeadline(string $client): void
    {
        $store = $this->store($client, 3, timeout: 400, retry: self::LONG);
        $values = array_fill_keys(array_map(static fn(int $number): string => "k$number", range(0, 59)), 1);
        array_map(fn(int $server) => $this->servers?->pause($server), [0, 1, 2]);
        $outcomes = array_map(static fn(Outcome $outcome): string => $outcome->name, $store->setMultiple($values));

        $counts = array_count_values($outcomes);
        self::assertGreaterThan(0, $counts['Unknown'] ?? 0, 'the first one was waited for');
        self::assertGreaterThan(0, $counts['Refused'] ?? 0, 'to the others nothing was sent');
    }

    /** @return iterable<string, array{string, string, string}> client, bytes, and what comes after them */
    public static function fakes(): iterable
    {
        foreach (RedisServers::CLIENTS as $client) {
            yield "$client, closed" => [$client, '', 'close'];
            yield "$client, not RESP" => [$client, "HTTP/1.1 400 Bad Request\r\n\r\n", 'silent'];
            yield "$client, half a line" => [$client, '*', 'silent'];
            yield "$client, half a number" => [$client, '*2', 'silent'];
            yield "$client, half a list" => [$client, "*2\r\n$8\r\n12345678\r\n", 'silent'];
            yield "$client, half a value, closed" => [$client, "*2\r\n$8\r\n12345678\r\n$20\r\n12345678", 'close'];
            yield "$client, too short a list" => [$client, "*1\r\n$8\r\n12345678\r\n", 'silent'];
            yield "$client, no list" => [$client, ":5\r\n", 'silent'];
            yield "$client, nothing" => [$client, "$-1\r\n", 'silent'];
            yield "$client, an error" => [$client, "-LOADING Redis is loading the dataset in memory\r\n", 'silent'];
            yield "$client, an unknown error" => [$client, "-ERR unknown command\r\n", 'silent'];
        }
        // phpredis 5.3 waits for the rest of a value without end, and begins to wait anew with each byte.
        yield 'predis, half a value' => ['predis', "*2\r\n$8\r\n12345678\r\n$20\r\n12345678", 'silent'];
        // Which phpredis takes for 1; but no number that we ask it for has a second digit.
        yield 'predis, half a number, closed' => ['predis', ':1', 'close'];
        yield 'predis, a byte at a time' => ['predis', "*2\r\n$8\r\n12345678\r\n$60\r\n", 'drip'];
    }

    #[DataProvider('fakes')]
    public function testWhatIsNoReplyIsAMissAndEnds(string $client, string $bytes, string $then): void
    {
        self::assertContains($client, RedisServers::CLIENTS);
        $store = RedisStore::on(
            'unix:' . $this->fake($bytes, $then),
            'site',
            $this->log,
            200,
            self::LONG,
            $this->counters,
            $client,
        );
        $answer = $store->read('k');

        self::assertSame([false, false], [$answer->hit, $answer->answered]);
        self::assertSame(Outcome::Refused, $store->set('k', 1), 'it is not asked again');
        self::assertCount(1, $this->log->lines());
        unset($store);
        $store = RedisStore::on(
            'unix:' . $this->fakePath(),
            'site',
            $this->log,
            200,
            self::LONG,
            $this->counters,
            $client,
        );
        self::assertContains(
            $store->set('k', 1),
            [Outcome::Unknown, ...(str_starts_with($bytes, '-') ? [Outcome::Refused] : [])],
        );
    }

    #[DataProvider('clients')]
    public function testAChildDoesNotSpeakOnItsParentsConnection(string $client): void
    {
        $store = $this->store($client);
        $store->setMultiple(['parent' => 'of the parent', 'child' => 'of the child']);
        $children = [];
        for ($child = 0; $child < 3; ++$child) {
            $children[] = Fork::start(static function () use ($store): void {
                $wrong = 0;
                for ($round = 0; $round < 300; ++$round) {
                    $wrong += $store->get('child') === 'of the child' ? 0 : 1;
                }
                posix_kill((int) getmypid(), $wrong === 0 ? SIGTERM : SIGKILL);
            });
        }
        for ($round = 0; $round < 300; ++$round) {
            self::assertSame('of the parent', $store->get('parent'));
        }
        foreach ($children as $pid) {
            pcntl_waitpid($pid, $status);
            self::assertIsInt($status);
            self::assertSame(SIGTERM, pcntl_wtermsig($status));
        }
        self::assertSame([], $this->log->lines());
    }

    #[DataProvider('clients')]
    public function testAnApplicationsClientConnectsAgain(string $client): void
    {
        $this->servers = new RedisServers();
        $socket = $this->servers->socket();
        $redis = $client === 'predis' ? new Client(['scheme' => 'unix', 'path' => $socket]) : $this->servers->direct();
        $store = RedisStore::with(['here:1' => $redis], 'site', $this->log, retry: 1);
        self::assertSame(Outcome::Done, $store->set('k', 1));
        $this->servers->restart();
        self::assertTrue($this->patiently(static fn(): bool => $store->set('k', 2) === Outcome::Done));

        self::assertSame(2, $store->get('k'));
    }

    private function store(string $client, int $servers = 1, int $timeout = 10_000, int $retry = 50): RedisStore
    {
        $this->servers = new RedisServers($servers);

        return $this->servers->store($client, 'site', $this->log, $timeout, $retry, $this->counters);
    }

    /** Starts a server that is no Redis, and gives its socket. */
    private function fake(string $bytes, string $then): string
    {
        $this->fake = new Process([
            PHP_BINARY,
            '-n',
            __DIR__ . '/redis-fake.php',
            $this->fakePath(),
            bin2hex($bytes),
            $then,
        ]);
        $this->fake->start();
        Printed::wait($this->fake, 'ready');

        return $this->fakePath();
    }

    private function fakePath(): string
    {
        return $this->directory->path . '/fake.sock';
    }

    /** @param Closure(): bool $condition to be met within half a minute */
    private function patiently(Closure $condition): bool
    {
        for ($try = 0; $try < 600; ++$try) {
            if ($condition()) {
                return true;
            }
            usleep(50_000);
        }

        return false;
    }
}
