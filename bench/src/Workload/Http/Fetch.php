<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Exception\Failed;

/** One request on a connection of its own. */
final readonly class Fetch
{
    public function __construct(private float $timeout = 10.0) {}

    /** @throws Failed when no whole reply comes */
    public function get(string $url): Reply
    {
        ['host' => $host, 'port' => $port, 'uri' => $uri] = (new Target($url, ''))->parts();
        $socket = @stream_socket_client(\sprintf('tcp://%s:%d', $host, $port), $code, $words, $this->timeout);
        if ($socket === false) {
            throw new Failed(\sprintf('%s: cannot connect (%s)', $url, $words));
        }
        try {
            fwrite(
                $socket,
                \sprintf("GET %s HTTP/1.1\r\nHost: %s:%d\r\nConnection: close\r\n\r\n", $uri, $host, $port),
            );

            return $this->read($socket) ?? throw new Failed(\sprintf('%s: the reply breaks off', $url));
        } catch (Failed $failed) {
            throw str_starts_with($failed->getMessage(), $url)
                ? $failed
                : new Failed(\sprintf('%s: %s', $url, $failed->getMessage()));
        } finally {
            fclose($socket);
        }
    }

    /** @param resource $socket */
    private function read(mixed $socket): ?Reply
    {
        $reader = new ReplyReader();
        $deadline = microtime(true) + $this->timeout;
        while (($left = $deadline - microtime(true)) > 0.0) {
            stream_set_timeout($socket, (int) $left, (int) (fmod($left, 1.0) * 1e6));
            $bytes = fread($socket, 1 << 16);
            if ($bytes === false || $bytes === '') {
                if (feof($socket)) {
                    return $reader->close();
                }
                continue;
            }
            $reply = $reader->feed($bytes);
            if ($reply !== null) {
                return $reply;
            }
        }

        throw new Failed(\sprintf('no whole reply within %.0f s', $this->timeout));
    }
}
