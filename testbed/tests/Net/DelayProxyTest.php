<?php

declare(strict_types=1);

namespace Larder\Testbed\Tests\Net;

use Larder\Testbed\Net\Delay;
use Larder\Testbed\Net\DelayProxy;
use Larder\Testbed\Net\Exchange;
use Larder\Testbed\Server\Redis;
use Larder\Testbed\Tests\Server\ServerTestCase;
use PHPUnit\Framework\Attributes\CoversClass;

#[CoversClass(DelayProxy::class)]
#[CoversClass(Delay::class)]
final class DelayProxyTest extends ServerTestCase
{
    private Redis $server;

    protected function setUp(): void
    {
        parent::setUp();
        $this->server = new Redis($this->directory . '/r');
    }

    protected function tearDown(): void
    {
        $this->server->stop();
        parent::tearDown();
    }

    public function testARoundTripTakesLongerByTheDelay(): void
    {
        $proxy = new DelayProxy($this->directory, $this->server->endpoint(), 5.0);

        // The upper bound only tells milliseconds from seconds: other programs may want the processor too.
        self::assertGreaterThan(4.6, $proxy->achieved());
        self::assertLessThan(100.0, $proxy->achieved());
        self::assertSame($this->server->endpoint()->pids, $proxy->endpoint()->pids);
        $proxy->stop();
        self::assertFalse($proxy->isRunning());
    }

    public function testQuestionsUnderWayDoNotWaitForEachOther(): void
    {
        $proxy = new DelayProxy($this->directory, $this->server->endpoint(), 100.0);
        $address = "tcp://127.0.0.1:{$proxy->endpoint()->port}";
        $streams = array_map(static fn(int $number) => stream_socket_client($address), range(1, 20));
        $begin = microtime(true);
        foreach ($streams as $number => $stream) {
            self::assertIsResource($stream);
            stream_set_timeout($stream, 5);
            // Ten on each connection, the next sent before the last is answered.
            for ($question = 0; $question < 10; ++$question) {
                fwrite($stream, "ECHO {$number}-{$question}\r\n");
                usleep(200);
            }
        }
        foreach ($streams as $number => $stream) {
            self::assertIsResource($stream);
            for ($question = 0; $question < 10; ++$question) {
                fgets($stream);
                self::assertSame("{$number}-{$question}\r\n", fgets($stream));
            }
        }
        $took = microtime(true) - $begin;
        self::assertGreaterThan(0.2, $took, 'connecting is part of the first question');
        self::assertLessThan(10.0, $took, 'one after another would take 20 s');
    }

    public function testMuchIsForwardedWholeAndInOrder(): void
    {
        $proxy = new DelayProxy($this->directory, $this->server->endpoint(), 2.0);
        $value = random_bytes(3 << 20);
        $address = "tcp://127.0.0.1:{$proxy->endpoint()->port}";
        $set = "*3\r\n\$3\r\nSET\r\n\$1\r\na\r\n\$" . \strlen($value) . "\r\n{$value}\r\n";
        self::assertSame("+OK\r\n", Exchange::with($address, $set, "\r\n"));
        $answer = (string) Exchange::with($address, "GET a\r\n", substr($value, -50) . "\r\n");
        self::assertSame(hash('xxh3', '$' . \strlen($value) . "\r\n{$value}\r\n"), hash('xxh3', $answer));
    }

    public function testTheEndOfAConnectionIsForwardedBehindItsLastBytes(): void
    {
        $proxy = new DelayProxy($this->directory, $this->server->endpoint(), 20.0);

        self::assertSame(
            "+PONG\r\n+OK\r\n",
            Exchange::with("tcp://127.0.0.1:{$proxy->endpoint()->port}", "PING\r\nQUIT\r\n", null),
        );
    }

    public function testAConnectionIsCutAfterItsBytes(): void
    {
        $proxy = new DelayProxy($this->directory, $this->server->endpoint(), 1.0, 9);
        $address = "tcp://127.0.0.1:{$proxy->endpoint()->port}";

        self::assertSame("+PONG\r\n+P", Exchange::with($address, "PING\r\nPING\r\nPING\r\n", null));
        self::assertSame("+PONG\r\n", Exchange::with($address, "PING\r\n", "\r\n"), 'other connections go on');
    }
}
