<?php

declare(strict_types=1);

namespace Larder\Testbed\Server;

use Larder\Testbed\Http\Connection;
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

    /**
     * @return array{status: int, headers: array<string, string>, body: string}|null names of headers in small letters
     */
    public static function get(string $url, float $seconds = 10.0): ?array
    {
        try {
            $response = Connection::fetch($url, $seconds);
        } catch (ServerFailed) {
            return null;
        }

        return ['status' => $response->status, 'headers' => $response->headers, 'body' => $response->body];
    }
}
