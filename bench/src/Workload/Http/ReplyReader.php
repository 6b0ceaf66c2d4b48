<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Exception\Failed;

/** Puts a reply together from what a socket brings. One reply at a time: there is no pipelining here. */
final class ReplyReader
{
    /** No page of the bench comes near; a server gone mad shall not fill the memory. */
    private const LARGEST = 64 << 20;

    private string $bytes = '';
    private int $bodyAt = 0;

    /** Bytes of the body; -1: in chunks; -2: until the server closes. */
    private int $length = -2;
    private bool $closes = false;

    /**
     * @return Reply|null null: not all of it is there yet
     *
     * @throws Failed when this is no HTTP
     */
    public function feed(string $bytes): ?Reply
    {
        $this->bytes .= $bytes;
        if ($this->bodyAt === 0 && !$this->readHead()) {
            return null;
        }
        if ($this->length >= 0) {
            return \strlen($this->bytes) - $this->bodyAt < $this->length
                ? null
                : $this->reply(substr($this->bytes, $this->bodyAt, $this->length));
        }
        $body = $this->length === -1 ? $this->unchunked() : null;
        if ($body === null && \strlen($this->bytes) > self::LARGEST) {
            throw new Failed('a reply that does not end');
        }

        return $body === null ? null : $this->reply($body);
    }

    public function isEmpty(): bool
    {
        return $this->bytes === '';
    }

    /** @return Reply|null what the server's closing completes; null: it broke off */
    public function close(): ?Reply
    {
        return $this->bodyAt > 0 && $this->length === -2 ? $this->reply(substr($this->bytes, $this->bodyAt)) : null;
    }

    private function readHead(): bool
    {
        $end = strpos($this->bytes, "\r\n\r\n");
        if ($end === false) {
            return \strlen($this->bytes) > 65_536 ? throw new Failed('headers that do not end') : false;
        }
        if (!str_starts_with($this->bytes, 'HTTP/1.')) {
            throw new Failed('no HTTP: ' . Target::excerpt($this->bytes));
        }
        $head = substr($this->bytes, 0, $end + 2);
        $this->bodyAt = $end + 4;
        $status = $this->status();
        $this->length = match (true) {
            $status === 204 || $status === 304 => 0,
            preg_match('/^Transfer-Encoding:[ \t]*chunked/mi', $head) === 1 => -1,
            preg_match('/^Content-Length:[ \t]*(\d{1,9})[ \t]*\r/mi', $head, $match) === 1 => (int) $match[1],
            default => -2,
        };
        $this->closes = $this->length === -2
            || $this->bytes[7] === '0'
            || preg_match('/^Connection:[ \t]*close/mi', $head) === 1;

        return true;
    }

    private function status(): int
    {
        return (int) substr($this->bytes, 9, 3);
    }

    /** Null: the last chunk is not there yet. */
    private function unchunked(): ?string
    {
        // The end first: most calls come before it, and going through all chunks each time would be quadratic.
        if (!str_ends_with($this->bytes, "0\r\n\r\n")) {
            return null;
        }
        $body = '';
        $at = $this->bodyAt;
        while (preg_match('/\G([0-9a-fA-F]{1,7})[^\r\n]*\r\n/', $this->bytes, $match, 0, $at) === 1) {
            $size = (int) hexdec($match[1]);
            $at += \strlen($match[0]);
            if ($size === 0) {
                return $body;
            }
            $body .= substr($this->bytes, $at, $size);
            $at += $size + 2;
        }

        return $at >= \strlen($this->bytes) ? null : throw new Failed('chunks that are none');
    }

    private function reply(string $body): Reply
    {
        $reply = new Reply($this->status(), substr($this->bytes, 0, $this->bodyAt), $body, $this->closes);
        $this->bytes = '';
        $this->bodyAt = 0;
        $this->length = -2;

        return $reply;
    }
}
