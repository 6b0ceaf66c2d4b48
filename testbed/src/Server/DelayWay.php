<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

/**
 * One direction of a delayed connection: what came in and is not out yet, in order.
 *
 * @internal part of DelayLine
 */
final class DelayWay
{
    private const CHUNK = 65_536;

    /** Bytes under way above which no more are read: the sender's own buffers fill then, as a window does. */
    private const WINDOW = 8 << 20;

    public ?self $back = null;

    /** @var list<array{int, string}> when to go on, and what; an empty text is the end */
    private array $chunks = [];

    private int $waiting = 0;

    private bool $ended = false;

    private bool $broken = false;

    /**
     * @param resource $in
     * @param resource $out
     * @param int      $delay    nanoseconds
     * @param int      $earliest before which nothing goes on
     * @param int|null $left     bytes until the connection is cut; null: it is not
     */
    public function __construct(
        public readonly mixed $in,
        public readonly mixed $out,
        private readonly int $delay,
        private readonly int $earliest = 0,
        private ?int $left = null,
    ) {}

    public function takesMore(): bool
    {
        return !$this->ended && $this->waiting < self::WINDOW;
    }

    /** @return int PHP_INT_MAX: nothing is under way */
    public function due(): int
    {
        return $this->chunks[0][0] ?? PHP_INT_MAX;
    }

    public function isOver(): bool
    {
        return $this->broken || ($this->ended && $this->chunks === []);
    }

    public function isBroken(): bool
    {
        return $this->broken;
    }

    /** @param int $now when it was there to be read */
    public function read(int $now): void
    {
        $bytes = (string) @fread($this->in, self::CHUNK);
        $this->ended = $bytes === '' && feof($this->in);
        if ($bytes !== '' || $this->ended) {
            $this->waiting += \strlen($bytes);
            $this->chunks[] = [max($now + $this->delay, $this->earliest), $bytes];
        }
    }

    /** @return bool whether the receiver takes more */
    public function release(int $now): bool
    {
        while ($this->due() <= $now) {
            $bytes = $this->chunks[0][1];
            if ($bytes === '') {
                @stream_socket_shutdown($this->out, STREAM_SHUT_WR);
                array_shift($this->chunks);
                continue;
            }
            $sent = @fwrite($this->out, $this->left === null ? $bytes : substr($bytes, 0, $this->left));
            $this->broken = $sent === false;
            if ($sent === false || $sent === 0) {
                return false;
            }
            $this->waiting -= $sent;
            if ($this->left !== null) {
                $this->left -= $sent;
                $this->broken = $this->left === 0;
            }
            if ($sent < \strlen($bytes)) {
                $this->chunks[0][1] = substr($bytes, $sent);

                return false;
            }
            array_shift($this->chunks);
        }

        return true;
    }
}
