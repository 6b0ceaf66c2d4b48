<?php

declare(strict_types=1);

namespace Larder\Store;

use Predis\Connection\Resource\Stream;
use RuntimeException;

/**
 * A stream for Predis that ends at a deadline.
 *
 * Predis' own stream waits anew after every piece, waits for ever when a server stops in the middle of a value, and
 * takes the first half of a line for a whole one.
 *
 * @internal
 */
final class PredisStream extends Stream
{
    /** The parameters of the connection. */
    private const BROKEN = 1;
    private const TIMED_OUT = 2;

    /** The deadline, by hrtime(true). */
    public int $until = PHP_INT_MAX;

    /** @param resource $socket */
    public function __construct(private $socket)
    {
        parent::__construct($socket);
    }

    /** @param int $length -1: a line */
    public function read(int $length): string
    {
        $this->limit();
        $bytes = $length === -1 ? @fgets($this->socket) : @fread($this->socket, max(1, $length));
        if ($bytes === false || $bytes === '' || ($length === -1 && !str_ends_with($bytes, "\n"))) {
            throw $this->broken();
        }

        return $bytes;
    }

    public function write(string $string): int
    {
        $this->limit();
        $written = @fwrite($this->socket, $string);

        return $written === false || $written === 0 ? throw $this->broken() : $written;
    }

    private function limit(): void
    {
        $left = intdiv($this->until - hrtime(true), 1000);
        if ($left <= 0) {
            throw new RuntimeException('The deadline has passed', self::TIMED_OUT);
        }
        stream_set_timeout($this->socket, intdiv($left, 1_000_000), $left % 1_000_000);
    }

    private function broken(): RuntimeException
    {
        return stream_get_meta_data($this->socket)['timed_out']
            ? new RuntimeException('The deadline has passed', self::TIMED_OUT)
            : new RuntimeException('The connection was closed', self::BROKEN);
    }
}
