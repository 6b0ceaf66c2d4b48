<?php

declare(strict_types=1);

namespace Larder\Testbed\Http;

use Larder\Testbed\Server\ServerFailed;

/** A connection of the open loop: it is idle, or has one request on it. One process may have hundreds of them. */
final class NonBlockingConnection
{
    /** @var resource|null */
    private $socket;
    private string $unsent = '';

    /** True after the first byte was sent: until then a failure means that the server cannot be reached. */
    private bool $connected = false;
    private bool $answered = false;
    private readonly ResponseReader $reader;

    /** @param int $due nanoseconds at which the request on it was due */
    public function __construct(private readonly string $address, public int $due = 0)
    {
        $this->reader = new ResponseReader();
    }

    /** @return resource|null */
    public function socket(): mixed
    {
        return $this->socket;
    }

    public function isSending(): bool
    {
        return $this->unsent !== '';
    }

    /** True if it has answered before. A server may close such a connection at any time, which is no error. */
    public function isReused(): bool
    {
        return $this->answered && $this->reader->isEmpty();
    }

    /** @return string|null null: it is on its way; otherwise what went wrong */
    public function start(string $request, int $due): ?string
    {
        $this->due = $due;
        $this->unsent = $request;
        if ($this->socket !== null) {
            return $this->send();
        }
        $flags = STREAM_CLIENT_CONNECT | STREAM_CLIENT_ASYNC_CONNECT;
        $context = stream_context_create(['socket' => ['tcp_nodelay' => true]]);
        $socket = @stream_socket_client('tcp://' . $this->address, $code, $words, 1.0, $flags, $context);
        if ($socket === false) {
            return 'cannot connect: ' . $words;
        }
        stream_set_blocking($socket, false);
        stream_set_read_buffer($socket, 0);
        stream_set_write_buffer($socket, 0);
        $this->socket = $socket;

        return null;
    }

    /** Sends what is left of the request. The first call finds out whether the connection was established. */
    public function send(): ?string
    {
        $socket = $this->socket;
        $sent = $socket === null ? false : @fwrite($socket, $this->unsent);
        if ($sent === false) {
            return $this->connected ? 'the request could not be sent' : 'cannot connect to ' . $this->address;
        }
        $this->connected = true;
        $this->unsent = substr($this->unsent, $sent);

        return null;
    }

    /** @return Response|string|null null: it is not complete; a text: what went wrong */
    public function receive(): Response|string|null
    {
        $socket = $this->socket;
        $bytes = $socket === null ? false : @fread($socket, 1 << 16);
        try {
            if ($bytes !== false && $bytes !== '') {
                return $this->finished($this->reader->feed($bytes));
            }
            if ($socket === null || feof($socket)) {
                $reply = $this->finished($this->reader->close());
                $nothing = $this->reader->isEmpty()
                    ? 'the connection was closed without a reply'
                    : 'the reply breaks off';

                return $reply ?? $nothing;
            }
        } catch (ServerFailed $failed) {
            return $failed->getMessage();
        }

        return null;
    }

    public function close(): void
    {
        if ($this->socket !== null) {
            fclose($this->socket);
            $this->socket = null;
        }
    }

    private function finished(?Response $reply): ?Response
    {
        if ($reply !== null) {
            $this->answered = true;
            if ($reply->closes) {
                $this->close();
            }
        }

        return $reply;
    }
}
