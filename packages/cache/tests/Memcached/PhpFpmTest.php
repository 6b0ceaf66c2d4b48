<?php

declare(strict_types=1);

namespace Larder\Tests\Memcached;

use Larder\Testbed\Http\FastCgi;
use Larder\Testbed\Process\Fork;
use Larder\Testbed\Server\Account;
use Larder\Testbed\Server\Memcached as Server;
use Larder\Testbed\Server\PhpFpm;
use Larder\Testbed\Server\Program;
use Larder\Testbed\TemporaryDirectory;
use Larder\Tests\Support\Extension;
use PHPUnit\Framework\Attributes\CoversNothing;
use PHPUnit\Framework\TestCase;

/** A pool outlives the request that made it: what the next one of the same worker, a real php-fpm's, gets from it. */
#[CoversNothing]
final class PhpFpmTest extends TestCase
{
    private const STOP = 19;
    private const GO_ON = 18;
    private const KILL = 9;
    private TemporaryDirectory $directory;
    private ?PhpFpm $php = null;

    /** @var list<Server> */
    private array $servers = [];

    protected function setUp(): void
    {
        Extension::file();
        if (
            Program::find('php-fpm' . PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION) === null
            || Program::find('memcached') === null
        ) {
            self::markTestSkipped('needs php-fpm and memcached');
        }
        $this->directory = new TemporaryDirectory();
    }

    protected function tearDown(): void
    {
        $this->php?->stop();
        foreach ($this->servers as $server) {
            $this->signal($server, self::GO_ON);
            $server->stop();
        }
        if (isset($this->directory)) {
            $this->directory->remove();
        }
    }

    /** Complaint 8: a list of servers that each request adds to, and connections that nobody closes. */
    public function testAThousandRequestsLeaveOneConnectionPerServerAndWorker(): void
    {
        $this->start(servers: 2, workers: 3);
        $this->ask('do=fill');
        $before = array_map($this->total(...), $this->servers);
        $workers = [];
        for ($request = 0; $request < 1000; ++$request) {
            $answer = $this->ask('do=check&small');
            self::assertSame(
                [40, 0, [], 2],
                [$answer['found'], $answer['wrong'], $answer['failures'], $answer['connects']],
            );
            $workers[$answer['worker']] = true;
        }
        foreach ($this->servers as $number => $server) {
            // One worker had its own before, and each look counts itself.
            self::assertSame(\count($workers), $this->total($server) - $before[$number]);
            $this->awaitConnections(\count($workers), $server);
        }
    }

    /** Complaint 1: the late reply is there when the next request of the same worker asks for another key. */
    public function testAfterATimeOutTheNextRequestGetsItsOwn(): void
    {
        $this->start(servers: 1, workers: 1);
        $this->ask('do=fill');
        for ($round = 1; $round <= 5; ++$round) {
            $this->signal($this->servers[0], self::STOP);
            $late = $this->ask('do=one&key=key' . $round);
            self::assertSame(['none', ['TimedOut'], $round], [$late['found'], $late['failures'], $late['inDoubt']]);
            $this->signal($this->servers[0], self::GO_ON);
            // A server that said nothing is left alone for the retry time, a millisecond here.
            usleep(5_000);
            $next = $this->ask('do=one&key=key' . ($round + 20));
            self::assertSame(['its own', [], $late['worker']], [$next['found'], $next['failures'], $next['worker']]);
            $check = $this->ask('do=check');
            self::assertSame([40, 0], [$check['found'], $check['wrong']]);
        }
    }

    /** Complaint 1: by exit, by what the memory limit leaves no room for, and by a kill. */
    public function testARequestThatEndsInTheMiddleOfACallLeavesNothingBehind(): void
    {
        $this->start(servers: 2, workers: 1);
        $this->ask('do=fill');
        $fastCgi = $this->fastCgi();
        foreach (['ending', 'memory', 'ending', 'memory', 'killed'] as $way) {
            if ($way === 'killed') {
                $this->killInTheMiddle();
            } else {
                $said = $fastCgi->get('do=' . $way . '&at=' . urlencode($this->addresses()));
                // What the memory limit has no room for is a miss: it ends no request.
                $way === 'ending'
                    ? self::assertSame('ended', $said)
                    : self::assertStringContainsString('"OverLimit"', (string) $said);
            }
            for ($request = 0; $request < 3; ++$request) {
                $check = $this->ask('do=check');
                self::assertSame([40, 0, []], [$check['found'], $check['wrong'], $check['failures']], $way);
                self::assertSame('its own', $this->ask('do=one&key=key' . (7 + $request))['found'], $way);
            }
        }
        foreach ($this->servers as $server) {
            $this->awaitConnections(1, $server);
        }
    }

