<?php

declare(strict_types=1);

namespace Larder\Testbed\Tests\Net;

use Closure;
use Larder\Testbed\Net\ProxiedConnection;
use Larder\Testbed\Net\Proxy;
use Larder\Testbed\Net\ProxyQueue;
use Larder\Testbed\Net\ProxyTraffic;
use Larder\Testbed\Process\WorkerPool;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** Before a server that sends each line back. */
#[CoversClass(Proxy::class)]
#[CoversClass(ProxiedConnection::class)]
#[CoversClass(ProxyQueue::class)]
final class ProxyTest extends TestCase
{
    private ?WorkerPool $pool = null;

    protected function tearDown(): void
    {
        $this->pool?->killAll();
    }

    public function testPassesBytesBothWays(): void
    {
        $stream = $this->connect(self::traffic());
        $bytes = random_bytes(3 << 20) . "\n";
        $read = '';
        stream_set_blocking($stream, false);
        for ($sent = 0; \strlen($read) < \strlen($bytes);) {
            $sent += (int) @fwrite($stream, substr($bytes, $sent, 100_000));
            $read .= (string) fread($stream, 100_000);
        }

        self::assertSame(hash('xxh3', $bytes), hash('xxh3', $read));
    }

    public function testTheTrafficChangesRequestsAndReplies(): void
    {
        $stream = $this->connect(self::traffic(
            request: static fn(ProxiedConnection $connection, string $bytes): string => strtoupper($bytes),
            reply: static fn(ProxiedConnection $connection, string $bytes): string => "$connection->number:$bytes",
        ));
        fwrite($stream, "abc\n");

        self::assertSame("1:ABC\n", fgets($stream));
    }

    public function testBytesAreHeldBack(): void
    {
        $stream = $this->connect(self::traffic(opened: static function (ProxiedConnection $connection): void {
            $connection->requests->delay = 20_000_000;
            $connection->replies->delay = 20_000_000;
        }));
        $begin = hrtime(true);
        fwrite($stream, "abc\n");

        self::assertSame("abc\n", fgets($stream));
        self::assertGreaterThanOrEqual(40_000_000, hrtime(true) - $begin);
    }

    public function testAHungConnectionStaysOpenAndSilent(): void
    {
        $stream = $this->connect(self::traffic(request: static function (
            ProxiedConnection $connection,
            string $bytes,
        ): string {
            if ($bytes === "hang\n") {
                $connection->hang();
            }

            return $bytes;
        }));
        fwrite($stream, "abc\n");
        self::assertSame("abc\n", fgets($stream));
        fwrite($stream, "hang\n");
        stream_set_timeout($stream, 0, 100_000);
        self::assertFalse(fgets($stream));
        self::assertTrue(stream_get_meta_data($stream)['timed_out']);
        self::assertFalse(feof($stream));
    }

    public function testACutConnectionGetsWhatWaitedAndThenNothing(): void
    {
        $stream = $this->connect(self::traffic(reply: static function (
            ProxiedConnection $connection,
            string $bytes,
        ): string {
            $connection->replies->add($bytes, (int) hrtime(true));
            $connection->replies->keep(2);
            $connection->end();

            return '';
        }));
        fwrite($stream, "abc\n");
        self::assertSame('', (string) stream_get_contents($stream));
    }

    public function testAClientThatClosesWritingStillGetsItsReply(): void
    {
        $stream = $this->connect(self::traffic(opened: static function (ProxiedConnection $connection): void {
            $connection->requests->delay = 5_000_000;
        }));
        fwrite($stream, "abc\n");
        stream_socket_shutdown($stream, STREAM_SHUT_WR);

        self::assertSame("abc\n", stream_get_contents($stream));
    }

    public function testAConnectionEndsBehindItsReplies(): void
    {
        $stream = $this->connect(self::traffic(reply: static function (
            ProxiedConnection $connection,
            string $bytes,
        ): string {
            $connection->endAfterReplies();

            return substr($bytes, 0, 2);
        }));
        fwrite($stream, "abc\n");

        self::assertSame('ab', stream_get_contents($stream));
    }

    public function testHalfAConnectionIsClosed(): void
    {
        $stream = $this->connect(self::traffic(reply: static function (
            ProxiedConnection $connection,
            string $bytes,
        ): string {
            $connection->halfClose();

            return '';
        }));
        fwrite($stream, "abc\n");

        self::assertSame('', stream_get_contents($stream));
        self::assertSame(4, fwrite($stream, "abc\n"));
    }

    public function testRepliesCanGoByteByByte(): void
    {
        $stream = $this->connect(self::traffic(opened: static function (ProxiedConnection $connection): void {
            $connection->replies->splits = true;
        }));
        fwrite($stream, "abc\n");

        self::assertSame("abc\n", fgets($stream));
    }

    /** @return resource */
    private function connect(ProxyTraffic $traffic): mixed
    {
        $server = stream_socket_server('tcp://127.0.0.1:0');
        self::assertIsResource($server);
        $proxy = new Proxy('tcp://' . stream_socket_get_name($server, false), $traffic);
        $this->pool = new WorkerPool(static function (int $number) use ($server, $proxy): void {
            $number === 0 ? self::echo($server) : $proxy->serve();
        });
        $this->pool->fill(2);
        fclose($server);
        $proxy->close();
        $stream = stream_socket_client('tcp://127.0.0.1:' . $proxy->port, timeout: 20);
        self::assertIsResource($stream);
        stream_set_timeout($stream, 20);

        return $stream;
    }

    /** @param resource $server */
    private static function echo(mixed $server): never
    {
        while (true) {
            $client = stream_socket_accept($server, 600);
            while ($client !== false && ($line = fgets($client)) !== false) {
                fwrite($client, $line);
            }
            if ($client !== false) {
                fclose($client);
            }
        }
    }

    /**
     * @param (Closure(ProxiedConnection): void)|null           $opened
     * @param (Closure(ProxiedConnection, string): string)|null $request
     * @param (Closure(ProxiedConnection, string): string)|null $reply
     */
    private static function traffic(
        ?Closure $opened = null,
        ?Closure $request = null,
        ?Closure $reply = null,
    ): ProxyTraffic {
        return new class ($opened, $request, $reply) implements ProxyTraffic {
            /**
             * @param (Closure(ProxiedConnection): void)|null           $opened
             * @param (Closure(ProxiedConnection, string): string)|null $request
             * @param (Closure(ProxiedConnection, string): string)|null $reply
             */
            public function __construct(private ?Closure $opened, private ?Closure $request, private ?Closure $reply) {}

            public function opened(ProxiedConnection $connection): void
            {
                $this->opened === null ? null : ($this->opened)($connection);
            }

            public function request(ProxiedConnection $connection, string $bytes): string
            {
                return $this->request === null ? $bytes : ($this->request)($connection, $bytes);
            }

            public function reply(ProxiedConnection $connection, string $bytes): string
            {
                return $this->reply === null ? $bytes : ($this->reply)($connection, $bytes);
            }

            public function closed(ProxiedConnection $connection): void {}
        };
    }
}
