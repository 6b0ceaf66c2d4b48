<?php

declare(strict_types=1);

namespace Larder\Page;

use Larder\Exception\PageStoreFailed;

/** @internal part of MemcachedPageStore */
final readonly class StreamSocket implements Socket
{
    /** Seconds until a connection is there; nginx gives it as long. Others wait meanwhile. */
    private const CONNECTING = 0.05;

    /** Microseconds of one look at the socket, which count as no more, however long the machine stood still in it. */
    private const LOOK = 10_000;

    /** @param resource $stream */
    private function __construct(private mixed $stream) {}

    /**
     * @param string $address  `host:port` or `unix:/path`
     * @param int    $deadline hrtime
     *
     * @throws PageStoreFailed
     */
    public static function connect(string $address, int $deadline): self
    {
        $target = str_starts_with($address, 'unix:') ? 'unix://' . substr($address, 5) : 'tcp://' . $address;
        $seconds = max(0.001, min(self::CONNECTING, ($deadline - hrtime(true)) / 1e9));
        $stream = @stream_socket_client($target, $code, $reason, $seconds);
        if ($stream === false) {
            throw PageStoreFailed::during('reach', $address, (string) $reason);
        }
        stream_set_blocking($stream, false);
        stream_set_write_buffer($stream, 0);
        stream_set_read_buffer($stream, 0);

        return new self($stream);
    }

    public function write(string $bytes): ?int
    {
        $taken = @fwrite($this->stream, $bytes);

        return $taken === false ? null : $taken;
    }

    public function read(int $most): ?string
    {
        $bytes = @fread($this->stream, max(1, $most));

        return $bytes === false || ($bytes === '' && feof($this->stream)) ? null : $bytes;
    }

    public function wait(bool $toWrite, int $deadline): bool
    {
        $readers = $toWrite ? [] : [$this->stream];
        $writers = $toWrite ? [$this->stream] : [];
        $none = null;
        $left = intdiv($deadline - (int) hrtime(true), 1000);
        // The first look is made after the deadline too: what came while this process did not run is there.
        do {
            [$readable, $writable] = [$readers, $writers];
            if ((int) @stream_select($readable, $writable, $none, 0, max(0, min($left, self::LOOK))) > 0) {
                return true;
            }
            $left -= self::LOOK;
        } while ($left > 0);

        return false;
    }

    public function close(): void
    {
        @fclose($this->stream);
    }
}
