<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

/**
 * Forwards TCP connections and holds back every byte, both ways, for the same time after it came: a long wire, not a thin one.
 *
 * Bytes wait on their own, so any number of them is under way at once, and those of one connection keep their order. The process
 * sleeps until the next release is near; the last microseconds it spends looking, as no sleep ends on the spot.
 *
 * @internal runs in a process of DelayProxy's
 */
final class DelayLine
{
    /** Nanoseconds that a sleep may end late. */
    private const LATE = 20_000;

    /** select() takes 1,024 descriptors, and a connection has two. */
    private const CONNECTIONS = 480;

    /** @var resource */
    private readonly mixed $server;

    public readonly int $port;

    /** @var array<int, DelayWay> by number of the stream that they read */
    private array $ways = [];

    /** @var array<int, true> numbers of ways whose receiver took no more */
    private array $stuck = [];

    /**
     * @param string $target `tcp://127.0.0.1:11211` or `unix:///run/redis.sock`
     * @param int    $delay  nanoseconds, each way
     * @param int    $cut    bytes of replies after which a connection is cut off; 0: never
     */
    public function __construct(
        private readonly string $target,
        private readonly int $delay,
        private readonly int $cut = 0,
    ) {
        $server = @stream_socket_server('tcp://127.0.0.1:0', $code, $reason, STREAM_SERVER_BIND | STREAM_SERVER_LISTEN, self::context());
        if ($server === false) {
            throw ServerFailed::because('there is no free port on 127.0.0.1: ' . $reason);
        }
        stream_set_blocking($server, false);
        $this->server = $server;
        $name = (string) stream_socket_get_name($server, false);
        $this->port = (int) substr($name, (int) strrpos($name, ':') + 1);
    }

    public function run(): never
    {
        // The kernel lets any sleep last 50 us longer, to wake up less often. Not this process's.
        @file_put_contents('/proc/self/timerslack_ns', '1');
        while (true) {
            $this->turn();
        }
    }

    /** Sleeps until something is to be done, and does it. */
    private function turn(): void
    {
        $readable = \count($this->ways) < 2 * self::CONNECTIONS ? [-1 => $this->server] : [];
        $writable = [];
        $next = PHP_INT_MAX;
        foreach ($this->ways as $number => $way) {
            if ($way->takesMore()) {
                $readable[$number] = $way->in;
            }
            if (isset($this->stuck[$number])) {
                $writable[$number] = $way->out;
            } else {
                $next = min($next, $way->due());
            }
        }
        $none = null;
        if ($next === PHP_INT_MAX) {
            $ready = @stream_select($readable, $writable, $none, null);
        } else {
            $sleep = (int) max(0, $next - hrtime(true) - self::LATE);
            $ready = @stream_select($readable, $writable, $none, intdiv($sleep, 1_000_000_000), intdiv($sleep % 1_000_000_000, 1000));
        }
        $now = hrtime(true);
        foreach ($ready === false ? [] : array_keys($readable) as $number) {
            if ($number === -1) {
                $this->accept($now);
            } else {
                ($this->ways[$number] ?? null)?->read($now);
            }
        }
        $this->release();
    }

    private function release(): void
    {
        foreach ($this->ways as $number => $way) {
            if ($way->release(hrtime(true))) {
                unset($this->stuck[$number]);
            } else {
                $this->stuck[$number] = true;
            }
            if ($way->isBroken() || ($way->isOver() && ($way->back?->isOver() ?? true))) {
                $this->close($way);
            }
        }
    }

    private function accept(int $now): void
    {
        $client = @stream_socket_accept($this->server, 0);
        if ($client === false) {
            return;
        }
        $server = @stream_socket_client($this->target, $code, $reason, 1.0, STREAM_CLIENT_CONNECT, self::context());
        if ($server === false) {
            fclose($client);

            return;
        }
        foreach ([$client, $server] as $stream) {
            stream_set_blocking($stream, false);
            stream_set_read_buffer($stream, 0);
            stream_set_write_buffer($stream, 0);
            stream_set_chunk_size($stream, 65_536);
        }
        // Connecting over the wire would have taken a round trip: the first bytes make up for it.
        $there = new DelayWay($client, $server, $this->delay, $now + 3 * $this->delay);
        $back = new DelayWay($server, $client, $this->delay, 0, $this->cut > 0 ? $this->cut : null);
        $there->back = $back;
        $back->back = $there;
        $this->ways[(int) $client] = $there;
        $this->ways[(int) $server] = $back;
    }

    private function close(DelayWay $way): void
    {
        foreach ([$way->in, $way->out] as $stream) {
            unset($this->ways[(int) $stream], $this->stuck[(int) $stream]);
            if (\is_resource($stream)) {
                fclose($stream);
            }
        }
    }

    /** @return resource */
    private static function context(): mixed
    {
        return stream_context_create(['socket' => ['tcp_nodelay' => true, 'backlog' => 511]]);
    }
}
