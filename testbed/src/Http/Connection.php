<?php

declare(strict_types=1);

namespace Larder\Testbed\Http;

/** A kept-alive HTTP/1.1 connection of one reader: plain enough that nothing between socket and verdict could cache. */
final class Connection
{
    private const DEADLINE = 10.0;

    /** @var resource|null */
    private mixed $socket = null;

    private string $buffer = '';

    public function __construct(
        private readonly string $address,
        private readonly string $host = 'localhost',
    ) {}

    /**
     * @param list<string> $headers
     *
     * @return array{status: int, headers: array<string, string>, body: string, length: int}|null length: of the whole answer; null: no complete answer
     */
    public function get(string $uri, array $headers = []): ?array
    {
        $this->socket ??= $this->open();
        if ($this->socket === null) {
            return null;
        }
        $request = "GET $uri HTTP/1.1\r\nHost: {$this->host}\r\n" . implode('', array_map(static fn(string $line): string => $line . "\r\n", $headers)) . "\r\n";
        if (@fwrite($this->socket, $request) !== \strlen($request)) {
            return $this->broken();
        }
        $head = $this->until("\r\n\r\n");
        if ($head === null || preg_match('~^HTTP/1\.1 (\d{3})~', $head, $matches) !== 1) {
            return $this->broken();
        }
        $fields = [];
        foreach (\array_slice(explode("\r\n", trim($head)), 1) as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $fields[strtolower($name)] = trim($value);
        }
        $status = (int) $matches[1];
        $body = $status === 304 ? '' : $this->body($fields);
        if ($body === null) {
            return $this->broken();
        }
        if (($fields['connection'] ?? '') === 'close') {
            $this->close();
        }

        return ['status' => $status, 'headers' => $fields, 'body' => $body, 'length' => \strlen($head) + \strlen($body)];
    }

    public function close(): void
    {
        if ($this->socket !== null) {
            fclose($this->socket);
        }
        $this->socket = null;
        $this->buffer = '';
    }

    /** @return resource|null */
    private function open(): mixed
    {
        $socket = @stream_socket_client('tcp://' . $this->address, timeout: self::DEADLINE);
        if ($socket === false) {
            return null;
        }
        stream_set_timeout($socket, (int) self::DEADLINE);

        return $socket;
    }

    private function broken(): null
    {
        $this->close();

        return null;
    }

    /** @param array<string, string> $fields */
    private function body(array $fields): ?string
    {
        if (isset($fields['content-length'])) {
            return $this->exactly((int) $fields['content-length']);
        }
        if (($fields['transfer-encoding'] ?? '') !== 'chunked') {
            return null;
        }
        $body = '';
        do {
            $line = $this->until("\r\n");
            $length = (int) hexdec(trim($line ?? ''));
            $chunk = $line === null ? null : $this->exactly($length + 2);
            if ($chunk === null) {
                return null;
            }
            $body .= substr($chunk, 0, -2);
        } while ($length > 0);

        return $body;
    }

    /** @param non-empty-string $end */
    private function until(string $end): ?string
    {
        while (!str_contains($this->buffer, $end)) {
            if (!$this->more()) {
                return null;
            }
        }
        [$found, $this->buffer] = explode($end, $this->buffer, 2);

        return $found . $end;
    }

    private function exactly(int $length): ?string
    {
        while (\strlen($this->buffer) < $length) {
            if (!$this->more()) {
                return null;
            }
        }
        $found = substr($this->buffer, 0, $length);
        $this->buffer = substr($this->buffer, $length);

        return $found;
    }

    private function more(): bool
    {
        $bytes = $this->socket === null ? false : @fread($this->socket, 65536);
        $this->buffer .= (string) $bytes;

        return $bytes !== false && $bytes !== '';
    }
}
