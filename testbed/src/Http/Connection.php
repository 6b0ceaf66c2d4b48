<?php

declare(strict_types=1);

namespace Larder\Testbed\Http;

use Larder\Testbed\Net\Exchange;
use Larder\Testbed\Server\ServerFailed;

/** A kept-alive HTTP/1.1 connection of one reader: plain enough that nothing between socket and verdict could cache. */
final class Connection
{
    private const DEADLINE = 60.0;

    /** @var resource|null */
    private mixed $socket = null;

    private readonly string $host;

    /**
     * @param string      $address as `127.0.0.1:80`
     * @param string|null $host    null: the address
     */
    public function __construct(
        private readonly string $address,
        ?string $host = 'localhost',
        private readonly float $seconds = self::DEADLINE,
    ) {
        $this->host = $host ?? $address;
    }

    /**
     * One request on a connection of its own.
     *
     * @param list<string> $headers
     *
     * @throws ServerFailed when no whole response comes
     */
    public static function fetch(string $url, float $seconds = self::DEADLINE, array $headers = []): Response
    {
        $parts = parse_url($url);
        if ($parts === false || ($parts['scheme'] ?? '') !== 'http' || !isset($parts['host'])) {
            throw ServerFailed::because("$url is no address of a page");
        }
        $uri = ($parts['path'] ?? '/') . (isset($parts['query']) ? '?' . $parts['query'] : '');
        $connection = new self($parts['host'] . ':' . ($parts['port'] ?? 80), null, $seconds);
        try {
            $response = $connection->exchange('GET', $uri, ['Connection: close', ...$headers], '', true);
        } catch (ServerFailed $failed) {
            throw ServerFailed::because("$url: " . $failed->getMessage());
        } finally {
            $connection->close();
        }

        return $response ?? throw ServerFailed::because("$url: no whole response within $seconds s");
    }

    /**
     * One request of any kind on a connection of its own, and the response letter for letter: no header may come twice.
     *
     * @param string                $address as `127.0.0.1:80`
     * @param array<string, string> $headers by name; Host is the address if it is not given
     *
     * @throws ServerFailed when no whole response comes
     */
    public static function ask(
        string $address,
        string $method,
        string $uri,
        array $headers = [],
        string $body = '',
        string $version = '1.1',
    ): Response {
        $headers += ['Host' => $address, 'Connection' => 'close'];
        $headers += $body === '' ? [] : ['Content-Length' => (string) \strlen($body)];
        $lines = '';
        foreach ($headers as $name => $value) {
            $lines .= "{$name}: {$value}\r\n";
        }
        $request = "{$method} {$uri} HTTP/{$version}\r\n{$lines}\r\n{$body}";
        $bytes = Exchange::with('tcp://' . $address, $request, null, self::DEADLINE);

        return Response::parse($bytes ?? throw ServerFailed::because("$address does not answer"), $method !== 'HEAD');
    }

    /**
     * @param list<string> $headers
     *
     * @return Response|null null: no whole response, and the next request opens another connection
     */
    public function request(string $uri, array $headers = [], string $method = 'GET', string $body = ''): ?Response
    {
        try {
            $response = $this->exchange($method, $uri, $headers, $body, false);
        } catch (ServerFailed) {
            $response = null;
        }
        if ($response === null || $response->closes) {
            $this->close();
        }

        return $response;
    }

    public function close(): void
    {
        if ($this->socket !== null) {
            fclose($this->socket);
        }
        $this->socket = null;
    }

    /**
     * @param list<string> $headers
     * @param bool         $mayEndWithConnection a body whose end nothing else marks is whole
     */
    private function exchange(
        string $method,
        string $uri,
        array $headers,
        string $body,
        bool $mayEndWithConnection,
    ): ?Response {
        $socket = $this->open();
        if ($body !== '') {
            $headers[] = 'Content-Length: ' . \strlen($body);
        }
        $request = implode("\r\n", ["$method $uri HTTP/1.1", 'Host: ' . $this->host, ...$headers, '', $body]);
        if (@fwrite($socket, $request) !== \strlen($request)) {
            return null;
        }
        $reader = new ResponseReader($method !== 'HEAD');
        for ($deadline = microtime(true) + $this->seconds; ($left = $deadline - microtime(true)) > 0.0;) {
            stream_set_timeout($socket, (int) $left, (int) (fmod($left, 1.0) * 1e6));
            $bytes = @fread($socket, 65_536);
            if ($bytes === false || $bytes === '') {
                if (feof($socket)) {
                    return $mayEndWithConnection ? $reader->close() : null;
                }
                continue;
            }
            $response = $reader->feed($bytes);
            if ($response !== null) {
                return $response;
            }
        }

        return null;
    }

    /** @return resource */
    private function open(): mixed
    {
        if ($this->socket === null) {
            $socket = @stream_socket_client('tcp://' . $this->address, $code, $reason, $this->seconds);
            $this->socket = $socket !== false ? $socket : throw ServerFailed::because("cannot connect ($reason)");
        }

        return $this->socket;
    }
}
