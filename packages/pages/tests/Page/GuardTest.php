<?php

declare(strict_types=1);

namespace Larder\Tests\Page;

use Larder\Page\Exception\InvalidSite;
use Larder\Page\Guard;
use Larder\Page\GuardedServers;
use Larder\Page\GuardEvent;
use Larder\Page\MemcachedNodes;
use Larder\Page\MemcachedPageStore;
use Larder\Page\ServerState;
use Larder\Page\Site;
use Larder\Page\Storage;
use Larder\Page\WatchedServer;
use Larder\Sql\Exception\PageStoreFailed;
use Larder\Testbed\Net\DelayProxy;
use Larder\Testbed\Net\Exchange;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** A guard of two memcached servers that are killed and stopped; what it tells nginx is noted. */
#[CoversClass(Guard::class)]
#[CoversClass(GuardedServers::class)]
#[CoversClass(GuardEvent::class)]
#[CoversClass(MemcachedNodes::class)]
#[CoversClass(ServerState::class)]
#[CoversClass(Site::class)]
#[CoversClass(WatchedServer::class)]
final class GuardTest extends TestCase
{
    private static ?TemporaryDirectory $room = null;

    /** @var list<Memcached> */
    private static array $started = [];

    private TemporaryDirectory $directory;

    /** @var array{Memcached, Memcached} */
    private array $memcached;

    private GuardedServers $servers;

    /** @var list<array{list<string>, bool}> what was out when nginx was told, and whether plant()'s value was there */
    private array $told = [];

    private ?string $refusal = null;

    private int $looks = 0;

    public static function setUpBeforeClass(): void
    {
        self::$room = new TemporaryDirectory();
        $path = self::$room->path;
        self::$started = [new Memcached($path . '/1', socket: true), new Memcached($path . '/2')];
    }

