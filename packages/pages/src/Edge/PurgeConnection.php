<?php

declare(strict_types=1);

namespace Larder\Edge;

/**
 * One server's requests to purge, one after the other, on one connection that never blocks.
 *
 * @internal for VarnishEdge
 */
final class PurgeConnection
{
    /** @var resource|null */
    private mixed $socket;

    private string $unsent;

    private string $answer = '';

    private int $done = 0;

    private ?string $cause = null;

    /** @param non-empty-list<string> $requests whole ones */
    public function __construct(
        public readonly string $server,
        private readonly array $requests,
    ) {
        $this->unsent = $requests[0];
        $flags = STREAM_CLIENT_CONNECT | STREAM_CLIENT_ASYNC_CONNECT;
        $socket = @stream_socket_client('tcp://' . $server, $code, $error, 0, $flags);
        if ($socket === false) {
            $this->socket = null;
            $this->cause = $error === '' ? 'no connection' : $error;

            return;
        }
        stream_set_blocking($socket, false);
        $this->socket = $socket;
    }

    /** @return resource|null null: it is over */
    public function socket(): mixed
    {
        return $this->socket;
    }

    /** Whether it has something to send. */
    public function wants(): bool
    {
        return $this->unsent !== '';
    }

    /** Sends or reads what can be, after the socket was found ready. */
    public function step(): void
    {
        if ($this->socket === null) {
            return;
        }
        if ($this->unsent !== '') {
            $sent = @fwrite($this->socket, $this->unsent);
            if ($sent === false || ($sent === 0 && stream_socket_get_name($this->socket, true) === false)) {
                $this->over('it refused the connection');

                return;
            }
            $this->unsent = substr($this->unsent, $sent);

            return;
        }
        $bytes = @fread($this->socket, 8192);
        if ($bytes === false || ($bytes === '' && feof($this->socket))) {
            $this->over('it closed the connection');

            return;
        }
        $this->answer .= $bytes;
        $this->take();
    }

    /** @return string|null why not all was purged; null: it was */
    public function end(int $milliseconds): ?string
    {
        if ($this->socket !== null) {
            $this->over(\sprintf('no answer in %d ms', $milliseconds));
        }

        return $this->cause;
    }

    private function take(): void
    {
        if (preg_match('~^HTTP/1\.[01] (\d{3})([^\r\n]*)\r\n(.*?)\r\n\r\n~s', $this->answer, $found) !== 1) {
            return;
        }
        $length = preg_match('~^content-length:\s*(\d+)\s*$~mi', $found[3], $sized) === 1 ? (int) $sized[1] : 0;
        if (\strlen($this->answer) < \strlen($found[0]) + $length) {
            return;
        }
        if ($found[1] !== '200') {
            $this->over('it answered ' . $found[1] . $found[2]);

            return;
        }
        $this->answer = '';
        ++$this->done;
        if (!isset($this->requests[$this->done])) {
            $this->over(null);

            return;
        }
        $this->unsent = $this->requests[$this->done];
    }

    private function over(?string $cause): void
    {
        $this->cause = $cause;
        if ($this->socket !== null) {
            fclose($this->socket);
            $this->socket = null;
        }
    }
}
