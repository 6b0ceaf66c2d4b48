<?php

declare(strict_types=1);

namespace Larder\Testbed\Net;

use Larder\Store\Net\ConnectionFailed;
use Larder\Store\Net\Exchange as Question;

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
        $isWhole = $end === null ? null : static fn(string $answer): bool => str_ends_with($answer, $end);
        try {
            $answer = Question::with($address, $question, $isWhole, (int) hrtime(true) + (int) ($seconds * 1e9));
        } catch (ConnectionFailed) {
            return null;
        }

        return $answer === '' ? null : $answer;
    }
}
