<?php

declare(strict_types=1);

namespace Larder\Testbed\Net;

use Socket;

/**
 * One client's connection to a proxy, and the proxy's connection to the server behind it.
 *
 * It ends in two steps. With end() the bytes that have not gone on are dropped, but the server may still work on
 * earlier ones. It is dead once the server has closed too. Until then newer connections send nothing, so that no old
 * write follows a new one.
 */
final class ProxiedConnection
{
    private const READ = 262_144;

    public readonly ProxyQueue $requests;
    public readonly ProxyQueue $replies;

    private bool $clientClosed = false;
    private bool $serverClosed = false;
    private bool $isHung = false;
    private bool $isHalfClosed = false;
    private bool $isEnding = false;
    private bool $isDead = false;
    private bool $endsAfterReplies = false;

    /** @var array<int, self> connections that must be dead before anything goes to the server */
    private array $before;

    /**
     * @param array<int, self> $older
     *
     * @internal
     */
    public function __construct(
        public readonly int $number,
        public readonly Socket $client,
        public readonly Socket $server,
        array $older,
    ) {
        socket_set_nonblock($client);
        socket_set_nonblock($server);
        $this->requests = new ProxyQueue();
        $this->replies = new ProxyQueue();
        $this->before = array_filter($older, static fn(self $other): bool => $other->isEnding && !$other->isDead);
    }

    /** From now on nothing goes on in any direction, and both ends stay open. */
    public function hang(): void
    {
        $this->isHung = true;
        $this->requests->clear();
        $this->replies->clear();
    }

    /** The server gets the requests that are due, the client gets the replies that wait and a reset. */
    public function cut(): void
    {
        $this->before = array_filter($this->before, static fn(self $other): bool => !$other->isDead);
        if ($this->before === []) {
            $this->requests->release($this->server, (int) hrtime(true));
        }
        $this->replies->release($this->client, PHP_INT_MAX);
        socket_set_option($this->client, SOL_SOCKET, SO_LINGER, ['l_onoff' => 1, 'l_linger' => 0]);
        $this->end();
    }

    /** The client sees an end of the replies, and its requests go on. */
    public function halfClose(): void
    {
        $this->replies->clear();
        $this->isHalfClosed = true;
        @socket_shutdown($this->client, 1);
    }

    /** Drops all bytes that wait, closes the client's side and lets the server see an end. */
    public function end(): void
    {
        if ($this->isEnding) {
            return;
        }
        $this->isEnding = true;
        $this->requests->clear();
        $this->replies->clear();
        socket_close($this->client);
        @socket_shutdown($this->server, 1);
    }

    /** Ends the connection as soon as the client has the replies that wait. */
    public function endAfterReplies(): void
    {
        $this->endsAfterReplies = true;
    }

    public function isEnding(): bool
    {
        return $this->isEnding;
    }

    public function isDead(): bool
    {
        return $this->isDead;
    }

    /** @internal */
    public function readsClient(): bool
    {
        return !$this->isEnding && !$this->clientClosed && !$this->requests->isFull();
    }

    /** @internal */
    public function readsServer(): bool
    {
        return !$this->isDead && !$this->serverClosed && !$this->replies->isFull();
    }

    /**
     * When this has something to do next; PHP_INT_MAX: never, or as soon as a socket is ready.
     *
     * @internal
     */
    public function due(): int
    {
        if ($this->isEnding || $this->isHung) {
            return PHP_INT_MAX;
        }

        return min(
            $this->requests->isStuck() || $this->before !== [] ? PHP_INT_MAX : $this->requests->due(),
            $this->replies->isStuck() ? PHP_INT_MAX : $this->replies->due(),
        );
    }

    /** @internal */
    public function receive(ProxyTraffic $traffic, int $now): void
    {
        $all = '';
        while ($this->readsClient()) {
            $count = @socket_recv($this->client, $bytes, self::READ, 0);
            if (\is_int($count) && $count > 0 && \is_string($bytes)) {
                $all .= $bytes;
                if ($count < self::READ) {
                    break;
                }
            } elseif ($count === 0 || socket_last_error($this->client) !== SOCKET_EAGAIN) {
                $this->clientClosed = true;
            } else {
                break;
            }
        }
        if ($all !== '' && !$this->isHung) {
            $this->requests->add($traffic->request($this, $all), $now);
        }
        if ($this->clientClosed && !$this->isEnding) {
            $traffic->closed($this);
            if ($this->isHung) {
                $this->end();
            } elseif (!$this->isEnding) {
                $this->requests->finish($now);
            }
        }
    }

    /** @internal */
    public function answer(ProxyTraffic $traffic, int $now): void
    {
        $count = @socket_recv($this->server, $bytes, self::READ, 0);
        if (\is_int($count) && $count > 0 && \is_string($bytes)) {
            if (!$this->isEnding && !$this->isHung && !$this->isHalfClosed) {
                $this->replies->add($traffic->reply($this, $bytes), $now);
            }
        } elseif ($count === 0 || socket_last_error($this->server) !== SOCKET_EAGAIN) {
            $this->serverClosed = true;
            if ($this->isEnding || $this->isHung) {
                $this->end();
                $this->die();
            } else {
                $this->replies->finish($now);
            }
        }
    }

    /** @internal */
    public function pass(int $now): void
    {
        $this->before = array_filter($this->before, static fn(self $other): bool => !$other->isDead);
        if ($this->isEnding || $this->isHung) {
            return;
        }
        if ($this->before === []) {
            $this->requests->release($this->server, $now);
        }
        $lives = $this->replies->release($this->client, $now);
        if (!$lives || ($this->endsAfterReplies && $this->replies->due() === PHP_INT_MAX)) {
            $this->end();
        } elseif ($this->replies->isOver()) {
            // The server has closed: there is no one to send requests to.
            $this->end();
            $this->die();
        }
    }

    private function die(): void
    {
        socket_close($this->server);
        $this->isDead = true;
    }
}