    public static function tearDownAfterClass(): void
    {
        array_map(static fn(Memcached $server) => $server->stop(), self::$started);
        self::$started = [];
        self::$room?->remove();
        self::$room = null;
    }

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        [$one, $other] = self::$started;
        $this->memcached = [$one, $other];
        foreach ($this->memcached as $number => $server) {
            $server->resume();
            $server->start();
            self::assertSame("OK\r\n", $this->exchange($number, "flush_all\r\n", "OK\r\n", 60.0));
        }
        $this->servers = new GuardedServers($this->directory->path, 'news', [$this->address(0), $this->address(1)]);
    }

    protected function tearDown(): void
    {
        if ($this->memcached[1] !== self::$started[1]) {
            $this->memcached[1]->stop();
        }
        $this->directory->remove();
    }

    public function testItWritesWhatNginxIncludes(): void
    {
        self::assertNull($this->servers->out());
        self::assertSame([['up', 'up']], $this->rounds(1));
        self::assertSame(
            "server {$this->address(0)} max_fails=0;\nserver {$this->address(1)} max_fails=0;\n",
            preg_replace('/^#.*\n/', '', (string) file_get_contents($this->servers->path())),
        );
        self::assertSame([[], false], $this->told[0] ?? null);
        self::assertSame([], $this->servers->out());
        $other = new GuardedServers($this->directory->path, 'news', [$this->address(1), $this->address(0)]);
        self::assertNotSame($this->servers->path(), $other->path(), 'An older list is never loaded.');
    }

    public function testAServerThatHangsIsOutAndTakenBackOnlyEmpty(): void
    {
        $guard = $this->guard();
        $guard->round();
        $this->plant(0);
        $this->memcached[0]->pause();
        self::assertSame([['slow'], ['out'], []], $this->rounds(3, $guard));
        self::assertSame([$this->address(0)], $this->servers->out());
        self::assertStringContainsString("{$this->address(0)} max_fails=0 down;", $this->text());
        self::assertStringContainsString("{$this->address(1)} max_fails=0;", $this->text());

        $this->memcached[0]->resume();
        self::assertSame([['returning'], ['up'], []], $this->rounds(3, $guard));
        self::assertSame([], $this->servers->out());
        self::assertSame(
            [[[], false], [[$this->address(0)], false], [[], false]],
            $this->told,
            'It was empty when nginx was told of it.',
        );
    }

    public function testOneThatCannotBeEmptiedStaysOut(): void
    {
        $this->memcached[1] = new Memcached($this->directory->path . '/3', options: ['-F']);
        $this->servers = new GuardedServers($this->directory->path, 'news', [$this->address(0), $this->address(1)]);
        file_put_contents($this->servers->path(), $this->servers->text($this->address(1)));
        self::assertSame([['up', 'returning'], ['out'], ['returning'], ['out']], $this->rounds(4));
        self::assertSame([$this->address(1)], $this->servers->out());
        self::assertSame([], $this->told);
    }

    /** Nobody waits for it, and nobody knows whether it comes back. */
    public function testOneThatRefusesStaysIn(): void
    {
        $this->memcached[0]->kill();
        self::assertSame([['refuses', 'up'], [], []], $this->rounds(3));
        self::assertSame([], $this->servers->out());

        $this->servers->write($this->address(0));
        self::assertSame([['out', 'up'], [], []], $this->rounds(3), 'It was out, and has not come back.');
        $this->memcached[0]->restart();
        self::assertSame([['returning', 'up'], ['up']], $this->rounds(2));
    }

    public function testOneAnswerInBetweenIsEnoughToStay(): void
    {
        $guard = $this->guard();
        $guard->round();
        foreach ([1, 2] as $_) {
            $this->memcached[0]->pause();
            self::assertSame([['slow']], $this->rounds(1, $guard));
            self::assertTrue($guard->isSuspicious());
            $this->memcached[0]->resume();
            self::assertSame([['up']], $this->rounds(1, $guard));
            self::assertTrue($guard->isWell());
        }
        self::assertSame(1, $this->times());
    }

    public function testAllCanBeOut(): void
    {
        $guard = $this->guard();
        $guard->round();
        foreach ($this->memcached as $server) {
            $server->pause();
        }
        self::assertSame([['slow', 'slow'], ['out', 'out']], $this->rounds(2, $guard));
        self::assertSame($this->servers->servers, $this->servers->out());
        self::assertFalse($guard->isWell());
        self::assertTrue($guard->isSettled());
    }

    public function testWhatNginxRefusesIsTakenBackAndSaidOnceAndTriedAgain(): void
    {
        $guard = $this->guard();
        $guard->round();
        $before = $this->text();
        $this->memcached[0]->pause();
        $this->refusal = 'nginx: no';
        self::assertSame([['slow'], ['out', 'nginx: no'], [], []], $this->rounds(4, $guard));
        self::assertSame($before, $this->text());
        self::assertFalse($this->servers->isUntold());
        self::assertSame(4, $this->times());

        $this->refusal = null;
        $guard->round();
        self::assertSame([$this->address(0)], $this->servers->out());
        $guard->round();
        self::assertSame(5, $this->times());
    }

    /** Without a file nginx could not even say what else is wrong. */
    public function testTheFirstFileStays(): void
    {
        $this->refusal = 'nginx: no';
        $guard = $this->guard();
        self::assertSame([['up', 'up', 'nginx: no'], []], $this->rounds(2, $guard));
        self::assertSame([], $this->servers->out());
    }

    public function testTheNextGuardLooksAnewAndTellsWhatWasNotTold(): void
    {
        $this->guard()->round();
        $this->servers->write($this->address(1));
        self::assertTrue($this->servers->isUntold());
        $this->told = [];
        self::assertSame([['up', 'returning'], ['up']], $this->rounds(2));
        self::assertSame([[[$this->address(1)], false], [[], false]], $this->told);
        self::assertFalse($this->servers->isUntold());
    }

    public function testPhpDoesNotAskAServerThatIsOut(): void
    {
        $store = new MemcachedPageStore($this->servers->servers, 'test/site', guarded: $this->servers);
        $this->servers->write();
        $store->begin('life', 1, 'r1');
        $connections = $this->connections();
        $this->servers->write($this->address(0));
        $fresh = new MemcachedPageStore($this->servers->servers, 'test/site', guarded: $this->servers);
        foreach ([$store, $fresh] as $pages) {
            try {
                $pages->begin('life', 2, 'r1');
                self::fail('It must not be left with pages.');
            } catch (PageStoreFailed $failed) {
                self::assertStringContainsString(
                    "failed to reach {$this->address(0)}: it does not answer, and is out until larder guard takes it",
                    $failed->getMessage(),
                );
            }
            self::assertTrue($pages->belong('life', 2), 'The other one is asked.');
        }
        self::assertSame($connections, $this->connections());
        $this->servers->write();
        $store->begin('life', 3, 'r1');
    }

    /** As behind a broken network: no answer even to the wish to connect. */
    public function testAServerThatTakesNoConnectionDoesNotCostTheAnswersOfOthers(): void
    {
        $context = stream_context_create(['socket' => ['backlog' => 0]]);
        $flags = STREAM_SERVER_BIND | STREAM_SERVER_LISTEN;
        $full = stream_socket_server('tcp://127.0.0.1:0', $code, $reason, $flags, $context);
        self::assertNotFalse($full);
        $address = (string) stream_socket_get_name($full, false);
        $waiting = [];
        while (($one = @stream_socket_client("tcp://$address", timeout: 0.05)) !== false) {
            $waiting[] = $one;
        }
        self::assertNotSame([], $waiting);
        $nodes = new MemcachedNodes([$address, $this->address(1)]);
        $answers = $nodes->ask([0 => '', 1 => '']);
        self::assertInstanceOf(PageStoreFailed::class, $answers[0]);
        self::assertSame('Connection timed out', $answers[0]->cause);
        self::assertSame([], $answers[1]);

        // So many that all the time is over. The one that is connected, and far away, is asked before.
        $far = new DelayProxy($this->directory->path, $this->memcached[1]->endpoint(), 40.0);
        $nodes = new MemcachedNodes([...array_fill(0, 5, $address), '127.0.0.1:' . $far->endpoint()->port]);
        self::assertSame([5 => []], $nodes->ask([5 => '']));
        self::assertSame([], $nodes->ask(array_fill(0, 6, ''))[5]);
    }

    /** A change looks whose pages the servers have, and then deletes: it waits once. */
    public function testWhoeverWaitedInVainDoesNotWaitAgain(): void
    {
        foreach ([3_600_000_000_000 => 'Connection timed out', 0 => null] as $silence => $cause) {
            $nodes = new MemcachedNodes($this->servers->servers, silence: $silence);
            $this->memcached[0]->pause();
            $first = $nodes->ask([0 => '', 1 => '']);
            self::assertInstanceOf(PageStoreFailed::class, $first[0]);
            self::assertSame([], $first[1]);
            $this->memcached[0]->resume();
            $again = $nodes->ask([0 => '', 1 => '']);
            self::assertSame($cause, $again[0] instanceof PageStoreFailed ? $again[0]->cause : null);
            self::assertSame([], $again[1]);
            self::assertSame([[]], $nodes->ask([0 => ''], anew: true));
        }
    }

    public function testThereIsOneGuard(): void
    {
        $lock = $this->servers->lock();
        self::assertNotNull($lock);
        self::assertNull($this->servers->lock());
        fclose($lock);
        self::assertNotNull($this->servers->lock());
    }

    public function testADirectoryThatIsNotThereIsNamed(): void
    {
        $nowhere = new GuardedServers($this->directory->path . '/none', 'news', [$this->address(0)]);
        foreach ([static fn() => $nowhere->write(), static fn() => $nowhere->lock()] as $step) {
            try {
                $step();
                self::fail('There is no such directory.');
            } catch (PageStoreFailed $failed) {
                self::assertStringContainsString('failed to write ' . $nowhere->path(), $failed->getMessage());
            }
        }
    }

    public function testASiteWithoutMemcachedHasNothingToGuard(): void
    {
        $this->expectException(InvalidSite::class);
        $this->expectExceptionMessage('there are none');
        $connect = static fn() => throw InvalidSite::because('not asked');
        new Site('news', ['localhost'], '/srv/p', '/srv/l', [], $connect, storage: new Storage(guard: '/srv/g'));
    }

    private function guard(): Guard
    {
        return new Guard($this->servers, function (): ?string {
            $this->told[] = [$this->servers->out() ?? [], $this->isPlanted(0)];

            return $this->refusal;
        }, patience: 300, misses: 2, answers: 2);
    }

    /** @return list<list<string>> the states, or the words on nginx, that each round said */
    private function rounds(int $rounds, ?Guard $guard = null): array
    {
        $guard ??= $this->guard();
        $said = [];
        for ($round = 0; $round < $rounds; ++$round) {
            $said[] = array_map(
                static fn(GuardEvent $event): string => $event->state->value ?? $event->reason,
                $guard->round(),
            );
        }

        return $said;
    }

    private function address(int $server): string
    {
        return $this->memcached[$server]->endpoint()->address();
    }

    /** How often nginx was told. */
    private function times(): int
    {
        return \count($this->told);
    }

    private function text(): string
    {
        return (string) file_get_contents($this->servers->path());
    }

    private function plant(int $server): void
    {
        self::assertSame("STORED\r\n", $this->exchange($server, "set old 0 0 1\r\nx\r\n", "STORED\r\n"));
    }

    /** A server that is stopped shows nothing to anybody. */
    private function isPlanted(int $server): bool
    {
        return str_starts_with($this->exchange($server, "get old\r\n", "END\r\n", 0.2), 'VALUE');
    }

    /** Without those of looking. */
    private function connections(): int
    {
        preg_match('/STAT total_connections (\d+)/', $this->exchange(0, "stats\r\n", "END\r\n"), $found);

        return (int) ($found[1] ?? 0) - ++$this->looks;
    }

    private function exchange(int $server, string $command, string $end, float $seconds = 60.0): string
    {
        $endpoint = $this->memcached[$server]->endpoint();
        // Of the parts: a port or the random name of a directory may have in it whatever an address begins with.
        $address = $endpoint->socket === null ? "tcp://127.0.0.1:$endpoint->port" : "unix://$endpoint->socket";

        return (string) Exchange::with($address, $command, $end, $seconds);
    }
}
