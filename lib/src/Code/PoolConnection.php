<?php

declare(strict_types=1);

namespace Larder\Code;

use Larder\Exception\CodePoolFailed;

/**
 * One connection to a memcached server. Any doubt about it ends it.
 *
 * @internal
 */
final class PoolConnection
{
    private const PORT = '11211';

    /** Bytes of a read or a write. */
    private const PIECE = 1 << 18;

    /** @var resource|null */
    private mixed $stream = null;

    private string $commands = '';

    private int $sent = 0;

    private PoolReplies $replies;

    private bool $waits = false;

    public function __construct(private readonly string $server)
    {
        $this->replies = new PoolReplies();
    }

    public static function withPort(string $server): string
    {
        return preg_match('/:\d+$/D', $server) === 1 ? $server : $server . ':' . self::PORT;
    }

    /**
     * @param string $commands without the `mn` that ends them
     * @param float  $deadline Unix time
     *
     * @throws CodePoolFailed
     */
    public function begin(string $commands, float $deadline): void
    {
        // A server that was started anew has closed it: that is known before anything is sent.
        if ($this->stream !== null && (feof($this->stream) || @fread($this->stream, 1) !== '')) {
            $this->stream = null;
        }
        $this->stream ??= $this->connect($deadline);
        $this->commands = $commands . "mn\r\n";
        $this->sent = 0;
        $this->replies = new PoolReplies();
        $this->waits = true;
    }

    /**
     * @param list<self> $connections
     *
     * @throws CodePoolFailed
     */
    public static function finish(array $connections, float $deadline): void
    {
        while (true) {
            $read = $write = [];
            foreach ($connections as $number => $connection) {
                if ($connection->waits && $connection->stream !== null) {
                    $read[$number] = $connection->stream;
                    if ($connection->sent < \strlen($connection->commands)) {
                        $write[$number] = $connection->stream;
                    }
                }
            }
            if ($read === []) {
                return;
            }
            $left = $deadline - microtime(true);
            $late = array_key_first($read);
            $except = null;
            if ($left <= 0 || @stream_select($read, $write, $except, (int) $left, (int) (fmod($left, 1) * 1e6)) === 0) {
                throw CodePoolFailed::at(
                    $connections[$late]->server,
                    'it did not answer in time. Is it reachable from here, and is the deadline long enough?',
                );
            }
            foreach (array_keys($write) as $number) {
                $connections[$number]->send();
            }
            foreach (array_keys($read) as $number) {
                $connections[$number]->receive();
            }
        }
    }

    /** @return list<PoolReply> */
    public function replies(): array
    {
        return $this->replies->all();
    }

    private function send(): void
    {
        // A piece, since the rest would be copied each time.
        $piece = substr($this->commands, $this->sent, self::PIECE);
        $sent = $this->stream === null ? false : @fwrite($this->stream, $piece);
        if ($sent === false) {
            throw CodePoolFailed::at($this->server, 'it closed the connection');
        }
        $this->sent += $sent;
    }

    private function receive(): void
    {
        $bytes = $this->stream === null ? false : @fread($this->stream, self::PIECE);
        if ($bytes === false || ($bytes === '' && feof($this->stream))) {
            throw CodePoolFailed::at($this->server, 'it closed the connection');
        }
        if ($bytes !== '') {
            $this->waits = $this->replies->take($bytes);
        }
        $fault = $this->replies->fault();
        if ($fault !== null) {
            throw CodePoolFailed::at($this->server, $fault);
        }
    }

    /** @return resource */
    private function connect(float $deadline): mixed
    {
        $url = match (true) {
            str_starts_with($this->server, 'unix:') => 'unix://' . substr($this->server, 5),
            str_starts_with($this->server, 'tls://') => self::withPort($this->server),
            default => 'tcp://' . self::withPort($this->server),
        };
        $stream = @stream_socket_client($url, $code, $reason, max(0.001, $deadline - microtime(true)));
        if ($stream === false) {
            $reason = (string) $reason;
            throw CodePoolFailed::at($this->server, $reason === '' ? 'no connection' : $reason);
        }
        stream_set_blocking($stream, false);
        stream_set_read_buffer($stream, 0);
        stream_set_write_buffer($stream, 0);

        return $stream;
    }
}