    private function start(int $servers, int $workers): void
    {
        for ($number = 0; $number < $servers; ++$number) {
            $this->servers[] = new Server($this->directory->path . '/memcached' . $number);
        }
        $account = Account::ableToReach(__FILE__);
        $own = $this->directory->path . '/php';
        mkdir($own . '/ini', recursive: true);
        mkdir($own . '/tmp');
        file_put_contents($own . '/ini/larder.ini', 'extension=' . Extension::file() . "\n");
        $account->own($own);
        chmod($this->directory->path, 0o755);
        $this->php = new PhpFpm($own, $account, $workers, ['PHP_INI_SCAN_DIR' => ':' . $own . '/ini']);
    }

    private function addresses(): string
    {
        return implode(
            ' ',
            array_map(static fn(Server $server): string => '127.0.0.1:' . $server->endpoint()->port, $this->servers),
        );
    }

    private function fastCgi(): FastCgi
    {
        self::assertNotNull($this->php);

        return new FastCgi($this->php->socket, __DIR__ . '/page.php');
    }

    /**
     * @return array{found: int|string, wrong: int, worker: int, failures: list<string>, connects: int, inDoubt: int}
     */
    private function ask(string $query): array
    {
        $said = $this->fastCgi()->get($query . '&at=' . urlencode($this->addresses()));
        self::assertNotNull($said, (string) @file_get_contents($this->directory->path . '/php/php.log'));
        /**
         * @var array{found: int|string, wrong: int, worker: int, failures: list<string>, connects: int, inDoubt: int}
         *     $answer
         */
        $answer = json_decode($said, true, flags: JSON_THROW_ON_ERROR);

        return $answer;
    }

    private function killInTheMiddle(): void
    {
        $php = $this->php;
        self::assertNotNull($php);
        $worker = $this->ask('do=one')['worker'];
        $this->signal($this->servers[0], self::STOP);
        $taken = $php->requests();
        // A process of its own asks, as the answer will not come.
        $asker = Fork::start(fn() => $this->fastCgi()->get('do=check&at=' . urlencode($this->addresses())));
        for ($end = microtime(true) + 60.0; $php->requests() === $taken && microtime(true) < $end;) {
            usleep(1000);
        }
        // From the request to its call on the server.
        usleep(100_000);
        posix_kill($worker, self::KILL);
        pcntl_waitpid($asker, $status);
        $this->signal($this->servers[0], self::GO_ON);
    }

    private function signal(Server $server, int $signal): void
    {
        foreach ($server->endpoint()->pids as $pid) {
            posix_kill($pid, $signal);
            // Its threads stop one after the other.
            for ($tries = 0; $signal === self::STOP && $tries < 1000 && !$this->isStopped($pid); ++$tries) {
                usleep(1000);
            }
        }
    }

    private function isStopped(int $pid): bool
    {
        $files = glob('/proc/' . $pid . '/task/*/stat');
        foreach ($files === false ? [] : $files as $file) {
            if (preg_match('/\) T /', (string) @file_get_contents($file)) !== 1) {
                return false;
            }
        }

        return true;
    }

    /** A server sees a moment later that a client has closed a connection. */
    private function awaitConnections(int $expected, Server $server): void
    {
        $end = microtime(true) + 60.0;
        do {
            usleep(10_000);
            $found = $server->connections();
        } while ($found !== $expected && microtime(true) < $end);
        self::assertSame($expected, $found);
    }

    /** Connections since it was started, this one's too. */
    private function total(Server $server): int
    {
        $stream = stream_socket_client('tcp://127.0.0.1:' . $server->endpoint()->port);
        self::assertNotFalse($stream);
        fwrite($stream, "stats\r\nquit\r\n");
        $said = (string) stream_get_contents($stream);
        fclose($stream);
        self::assertSame(1, preg_match('/^STAT total_connections (\d+)/m', $said, $total));

        return (int) $total[1];
    }
}
