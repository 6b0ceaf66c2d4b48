<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

use Larder\Testbed\Net\Exchange;

/** @deprecated use Net\Exchange and Http\Connection */
final readonly class Wire
{
    /**
     * @param string      $address `tcp://127.0.0.1:11211` or `unix:///run/redis.sock`
     * @param string|null $end     that an answer ends with; null: it ends with the connection
     *
     * @return string|null null: nobody answers, or not in time
     */
    public static function ask(string $address, string $question, ?string $end, float $seconds = 1.0): ?string
    {
        return Exchange::with($address, $question, $end, $seconds);
    }

    /** @return array{status: int, headers: array<string, string>, body: string}|null names of headers in small letters */
    public static function get(string $url, float $seconds = 10.0): ?array
    {
        $parts = parse_url($url);
        if ($parts === false || !isset($parts['host'], $parts['port'])) {
            return null;
        }
        $host = $parts['host'] . ':' . $parts['port'];
        $uri = ($parts['path'] ?? '/') . (isset($parts['query']) ? '?' . $parts['query'] : '');
        // HTTP/1.0: the body comes as it is and ends with the connection.
        $answer = self::ask('tcp://' . $host, "GET {$uri} HTTP/1.0\r\nHost: {$host}\r\n\r\n", null, $seconds);
        [$head, $body] = explode("\r\n\r\n", (string) $answer, 2) + [1 => ''];
        if (preg_match('~^HTTP/1\.[01] ([0-9]{3})~', $head, $status) !== 1) {
            return null;
        }
        $headers = [];
        foreach (\array_slice(explode("\r\n", $head), 1) as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $headers[strtolower($name)] = trim($value);
        }

        return ['status' => (int) $status[1], 'headers' => $headers, 'body' => $body];
    }
}
