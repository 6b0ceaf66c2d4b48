<?php

declare(strict_types=1);

namespace Larder\Testbed\Http;

use Larder\Testbed\Server\ServerFailed;

/** Puts a response together from what a socket brings: one at a time, without pipelining. */
final class ResponseReader
{
    /** No page of a test comes near this. A server gone mad shall not fill the memory. */
    private const LARGEST = 64 << 20;

    private const LONGEST_HEAD = 65_536;

    private string $bytes = '';
    private int $bodyAt = 0;

    /** Bytes of the body; -1: it comes in chunks; -2: it ends with the connection. */
    private int $length = -2;

    private bool $closes = false;

    /** @param bool $hasBody false: the response answers a HEAD */
    public function __construct(private readonly bool $hasBody = true) {}

    /**
     * @return Response|null null: not all of it has come
     *
     * @throws ServerFailed when this is no HTTP
     */
    public function feed(string $bytes): ?Response
    {
        $this->bytes .= $bytes;
        if ($this->bodyAt === 0 && !$this->readHead()) {
            return null;
        }
        if ($this->length >= 0) {
            $isWhole = \strlen($this->bytes) - $this->bodyAt >= $this->length;

            return $isWhole ? $this->response(substr($this->bytes, $this->bodyAt, $this->length)) : null;
        }
        $body = $this->length === -1 ? $this->unchunked() : null;
        if ($body === null && \strlen($this->bytes) > self::LARGEST) {
            throw ServerFailed::because('a reply that does not end');
        }

        return $body === null ? null : $this->response($body);
    }

    public function isEmpty(): bool
    {
        return $this->bytes === '';
    }

    /** @return Response|null the one that ends with the connection; null: it broke off */
    public function close(): ?Response
    {
        $endsWithConnection = $this->bodyAt > 0 && $this->length === -2;

        return $endsWithConnection ? $this->response(substr($this->bytes, $this->bodyAt)) : null;
    }

    private function readHead(): bool
    {
        $end = strpos($this->bytes, "\r\n\r\n");
        if ($end === false) {
            return \strlen($this->bytes) > self::LONGEST_HEAD
                ? throw ServerFailed::because('headers that do not end')
                : false;
        }
        if (!str_starts_with($this->bytes, 'HTTP/1.')) {
            throw ServerFailed::because(
                'no HTTP: ' . json_encode(substr($this->bytes, 0, 80), JSON_INVALID_UTF8_SUBSTITUTE),
            );
        }
        $head = substr($this->bytes, 0, $end + 2);
        $this->bodyAt = $end + 4;
        $status = substr($head, 9, 3);
        $this->length = match (true) {
            !$this->hasBody || $status === '204' || $status === '304' => 0,
            preg_match('/^Transfer-Encoding:[ \t]*chunked/mi', $head) === 1 => -1,
            preg_match('/^Content-Length:[ \t]*(\d{1,9})[ \t]*\r/mi', $head, $match) === 1 => (int) $match[1],
            default => -2,
        };
        $saysClose = preg_match('/^Connection:[ \t]*close/mi', $head) === 1;
        $this->closes = $this->length === -2 || $head[7] === '0' || $saysClose;

        return true;
    }

    /** @return string|null null: the last chunk has not come */
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

        return $at >= \strlen($this->bytes) ? null : throw ServerFailed::because('chunks that are none');
    }

    private function response(string $body): Response
    {
        $head = substr($this->bytes, 0, $this->bodyAt);
        $response = Response::of($head, $body, \strlen($this->bytes), $this->closes);
        $this->bytes = '';
        $this->bodyAt = 0;
        $this->length = -2;

        return $response;
    }
}
