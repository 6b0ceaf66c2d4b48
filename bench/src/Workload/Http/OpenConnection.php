<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Exception\Failed;

/**
 * A connection of the open loop: idle, or with one request on it.
 *
 * @internal
 */
final class OpenConnection
{
    /** @var resource|null */
    private $socket;
    private string $unsent = '';
    private bool $used = false;
    private readonly ReplyReader $reader;

    /** @param int $due nanoseconds at which the request on it was to start */
    public function __construct(private readonly string $address, public int $due = 0)
    {
        $this->reader = new ReplyReader();
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

    /** Whether it has answered before: a server may close such a one at any time, and that is nobody's error. */
    public function isWorn(): bool
    {
        return $this->used && $this->reader->isEmpty();
    }

    /** @return string|null null: it is on its way; else what went wrong */
    public function start(string $request, int $due): ?string
    {
        $this->due = $due;
        $this->unsent = $request;
        if ($this->socket === null) {
            $context = stream_context_create(['socket' => ['tcp_nodelay' => true]]);
            $socket = @stream_socket_client(
                'tcp://' . $this->address,
                $code,
                $words,
                1.0,
                STREAM_CLIENT_CONNECT | STREAM_CLIENT_ASYNC_CONNECT,
                $context,
            );
            if ($socket === false) {
                return 'cannot connect: ' . $words;
            }
            stream_set_blocking($socket, false);
            stream_set_read_buffer($socket, 0);
            stream_set_write_buffer($socket, 0);
            $this->socket = $socket;

            return null;
        }

        return $this->send();
    }

    /** Also when the connection has come about: what is wrong with it shows in the first write. */
    public function send(): ?string
    {
        $socket = $this->socket;
        $sent = $socket === null ? false : @fwrite($socket, $this->unsent);
        if ($sent === false) {
            return 'the request could not be sent';
        }
        $this->unsent = substr($this->unsent, $sent);

        return null;
    }

    /**
     * @return Reply|string|null null: not all of it is there; a text: what went wrong
     */
    public function receive(): Reply|string|null
    {
        $socket = $this->socket;
        $bytes = $socket === null ? false : @fread($socket, 1 << 16);
        try {
            if ($bytes !== false && $bytes !== '') {
                return $this->finished($this->reader->feed($bytes));
            }
            if ($socket === null || feof($socket)) {
                $reply = $this->finished($this->reader->close());

                return $reply
                    ?? (
                        $this->reader->isEmpty()
                            ? 'the connection was closed without a reply'
                            : 'the reply breaks off'
                    );
            }
        } catch (Failed $failed) {
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

    private function finished(?Reply $reply): ?Reply
    {
        if ($reply !== null) {
            $this->used = true;
            if ($reply->closes) {
                $this->close();
            }
        }

        return $reply;
    }
}
