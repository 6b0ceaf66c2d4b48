<?php

declare(strict_types=1);

namespace Larder\Testbed\Net;

use Socket;

/**
 * One direction of a proxied connection: the bytes that came in and are not out yet, in their order.
 *
 * @internal part of ProxiedConnection
 */
final class ProxyQueue
{
    /** Bytes above which no more are read: the sender's own buffers fill then, as a window does. */
    private const WINDOW = 8 << 20;

    /** Shorter bytes than these can be sent one by one. */
    private const SHORT = 300;

    /** Nanoseconds after their arrival at which bytes go on. */
    public int $delay = 0;

    /** The next bytes go one by one. */
    public bool $splits = false;

    /** @var list<array{int, string}> when to go on, on the clock of hrtime(), and what; no bytes are the end */
    private array $chunks = [];

    private int $waiting = 0;
    private int $heldUntil = 0;
    private bool $isStuck = false;
    private bool $isOver = false;

    public function add(string $bytes, int $now): void
    {
        if ($bytes !== '') {
            $this->waiting += \strlen($bytes);
            $this->chunks[] = [$now + $this->delay, $bytes];
        }
    }

    /** The end of the stream, behind all bytes. */
    public function finish(int $now): void
    {
        $this->chunks[] = [$now + $this->delay, ''];
    }

    /** Nothing goes on before this moment. */
    public function hold(int $until): void
    {
        $this->heldUntil = max($this->heldUntil, $until);
    }

    public function length(): int
    {
        return $this->waiting;
    }

    /** Drops all but the first bytes. */
    public function keep(int $length): void
    {
        $due = $this->chunks[0][0] ?? 0;
        $bytes = substr(implode('', array_column($this->chunks, 1)), 0, $length);
        $this->clear();
        if ($bytes !== '') {
            $this->waiting = \strlen($bytes);
            $this->chunks = [[$due, $bytes]];
        }
    }

    public function clear(): void
    {
        $this->chunks = [];
        $this->waiting = 0;
        $this->isStuck = false;
    }

    /** @return int PHP_INT_MAX: nothing waits */
    public function due(): int
    {
        return $this->chunks === [] ? PHP_INT_MAX : max($this->chunks[0][0], $this->heldUntil);
    }

    public function isFull(): bool
    {
        return $this->waiting >= self::WINDOW;
    }

    /** The receiver took no more the last time. */
    public function isStuck(): bool
    {
        return $this->isStuck;
    }

    /** The end has been passed on. */
    public function isOver(): bool
    {
        return $this->isOver;
    }

    /** @return bool false: the receiver is gone */
    public function release(Socket $out, int $now): bool
    {
        $this->isStuck = false;
        while ($this->chunks !== [] && $this->due() <= $now) {
            $bytes = $this->chunks[0][1];
            if ($bytes === '') {
                @socket_shutdown($out, 1);
                $this->clear();
                $this->isOver = true;

                return true;
            }
            $splits = $this->splits && \strlen($bytes) < self::SHORT;
            $sent = $splits ? self::split($out, $bytes) : @socket_send($out, $bytes, \strlen($bytes), 0);
            $this->splits = false;
            if ($sent === false) {
                $this->isStuck = socket_last_error($out) === SOCKET_EAGAIN;

                return $this->isStuck;
            }
            $this->waiting -= $sent;
            if ($sent < \strlen($bytes)) {
                $this->chunks[0][1] = substr($bytes, $sent);
                $this->isStuck = true;

                return true;
            }
            array_shift($this->chunks);
        }

        return true;
    }

    private static function split(Socket $out, string $bytes): int|false
    {
        foreach (str_split($bytes) as $sent => $byte) {
            if (@socket_send($out, $byte, 1, 0) === false) {
                return $sent === 0 ? false : $sent;
            }
        }

        return \strlen($bytes);
    }
}
