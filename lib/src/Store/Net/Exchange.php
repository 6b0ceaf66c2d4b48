<?php

declare(strict_types=1);

namespace Larder\Store\Net;

use Closure;

/**
 * One question on a connection of its own, and the whole answer by a deadline.
 *
 * @internal
 */
final readonly class Exchange
{
    /**
     * How many pieces are taken after the deadline: what came while this process did not run is there, and is no more
     * than the system keeps.
     */
    public const LATE = 64;

    /** Bytes of a read or a write. A piece, since the rest would be copied each time. */
    public const PIECE = 65536;

    /**
     * @param string                       $address  as StreamSocket has it
     * @param (Closure(string): bool)|null $isWhole  whether this is all of the answer, or as much as is wanted; null:
     *     the server ends it with the connection
     * @param int                          $deadline hrtime
     *
     * @throws ConnectionFailed
     */
    public static function with(string $address, string $question, ?Closure $isWhole, int $deadline): string
    {
        $socket = StreamSocket::connect($address, $deadline);
        $stream = $socket->stream();
        $answer = '';
        $sent = 0;
        try {
            for ($late = 0; $isWhole === null || !$isWhole($answer); $late += hrtime(true) < $deadline ? 0 : 1) {
                $piece = substr($question, $sent, self::PIECE);
                $taken = $piece === '' ? 0 : $socket->write($piece);
                $bytes = $socket->read(self::PIECE);
                if ($bytes === null || ($taken === null && $bytes === '')) {
                    return $isWhole === null ? $answer : throw new ConnectionFailed(Fault::Closed);
                }
                $answer .= $bytes;
                $sent += (int) $taken;
                $reading = [$stream];
                $writing = $sent < \strlen($question) ? [$stream] : [];
                $isReady = $bytes !== '' || StreamSocket::await($reading, $writing, $deadline);
                if (!$isReady || $late > self::LATE) {
                    throw new ConnectionFailed(Fault::TimedOut);
                }
            }

            return $answer;
        } finally {
            $socket->close();
        }
    }
}
