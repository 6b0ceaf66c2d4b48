<?php

declare(strict_types=1);

namespace Larder\Testbed\Net;

/**
 * One question on a connection of its own, and the whole answer.
 */
final readonly class Exchange
{
    /**
     * @param string      $address `tcp://127.0.0.1:11211` or `unix:///run/redis.sock`
     * @param string|null $end     that an answer ends with; null: it ends with the connection
     *
     * @return string|null null: nobody answers, or not in time
     */
    public static function with(string $address, string $question, ?string $end, float $seconds = 60.0): ?string
    {
        $stream = @stream_socket_client($address, $code, $reason, $seconds);
        if ($stream === false) {
            return null;
        }
        stream_set_timeout($stream, (int) $seconds, (int) (fmod($seconds, 1.0) * 1e6));
        @fwrite($stream, $question);
        $answer = '';
        while ($end === null || !str_ends_with($answer, $end)) {
            $bytes = @fread($stream, 65_536);
            if ($bytes === false || $bytes === '') {
                break;
            }
            $answer .= $bytes;
        }
        $whole = $end === null ? $answer !== '' && feof($stream) : str_ends_with($answer, $end);
        fclose($stream);

        return $whole ? $answer : null;
    }
}
