<?php

declare(strict_types=1);

namespace Larder\Testbed\Tests\Server;

use Larder\Testbed\Net\Exchange;
use Larder\Testbed\Process\Fork;
use Larder\Testbed\Server\Memcached;
use Larder\Testbed\Server\Redis;
use Larder\Testbed\Server\ServerProcess;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\Attributes\TestWith;

#[CoversClass(Memcached::class)]
#[CoversClass(Redis::class)]
#[CoversClass(ServerProcess::class)]
#[CoversClass(Exchange::class)]
final class StoresTest extends ServerTestCase
{
    public function testMemcachedAnswersOnTcpAndUdpOfOnePort(): void
    {
        $server = new Memcached($this->directory . '/m');
        $endpoint = $server->endpoint();

        self::assertNull($endpoint->socket);
        self::assertSame($endpoint->port, $endpoint->udpPort);
        self::assertSame(
            "STORED\r\n",
            Exchange::with("tcp://127.0.0.1:{$endpoint->port}", "set a 0 0 1\r\nx\r\n", "\r\n"),
        );
        self::assertSame(
            "\0\7\0\0\0\1\0\0VALUE a 0 1\r\nx\r\nEND\r\n",
            Exchange::with("udp://127.0.0.1:{$endpoint->udpPort}", "\0\7\0\0\0\1\0\0get a\r\n", "END\r\n"),
        );
        self::assertMatchesRegularExpression('/^memcached 1\.[0-9.]+$/', $server->version());
        self::assertStringContainsString('-l 127.0.0.1', $server->command());
    }

    public function testMemcachedOnAUnixSocketHasNoPort(): void
    {
        $server = new Memcached($this->directory . '/m', true);
        $endpoint = $server->endpoint();

        self::assertSame([0, 0], [$endpoint->port, $endpoint->udpPort]);
        self::assertSame("STORED\r\n", Exchange::with('unix://' . $endpoint->socket, "set a 0 0 1\r\nx\r\n", "\r\n"));
    }

    #[TestWith([false])]
    #[TestWith([true])]
    public function testCountsWhoIsConnectedToMemcachedAndNotItself(bool $socket): void
    {
        $server = new Memcached($this->directory . '/m', $socket);
        $endpoint = $server->endpoint();
        $clients = [];
        for ($client = 0; $client < 3; ++$client) {
            $address = $socket ? 'unix://' . $endpoint->socket : 'tcp://' . $endpoint->address();
            $clients[] = $stream = stream_socket_client($address);
            self::assertNotFalse($stream);
            fwrite($stream, "mn\r\n");
            self::assertSame("MN\r\n", fgets($stream));
        }
        // What waited for the server to start is gone a moment later.
        $end = microtime(true) + 60.0;
        do {
            usleep(10_000);
            $found = $server->connections();
        } while ($found !== 3 && microtime(true) < $end);
        self::assertSame(3, $found);
    }

    public function testRedisIsTheSameOnTcpAndUnixSocketAndKeepsNothing(): void
    {
        $server = new Redis($this->directory . '/r');
        $endpoint = $server->endpoint();
        $tcp = "tcp://127.0.0.1:{$endpoint->port}";

        self::assertSame("+OK\r\n", Exchange::with($tcp, "SET a x\r\n", "\r\n"));
        self::assertSame("\$1\r\nx\r\n", Exchange::with('unix://' . $endpoint->socket, "GET a\r\n", "x\r\n"));
        foreach ([
            'save' => '',
            'appendonly' => 'no',
            'maxmemory' => (string) (256 << 20),
            'maxmemory-policy' => 'noeviction',
            'bind' => '127.0.0.1',
        ] as $setting => $value) {
            self::assertSame(
                "*2\r\n\$" . \strlen($setting) . "\r\n{$setting}\r\n\$" . \strlen($value) . "\r\n{$value}\r\n",
                Exchange::with($tcp, "CONFIG GET {$setting}\r\n", "{$value}\r\n", 0.5),
            );
        }
        self::assertMatchesRegularExpression('/^redis [0-9.]+$/', $server->version());
        $server->stop();
        self::assertSame([], glob($this->directory . '/r/*.{rdb,aof}', GLOB_BRACE));
    }

