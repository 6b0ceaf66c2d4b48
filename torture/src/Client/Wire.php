<?php

declare(strict_types=1);

namespace Larder\Torture\Client;

use Socket;

/**
 * One client's connection through a proxy, and the proxy's own one to the server.
 *
 * It ends in two steps: what has not gone to the server by then never will, but the server may still work on what has. It is dead once the
 * server has closed too, and until then newer connections wait, so that no old write comes after a new one.
 */
final class Wire
{
    private const READ = 262_144;

    public string $toServer = '';
    public string $toClient = '';

    /** Nothing goes that way before this moment, nanoseconds. */
    public int $requestsFrom = 0;

    public int $repliesFrom = 0;

    /** Replies go byte by byte. */
    public bool $splits = false;

    /** Bytes were changed on their way to the client. */
    public bool $isSpoilt = false;

    public bool $isHung = false;

    /** The client has had its end; what it still says goes on. */
    public bool $isHalfClosed = false;

    public bool $isEnding = false;
    public bool $isDead = false;

    /** @var array<int, self> that must be dead before anything goes to the server */
    public array $before = [];

    public readonly Frames $frames;

    public function __construct(
        public readonly int $number,
        public readonly Socket $client,
        public readonly Socket $server,
    ) {
        socket_set_nonblock($client);
        socket_set_nonblock($server);
        $this->frames = new Frames();
    }

    /** All that the client has sent so far. */
    public function readClient(): string
    {
        $all = '';
        while (!$this->isEnding) {
            $count = @socket_recv($this->client, $bytes, self::READ, 0);
            if (\is_int($count) && $count > 0 && \is_string($bytes)) {
                $all .= $bytes;
                if ($count < self::READ) {
                    continue;
                }
            } elseif ($count === 0 || socket_last_error($this->client) !== SOCKET_EAGAIN) {
                $this->end();
            } else {
                break;
            }
        }

        return $this->isHung ? '' : $all;
    }

    public function readServer(): string
    {
        $count = @socket_recv($this->server, $bytes, self::READ, 0);
        if (\is_int($count) && $count > 0 && \is_string($bytes)) {
            return $this->isEnding || $this->isHung || $this->isHalfClosed ? '' : $bytes;
        }
        if ($count === 0 || socket_last_error($this->server) !== SOCKET_EAGAIN) {
            $this->end();
            socket_close($this->server);
            $this->isDead = true;
        }

        return '';
    }

    public function flush(int $now): void
    {
        if ($this->toServer !== '' && !$this->isEnding && $now >= $this->requestsFrom && $this->mayBegin()) {
            $this->toServer = self::send($this->server, $this->toServer);
        }
        if ($this->toClient === '' || $this->isEnding || $this->isHung || $now < $this->repliesFrom) {
            return;
        }
        if ($this->splits && \strlen($this->toClient) < 300) {
            foreach (str_split($this->toClient) as $byte) {
                @socket_send($this->client, $byte, 1, 0);
            }
            $this->toClient = '';
        } else {
            $this->toClient = self::send($this->client, $this->toClient);
        }
        $this->splits = false;
    }

    /** A reset for the client. */
    public function cut(): void
    {
        socket_set_option($this->client, SOL_SOCKET, SO_LINGER, ['l_onoff' => 1, 'l_linger' => 0]);
        $this->end();
    }

    public function halfClose(): void
    {
        $this->isHalfClosed = true;
        $this->toClient = '';
        @socket_shutdown($this->client, 1);
    }

    public function end(): void
    {
        if ($this->isEnding) {
            return;
        }
        $this->isEnding = true;
        $this->toServer = $this->toClient = '';
        socket_close($this->client);
        @socket_shutdown($this->server, 1);
    }

    private function mayBegin(): bool
    {
        if ($this->before !== []) {
            $this->before = array_filter($this->before, static fn(self $wire): bool => !$wire->isDead);
        }

        return $this->before === [];
    }

    /** What the socket does not take now. */
    private static function send(Socket $socket, string $bytes): string
    {
        $sent = @socket_send($socket, $bytes, \strlen($bytes), 0);

        return \is_int($sent) ? substr($bytes, $sent) : (socket_last_error($socket) === SOCKET_EAGAIN ? $bytes : '');
    }
}
