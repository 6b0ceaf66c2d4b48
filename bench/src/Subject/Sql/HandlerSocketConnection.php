<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Sql;

use Larder\Bench\Exception\Failed;

/**
 * The text protocol of the HandlerSocket plugin: a line a request, a line a reply, fields between tabs. Bytes below
 * 0x10 are 0x01 and the byte plus 0x40, so that none of a value ends a field; a lone zero byte is NULL.
 *
 * A reply that is not what was asked for closes the connection: what follows on it could be the answer to something
 * else.
 */
final class HandlerSocketConnection
{
    private const LONGEST = 64 << 20;

    /** @var resource|null */
    private mixed $stream;

    private string $buffer = '';

    /** @var array<string, string> */
    private readonly array $escapes;

    /** @var array<string, string> */
    private readonly array $originals;

    public function __construct(string $host, int $port, private readonly float $timeout)
    {
        $escapes = [];
        for ($byte = 0; $byte < 16; ++$byte) {
            $escapes[\chr($byte)] = "\x01" . \chr($byte + 0x40);
        }
        $this->escapes = $escapes;
        $this->originals = array_flip($escapes);
        $address = \sprintf('tcp://%s:%d', $host, $port);
        $stream = @stream_socket_client(
            $address,
            $number,
            $words,
            $timeout,
            STREAM_CLIENT_CONNECT,
            stream_context_create(['socket' => ['tcp_nodelay' => true]]),
        );
        if ($stream === false) {
            throw Failed::connecting($address, $words ?? 'failed');
        }
        // What PHP would read ahead into its own buffer is copied once more for nothing.
        stream_set_read_buffer($stream, 0);
        stream_set_timeout($stream, (int) $timeout, (int) (fmod($timeout, 1.0) * 1e6));
        $this->stream = $stream;
    }

    public function close(): void
    {
        if ($this->stream !== null) {
            fclose($this->stream);
        }
        $this->stream = null;
    }

    public function encode(string $value): string
    {
        return strtr($value, $this->escapes);
    }

    public function decode(string $field): string
    {
        $escaped = substr_count($field, "\x01");
        if ($escaped === 0) {
            return $field === "\0" ? $this->broken('NULL in a column that has none') : $field;
        }
        $value = strtr($field, $this->originals);

        return \strlen($value) === \strlen($field) - $escaped ? $value : $this->broken('a byte escaped as none is');
    }

    /** @return list<string> the reply's fields, not decoded; anything but success is an exception */
    public function ask(string $call, string $request): array
    {
        $this->send($request . "\n");

        return $this->reply($call);
    }

    public function send(string $lines): void
    {
        if ($this->stream === null) {
            throw Failed::during('HandlerSocket', 'send', 'the connection is closed');
        }
        while ($lines !== '') {
            $sent = @fwrite($this->stream, $lines);
            if ($sent === false || $sent === 0) {
                $this->broken('the server does not take a request');
            }
            $lines = $sent === \strlen($lines) ? '' : substr($lines, $sent);
        }
    }

    /** @return list<string> */
    public function reply(string $call): array
    {
        [$status, $fields] = $this->anyReply();

        return $status === 0
            ? $fields
            : throw Failed::during('HandlerSocket', $call, \sprintf('error %d: %s', $status, implode(' ', $fields)));
    }

    /** @return array{int, list<string>} status, 0 for success, and fields */
    public function anyReply(): array
    {
        $fields = explode("\t", $this->line());
        $status = $fields[0];
        $columns = $fields[1] ?? '';
        if (!ctype_digit($status) || !ctype_digit($columns) || \strlen($columns) > 6 || \strlen($status) > 6) {
            $this->broken('no status and no number of columns in a reply');
        }
        $values = \array_slice($fields, 2);
        if ((int) $columns < 1 || \count($values) % (int) $columns !== 0) {
            $this->broken(\sprintf('%d values in rows of %d columns', \count($values), (int) $columns));
        }

        return [(int) $status, $values];
    }

    private function line(): string
    {
        if ($this->stream === null) {
            throw Failed::during('HandlerSocket', 'read', 'the connection is closed');
        }
        $deadline = hrtime(true) + (int) ($this->timeout * 1e9);
        $looked = 0;
        while (true) {
            $end = strpos($this->buffer, "\n", $looked);
            if ($end !== false) {
                break;
            }
            $looked = \strlen($this->buffer);
            $more = @fread($this->stream, 262_144);
            if ($more === false || $more === '') {
                $this->broken('the server closed the connection, or is silent');
            }
            if (hrtime(true) > $deadline || $looked > self::LONGEST) {
                $this->broken('a reply that does not end');
            }
            $this->buffer .= $more;
        }
        $line = substr($this->buffer, 0, $end);
        $this->buffer = $end + 1 === \strlen($this->buffer) ? '' : substr($this->buffer, $end + 1);

        return $line;
    }

    private function broken(string $words): never
    {
        $this->close();

        throw Failed::during('HandlerSocket', 'reply', $words);
    }
}