    public function testTheLoserOfARaceForAPortTakesAnother(): void
    {
        $held = self::takenPort($port);
        foreach ([
            new Memcached($this->directory . '/m', port: (int) $port),
            new Redis($this->directory . '/r', (int) $port),
        ] as $server) {
            self::assertTrue($server->isRunning());
            self::assertNotSame($port, $server->endpoint()->port);
        }
        fclose($held);
    }

    public function testServersKeepApartAndEndWithoutAProcessLeft(): void
    {
        $servers = [
            new Memcached($this->directory . '/1'),
            new Memcached($this->directory . '/2'),
            new Redis($this->directory . '/3'),
        ];
        $pids = array_merge(
            ...array_map(static fn(Memcached|Redis $server): array => $server->endpoint()->pids, $servers),
        );
        self::assertCount(3, array_unique($pids));
        foreach ($servers as $server) {
            $server->stop();
            $server->stop();
            self::assertFalse($server->isRunning());
            self::assertSame([], $server->endpoint()->pids);
        }
        self::assertEnd($pids);
    }

    public function testAForkedChildDoesNotEndItsParentsServer(): void
    {
        $server = new Redis($this->directory . '/r');
        pcntl_waitpid(Fork::start($server->stop(...)), $status);

        self::assertTrue($server->isRunning());
    }

    public function testAPausedServerAnswersAgainAfterResume(): void
    {
        foreach ([new Memcached($this->directory . '/m'), new Redis($this->directory . '/r')] as $server) {
            $address = 'tcp://127.0.0.1:' . $server->endpoint()->port;
            $ask = static fn(): ?string => Exchange::with($address, "PING\r\n", "\r\n", 0.1);
            self::assertNotNull($ask());
            $server->pause();
            self::assertNull($ask());
            self::assertTrue($server->isRunning());
            $server->resume();
            self::assertNotNull($ask());
            $server->pause();
            $server->stop();
            self::assertFalse($server->isRunning());
        }
    }

    public function testAKilledServerStartsEmptyOnThePortThatItHad(): void
    {
        foreach ([new Memcached($this->directory . '/m'), new Redis($this->directory . '/r')] as $server) {
            $before = $server->endpoint();
            $address = "tcp://127.0.0.1:{$before->port}";
            self::assertNotNull(
                Exchange::with($address, $server instanceof Redis ? "SET a x\r\n" : "set a 0 0 1\r\nx\r\n", "\r\n"),
            );
            $server->kill();
            self::assertFalse($server->isRunning());
            self::assertSame($before->port, $server->endpoint()->port);
            $server->start();
            $server->start();

            self::assertSame($before->port, $server->endpoint()->port);
            self::assertNotSame($before->pids, $server->endpoint()->pids);
            $missing = $server instanceof Redis ? "\$-1\r\n" : "END\r\n";
            self::assertSame(
                $missing,
                Exchange::with($address, $server instanceof Redis ? "GET a\r\n" : "get a\r\n", "\r\n"),
            );
            $server->restart();
            self::assertSame($before->port, $server->endpoint()->port);
        }
    }

    public function testNobodyAnswersAtAClosedPort(): void
    {
        $held = self::takenPort($port);
        fclose($held);

        self::assertNull(Exchange::with("tcp://127.0.0.1:{$port}", "x\r\n", "\r\n"));
    }

    public function testAnAnswerThatDoesNotComeIsNotWaitedForLong(): void
    {
        $held = self::takenPort($port);
        $begin = microtime(true);

        self::assertNull(Exchange::with("tcp://127.0.0.1:{$port}", "x\r\n", "\r\n", 0.1));
        self::assertLessThan(1.0, microtime(true) - $begin);
        fclose($held);
    }
}
