<?php

declare(strict_types=1);

namespace Larder\Tests\Store\Net;

use Larder\Store\Net\StreamSocket;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;

#[CoversClass(StreamSocket::class)]
final class StreamSocketTest extends TestCase
{
    /** @var resource */
    private mixed $server;

    private StreamSocket $socket;

    protected function setUp(): void
    {
        $server = stream_socket_server('tcp://127.0.0.1:0');
        self::assertNotFalse($server);
        $address = (string) stream_socket_get_name($server, false);
        $this->socket = StreamSocket::connect($address, (int) hrtime(true) + 10_000_000_000);
        $accepted = stream_socket_accept($server);
        self::assertNotFalse($accepted);
        $this->server = $accepted;
    }

    /** A process that did not run for a while finds its answer, though its time is over. */
    public function testWhatIsThereIsThereAfterTheDeadlineToo(): void
    {
        fwrite($this->server, 'MN');
        self::assertTrue($this->awaits((int) hrtime(true) + 10_000_000_000));
        self::assertTrue($this->awaits((int) hrtime(true) - 1_000_000_000));
        self::assertSame('MN', $this->socket->read(10));
    }

    public function testWhatDoesNotComeEndsTheWait(): void
    {
        self::assertFalse($this->awaits((int) hrtime(true) - 1_000_000_000));
        self::assertFalse($this->awaits((int) hrtime(true) + 25_000_000));
        self::assertSame('', $this->socket->read(10));
    }

    private function awaits(int $deadline): bool
    {
        $reading = ['one' => $this->socket->stream()];
        $writing = [];
        $isReady = StreamSocket::await($reading, $writing, $deadline);
        self::assertSame($isReady ? ['one'] : [], array_keys($reading));

        return $isReady;
    }
}
