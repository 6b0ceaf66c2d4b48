<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Memcached;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\KeyValue;

/**
 * A client in PHP alone, as small as it can be and still be right: values of any bytes, a time limit for each call, and
 * a connection that is closed as soon as a reply is not what was asked for. The text protocol of memcached's
 * protocol.txt, on one server.
 */
final class PlainMemcached implements KeyValue
{
    /** Of a line, such as the first of a value. */
    private const LONGEST_LINE = 2048;

    /** @var resource|null */
    private $stream = null;

    private string $address = '';

    private float $timeout = 0.0;

    public function connect(Context $context): void
    {
        $this->address = $context->serverOfWorker()->address();
        $this->timeout = $context->timeout;
        $this->open();
    }

    public function close(): void
    {
        if ($this->stream !== null) {
            fclose($this->stream);
            $this->stream = null;
        }
    }

    public function get(string $key): ?string
    {
        $line = $this->ask('get', $key, "get $key\r\n");
        if ($line === 'END') {
            return null;
        }
        if (preg_match('/^VALUE (\S+) \d+ (\d+)$/D', $line, $found) !== 1 || $found[1] !== $key) {
            throw $this->failed('get', $key, $line);
        }
        $length = (int) $found[2];
        $value = $this->bytes('get', $key, $length + 7);
        if (substr($value, $length) !== "\r\nEND\r\n") {
            throw $this->failed('get', $key, 'a value of another length');
        }

        return substr($value, 0, $length);
    }

    public function set(string $key, string $value): void
    {
        $line = $this->ask('set', $key, "set $key 0 0 " . \strlen($value) . "\r\n$value\r\n");
        if ($line !== 'STORED') {
            throw $this->failed('set', $key, $line);
        }
    }

    public function delete(string $key): void
    {
        $line = $this->ask('delete', $key, "delete $key\r\n");
        if ($line !== 'DELETED' && $line !== 'NOT_FOUND') {
            throw $this->failed('delete', $key, $line);
        }
    }

    /** @return resource */
    private function open()
    {
        $stream = @stream_socket_client("tcp://$this->address", $number, $words, $this->timeout);
        if ($stream === false) {
            throw Failed::connecting($this->address, (string) $words);
        }
        stream_set_timeout($stream, (int) $this->timeout, (int) (fmod($this->timeout, 1.0) * 1e6));

        return $this->stream = $stream;
    }

    /** @return string the first line of the reply, without its end */
    private function ask(string $call, string $key, string $request): string
    {
        $stream = $this->stream ?? $this->open();
        for ($left = $request; $left !== ''; $left = substr($left, $sent)) {
            $sent = (int) @fwrite($stream, $left);
            if ($sent === 0) {
                throw $this->failed($call, $key, 'the request could not be sent');
            }
        }
        $line = @fgets($stream, self::LONGEST_LINE);
        if ($line === false || !str_ends_with($line, "\r\n")) {
            throw $this->failed($call, $key, 'no whole reply came in time');
        }

        return substr($line, 0, -2);
    }

    private function bytes(string $call, string $key, int $length): string
    {
        $bytes = $this->stream === null ? false : @stream_get_contents($this->stream, $length);
        if ($bytes === false || \strlen($bytes) < $length) {
            throw $this->failed($call, $key, 'no whole reply came in time');
        }

        return $bytes;
    }

    /** What is still on its way would be taken for the reply of the next call. */
    private function failed(string $call, string $key, string $words): Failed
    {
        $this->close();

        return Failed::during($call, $key, $words);
    }
}
