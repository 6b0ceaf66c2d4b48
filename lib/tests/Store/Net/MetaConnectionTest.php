<?php

declare(strict_types=1);

namespace Larder\Tests\Store\Net;

use Larder\Store\Net\ConnectionFailed;
use Larder\Store\Net\Exchange;
use Larder\Store\Net\Fault;
use Larder\Store\Net\MetaConnection;
use Larder\Store\Net\MetaReply;
use Larder\Store\Net\Socket;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

/** On a server that this test plays itself: what it says was there before it was asked. */
#[CoversClass(ConnectionFailed::class)]
#[CoversClass(Exchange::class)]
#[CoversClass(MetaConnection::class)]
final class MetaConnectionTest extends TestCase
{
    /** Nanoseconds for what comes. */
    private const LONG = 10_000_000_000;

    /** @var resource */
    private mixed $server;

    private string $address;

    protected function setUp(): void
    {
        $server = stream_socket_server('tcp://127.0.0.1:0');
        self::assertNotFalse($server);
        $this->server = $server;
        $this->address = (string) stream_socket_get_name($server, false);
    }

    public function testWhatCameTooLateIsTakenForNoOtherReply(): void
    {
        $connection = new MetaConnection($this->address);
        self::assertSame(Fault::TimedOut, self::fault($connection, "mg a v\r\n", -1));
        $first = $this->accepted();
        fwrite($first, "VA 1\r\na\r\nMN\r\n");
        self::assertSame(0, $connection->number());

        $connection->begin("mg b v\r\n", self::in(self::LONG));
        $second = $this->accepted();
        self::assertSame(2, $connection->number());
        fwrite($second, "VA 1\r\nb\r\nMN\r\n");
        self::assertSame(['b'], self::values($connection));
    }

    public function testACallThatWasBegunAndNotFinishedEndsItsConnection(): void
    {
        $connection = new MetaConnection($this->address, opensAnew: false);
        $connection->begin("mg a v\r\n", self::in(self::LONG));
        fwrite($this->accepted(), "VA 1\r\na\r\nMN\r\n");
        $connection->begin("mg b v\r\n", self::in(self::LONG));
        fwrite($this->accepted(), "VA 1\r\nb\r\nMN\r\n");
        self::assertSame(['b'], self::values($connection));
        self::assertSame(2, $connection->number());
    }

    public function testAByteThatNobodyAskedForEndsTheConnection(): void
    {
        foreach ([false, true] as $opensAnew) {
            $connection = new MetaConnection($this->address, $opensAnew);
            $connection->begin("mg a v\r\n", self::in(self::LONG));
            $server = $this->accepted();
            fwrite($server, "EN\r\nMN\r\n");
            self::assertSame([''], self::values($connection));
            fwrite($server, "HD\r\n");
            self::assertSame(
                $opensAnew ? Fault::TimedOut : Fault::Closed,
                self::fault($connection, "mg b v\r\n", -1),
            );
            if ($opensAnew) {
                $this->accepted();
            }
        }
        $connection = new MetaConnection($this->address);
        $connection->begin('', self::in(self::LONG));
        fwrite($this->accepted(), "MN\r\nHD\r\n");
        MetaConnection::finish([$connection], self::in(self::LONG));
        $this->expectExceptionMessage('it said more than it was asked');
        $connection->replies();
    }

    /** Else what holds for the old connection only would be said on a new one. */
    public function testAClosedConnectionIsOpenedAnewOnlyWhereThatIsWanted(): void
    {
        foreach ([false, true] as $opensAnew) {
            $connection = new MetaConnection($this->address, $opensAnew);
            $connection->begin('', self::in(self::LONG));
            $server = $this->accepted();
            fwrite($server, "MN\r\n");
            self::values($connection);
            fclose($server);
            if (!$opensAnew) {
                self::assertSame(Fault::Closed, self::fault($connection, "md a C1\r\n", self::LONG));
                self::assertSame(0, $connection->number());
                continue;
            }
            $connection->begin('', self::in(self::LONG));
            fwrite($this->accepted(), "MN\r\n");
            self::assertSame([], self::values($connection));
            self::assertSame(2, $connection->number());
        }
    }

    public function testOneThatIsSilentDoesNotKeepTheOthersFromTheirReplies(): void
    {
        $connections = [new MetaConnection($this->address), new MetaConnection($this->address)];
        $connections[0]->begin("mg a v\r\n", self::in(self::LONG));
        $silent = $this->accepted();
        $connections[1]->begin("mg a v\r\n", self::in(self::LONG));
        fwrite($this->accepted(), "VA 1\r\na\r\nMN\r\n");
        MetaConnection::finish($connections, self::in(20_000_000));
        self::assertSame('a', $connections[1]->replies()[0]->value);
        self::assertSame("mg a v\r\nmn\r\n", fread($silent, 100));
        $this->expectExceptionMessage('TimedOut');
        $connections[0]->replies();
    }

    /** More than both sides can hold: who only sends, and does not read, waits for ever. */
    public function testRepliesAreReadWhileCommandsAreSent(): void
    {
        $file = __DIR__ . '/echo.php';
        $process = proc_open([PHP_BINARY, $file], [1 => ['pipe', 'w']], $pipes);
        self::assertNotFalse($process);
        $connection = new MetaConnection(trim((string) fgets($pipes[1])));
        $replies = $connection->ask(str_repeat("VA 10000\r\n" . str_repeat('x', 10_000) . "\r\n", 2000), self::in(
            6 * self::LONG,
        ));
        self::assertCount(2000, $replies);
        proc_terminate($process);
        proc_close($process);
    }

    /** Each piece that comes moves it on, so only their number ends it. */
    public function testAServerThatNeverEndsDoesNotOutliveTheDeadline(): void
    {
        $socket = new class implements Socket {
            public int $pieces = 0;

            public function write(string $bytes): int
            {
                return \strlen($bytes);
            }

            public function read(int $most): string
            {
                return $most === 1 ? '' : (++$this->pieces > 10_000 ? "MN\r\n" : "HD\r\n");
            }

            public function stream(): null
            {
                return null;
            }

            public function close(): void {}
        };
        $connection = new MetaConnection('endless', connect: static fn(): Socket => $socket);
        self::assertSame(Fault::TimedOut, self::fault($connection, '', -1));
        self::assertLessThan(1000, $socket->pieces);
    }

    private static function fault(MetaConnection $connection, string $commands, int $nanoseconds): ?Fault
    {
        try {
            $connection->ask($commands, self::in($nanoseconds));

            return null;
        } catch (ConnectionFailed $failure) {
            return $failure->fault;
        }
    }

    /** @return list<string> */
    private static function values(MetaConnection $connection): array
    {
        MetaConnection::finish([$connection], self::in(self::LONG));

        return array_map(static fn(MetaReply $reply): string => $reply->value, $connection->replies());
    }

    private static function in(int $nanoseconds): int
    {
        return (int) hrtime(true) + $nanoseconds;
    }

    /** @return resource */
    private function accepted(): mixed
    {
        $stream = stream_socket_accept($this->server, 10);
        self::assertNotFalse($stream);

        return $stream;
    }
}
