<?php

declare(strict_types=1);

namespace Larder\Console\Doctor;

use RuntimeException;

/** One question to a server, on a connection of its own, and all that comes back until the server closes it. */
final readonly class Exchange
{
    private const SECONDS = 5.0;

    /** Bytes after which an answer is cut off: none of those asked for is nearly as long. */
    private const LONGEST = 1 << 20;

    /**
     * @param string $address `127.0.0.1:80`, `[::1]:80`, `unix:/path` or `https://127.0.0.1:443`
     * @param string $host    that TLS asks for; who it is that answers is not looked at
     *
     * @throws RuntimeException if there is no connection; the message is the system's, such as "Connection refused"
     */
    public static function with(string $address, string $question, string $host = ''): string
    {
        $end = microtime(true) + self::SECONDS;
        $url = match (true) {
            str_starts_with($address, 'unix:/') => 'unix://' . substr($address, 5),
            str_starts_with($address, 'https://') => 'tls://' . substr($address, 8),
            default => 'tcp://' . $address,
        };
        $context = stream_context_create(['ssl' => [
            'verify_peer' => false,
            'verify_peer_name' => false,
            'peer_name' => $host,
        ]]);
        $stream = @stream_socket_client($url, $code, $reason, self::SECONDS, context: $context);
        if ($stream === false) {
            throw new RuntimeException((string) $reason !== '' ? (string) $reason : 'no connection');
        }
        stream_set_blocking($stream, false);
        $answer = '';
        while (!feof($stream) && microtime(true) < $end && \strlen($answer) < self::LONGEST) {
            $read = [$stream];
            $write = $question === '' ? null : [$stream];
            $except = null;
            if (@stream_select($read, $write, $except, 0, 100_000) === false) {
                break;
            }
            if ($question !== '') {
                $question = substr($question, (int) @fwrite($stream, $question));
            }
            $answer .= (string) @fread($stream, 65536);
        }
        fclose($stream);

        return $answer;
    }
}
