<?php

declare(strict_types=1);

namespace Larder\Store\Net;

/** @internal */
final readonly class StreamSocket implements Socket
{
    /** Microseconds of one look at the sockets, which count as no more, however long the machine stood still in it. */
    private const LOOK = 10_000;

    /** @param resource $stream */
    private function __construct(private mixed $stream) {}

    /**
     * @param string $address  `host:port`, `unix:/path`, or one of PHP's, such as `tls://host:port`
     * @param int    $deadline hrtime
     *
     * @throws ConnectionFailed
     */
    public static function connect(string $address, int $deadline): self
    {
        $url = match (true) {
            str_contains($address, '://') => $address,
            str_starts_with($address, 'unix:') => 'unix://' . substr($address, 5),
            default => 'tcp://' . $address,
        };
        $seconds = max(0.001, ($deadline - hrtime(true)) / 1e9);
        $stream = @stream_socket_client($url, $code, $reason, $seconds);
        if ($stream === false) {
            throw new ConnectionFailed(Fault::Unreachable, (string) $reason);
        }
        stream_set_blocking($stream, false);
        stream_set_write_buffer($stream, 0);
        stream_set_read_buffer($stream, 0);

        return new self($stream);
    }

    /**
     * Waits until one of these is ready, and leaves those that are.
     *
     * @template K of array-key
     *
     * @param array<K, resource> $reading
     * @param array<K, resource> $writing
     * @param int                $deadline hrtime
     *
     * @return bool false: none by then
     */
    public static function await(array &$reading, array &$writing, int $deadline): bool
    {
        $left = intdiv($deadline - (int) hrtime(true), 1000);
        [$readers, $writers, $none] = [$reading, $writing, null];
        // The first look is made after the deadline too: what came while this process did not run is there.
        do {
            [$reading, $writing] = [$readers, $writers];
            if ((int) @stream_select($reading, $writing, $none, 0, max(0, min($left, self::LOOK))) > 0) {
                return true;
            }
            $left -= self::LOOK;
        } while ($left > 0);
        $reading = $writing = [];

        return false;
    }

    public function write(string $bytes): ?int
    {
        $taken = @fwrite($this->stream, $bytes);

        return $taken === false ? null : $taken;
    }

    public function read(int $most): ?string
    {
        $bytes = @fread($this->stream, $most);

        return $bytes === false || ($bytes === '' && feof($this->stream)) ? null : $bytes;
    }

    /** @return resource */
    public function stream(): mixed
    {
        return $this->stream;
    }

    public function close(): void
    {
        @fclose($this->stream);
    }
}
