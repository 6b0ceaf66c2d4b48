<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Server;

use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\UsageError;
use Larder\Bench\Server\Fleet;
use Larder\Bench\Server\Kind;
use Larder\Testbed\Net\Exchange;
use Larder\Testbed\Server\Endpoint;
use Larder\Testbed\Server\Redis;
use Larder\Testbed\Server\ServerFailed;
use Larder\Testbed\Tests\Server\ServerTestCase;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;

#[CoversClass(Fleet::class)]
final class FleetTest extends ServerTestCase
{
    public function testServersStartWhenNeededAndStayForTheNextWhoAsks(): void
    {
        $fleet = new Fleet($this->directory);
        self::assertSame([], $fleet->facts());
        self::assertSame([], $fleet->endpoints(Kind::None, 3));
        $one = $fleet->endpoints(Kind::Memcached, 1);
        $three = $fleet->endpoints(Kind::Memcached, 3);

        self::assertCount(1, $one);
        self::assertCount(3, $three);
        self::assertEquals($one[0], $three[0]);
        self::assertEquals($one, $fleet->endpoints(Kind::Memcached, 1));
        self::assertSame(['memcached', 'memcached 2', 'memcached 3'], array_keys($fleet->facts()));
        $pids = array_merge(...array_map(static fn(Endpoint $endpoint): array => $endpoint->pids, $three));
        $fleet->stop();
        self::assertEnd($pids, 0.0);
        self::assertCount(3, $fleet->facts(), 'facts outlive the servers');
    }

    public function testAServerThatWasKilledIsDeadUntilItIsRevived(): void
    {
        $fleet = new Fleet($this->directory);
        $fleet->endpoints(Kind::Redis, 2);
        $pids = $fleet->endpoints(Kind::Redis, 2)[1]->pids ?? [];
        self::assertCount(1, $pids);
        posix_kill($pids[0], SIGKILL);
        self::assertEnd($pids);
        [$first, $second] = [...$fleet->endpoints(Kind::Redis, 2), null, null];
        self::assertNotNull($second);
        self::assertSame([], $second->pids);
        self::assertNull(Exchange::with("tcp://127.0.0.1:{$second->port}", "PING\r\n", "\r\n"));
        self::assertCount(1, $first->pids ?? []);

        $fleet->revive();
        self::assertCount(1, $fleet->endpoints(Kind::Redis, 2)[1]->pids ?? []);
        self::assertSame($second->port, $fleet->endpoints(Kind::Redis, 2)[1]->port ?? null);
        self::assertSame("+PONG\r\n", Exchange::with("tcp://127.0.0.1:{$second->port}", "PING\r\n", "\r\n"));
    }

    public function testWithoutASiteThePageTestsAreNotApplicable(): void
    {
        $this->expectException(NotApplicable::class);
        $this->expectExceptionMessage('there is no site: name one with --site=DIR');
        (new Fleet($this->directory))->endpoints(Kind::Site, 1);
    }

    public function testSlowStartsAreSpokenOf(): void
    {
        $said = [];
        mkdir($this->directory . '/scripts');
        $fleet = new Fleet($this->directory, progress: static function (string $message) use (&$said): void {
            $said[] = $message;
        }, scripts: $this->directory . '/scripts');
        $fleet->endpoints(Kind::Fpm, 1);
        self::assertSame(['starting fpm'], $said);
    }

    public function testNoProcessOutlivesABenchThatIsKilled(): void
    {
        mkdir($this->directory . '/scripts');
        $code = \sprintf(
            'require %s; $fleet = new Larder\Bench\Server\Fleet(%s, scripts: %s); $pids = [];'
            . 'foreach (["memcached", "redis", "mariadb", "fpm"] as $kind) { $pids = [...$pids, '
            . '...$fleet->endpoints(Larder\Bench\Server\Kind::from($kind), 1)[0]->pids]; }'
            . '$proxy = new Larder\Testbed\Net\DelayProxy(%2$s, $fleet->endpoints(Larder\Bench\Server\Kind::Redis, '
            . '1)[0], 0.0);'
            . 'echo json_encode([...$pids, ...array_slice(Larder\Testbed\Server\ProcessTree::of(getmypid()), 1)]), '
            . '"\n"; sleep(60);',
            var_export(\dirname(__DIR__, 3) . '/vendor/autoload.php', true),
            var_export($this->directory, true),
            var_export($this->directory . '/scripts', true),
        );
        $process = proc_open([PHP_BINARY, '-r', $code], [1 => ['pipe', 'w']], $pipes);
        self::assertIsResource($process);
        self::assertIsResource($pipes[1] ?? null);
        $pids = json_decode((string) fgets($pipes[1]), true);
        self::assertIsArray($pids);
        $pids = array_values(array_unique(array_filter($pids, is_int(...))));
        self::assertGreaterThanOrEqual(9, \count($pids));
        posix_kill(proc_get_status($process)['pid'], SIGKILL);
        proc_close($process);

        self::assertEnd($pids, 10.0);
    }

    public function testANamedServerIsUsedAndLeftAsItIs(): void
    {
        $theirs = new Redis($this->directory . '/theirs');
        $port = $theirs->endpoint()->port;
        Exchange::with("tcp://127.0.0.1:{$port}", "SET theirs x\r\n", "\r\n");
        $fleet = new Fleet(
            $this->directory,
            Fleet::named(["redis=localhost:{$port}", 'redis=unix:' . $theirs->endpoint()->socket]),
        );
        $endpoints = $fleet->endpoints(Kind::Redis, 2);

        self::assertSame([$port, 0], [$endpoints[0]->port ?? null, $endpoints[1]->port ?? null]);
        self::assertSame([], $endpoints[0]->pids ?? null);
        self::assertSame($theirs->endpoint()->socket, $endpoints[1]->socket ?? null);
        self::assertSame($theirs->version(), $fleet->facts()['redis 2']['version'] ?? null);
        self::assertStringContainsString('named', $fleet->facts()['redis']['command'] ?? '');
        $fleet->revive();
        $fleet->stop();
        unset($fleet);
        self::assertTrue($theirs->isRunning());
        self::assertSame("\$1\r\nx\r\n", Exchange::with("tcp://127.0.0.1:{$port}", "GET theirs\r\n", "x\r\n"));
    }

    public function testTooFewNamedServersAreSaidSo(): void
    {
        $held = self::takenPort($port);
        $fleet = new Fleet($this->directory, Fleet::named(["memcached=127.0.0.1:{$port}"]));
        self::assertSame($port, $fleet->endpoints(Kind::Memcached, 1)[0]->port ?? null);
        fclose($held);
        try {
            $fleet->endpoints(Kind::Memcached, 1);
            self::fail('No server listens there.');
        } catch (ServerFailed $failed) {
            self::assertStringContainsString("--server=127.0.0.1:{$port} does not answer", $failed->getMessage());
        }
        $this->expectException(ServerFailed::class);
        $this->expectExceptionMessage('2 servers of memcached are needed, and --server names 1');
        $fleet->endpoints(Kind::Memcached, 2);
    }

    #[TestWith(['memcached=192.168.1.5:11211', 'not this machine\'s loopback'])]
    #[TestWith(['memcached=example.org:11211', 'not this machine\'s loopback'])]
    #[TestWith(['memcached=127.evil.example:11211', 'not this machine\'s loopback'])]
    #[TestWith(['memcached=[2001:db8::1]:11211', 'not this machine\'s loopback'])]
    #[TestWith(['memcached=0.0.0.0:11211', 'not this machine\'s loopback'])]
    #[TestWith(['memcached=127.0.0.1', 'is no address'])]
    #[TestWith(['memcached=127.0.0.1:0', 'is no address'])]
    #[TestWith(['memcached=127.0.0.1:70000', 'is no address'])]
    #[TestWith(['memcached=unix:relative.sock', 'is no address'])]
    #[TestWith(['memcached', 'is no address'])]
    #[TestWith(['', 'there is no kind ""'])]
    #[TestWith(['postgres=127.0.0.1:5432', 'there is no kind "postgres"'])]
    #[TestWith(['fpm=127.0.0.1:80', 'its own fpm only'])]
    public function testWhatMayNotBeNamedIsRefused(string $option, string $reason): void
    {
        $this->expectException(UsageError::class);
        $this->expectExceptionMessageMatches(
            '~' . preg_quote($reason) . '.*Allowed are memcached, redis and mariadb on this machine~',
        );
        Fleet::named([$option]);
    }

    public function testNamesAreReadInTheirOrder(): void
    {
        $named = Fleet::named(['memcached=127.0.0.1:1', 'mariadb=[::1]:2', 'memcached=unix:/run/m.sock']);

        self::assertSame(['memcached', 'mariadb'], array_keys($named));
        self::assertEquals(
            [new Endpoint('127.0.0.1', 1), new Endpoint('127.0.0.1', 0, 0, '/run/m.sock')],
            $named['memcached'] ?? null,
        );
        self::assertEquals(
            [new Endpoint('::1', 2, extra: ['database' => 'bench', 'user' => 'bench', 'password' => ''])],
            $named['mariadb'] ?? null,
        );
    }
}
