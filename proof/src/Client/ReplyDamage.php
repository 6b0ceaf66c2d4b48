<?php

declare(strict_types=1);

namespace Larder\Proof\Client;

/**
 * Damages replies in ways that a client can notice. The bytes of values stay, no status becomes a well-formed one that
 * says the opposite, and no error without an opaque replaces a reply.
 *
 * @phpstan-type Replies list<array{int, int, int}>
 */
final class ReplyDamage
{
    private const SUCCESSES = ['HD', 'VA', 'MN', 'OK'];

    /** Without NS, EX and NF, which say that nothing was done: after that a counter may be sent again. */
    private const STATUSES = ['EN', 'ME', 'XX', 'hd', 'H ', "H\0", 'ER', 'SE'];

    private const OF_SUCCESSES = ['HD', 'VA', 'OK', 'MN'];

    private const GARBAGE = [
        "\r\n",
        "HD\r\n",
        "EN\r\n",
        "END\r\n",
        "MN\r\n",
        "HD O00000001\r\n",
        "VALUE t1 0 3 1\r\nabc\r\n",
        "VA 3 f0 c1\r\nabc\r\n",
        "SERVER_ERROR out of memory\r\n",
        "ERROR\r\n",
        "\0\0\0\0",
        'H',
    ];

    /** An earlier reply with an opaque. */
    private string $past = '';

    /**
     * @param Replies $replies
     *
     * @return string|null null: this fault cannot be made of these replies
     */
    public function spoil(Fault $fault, string $bytes, array $replies): ?string
    {
        $whole = array_values(array_filter($replies, static fn(array $reply): bool => $reply[2] <= \strlen($bytes)));

        return match ($fault) {
            Fault::Repeat => self::repeat($bytes, $whole),
            Fault::Drop => self::drop($bytes, $whole),
            Fault::Swap => self::swap($bytes, $whole),
            Fault::Status => self::status($bytes, $replies),
            Fault::Length => self::change($bytes, $replies, '/^(?:VA |VALUE \S+ \d+ )(\d+)/', '0123456789'),
            Fault::Opaque => self::change($bytes, $replies, '/ O([0-9a-f]{8})/', '0123456789abcdef'),
            Fault::Garbage => self::insert($bytes, $replies),
            Fault::Surplus => $whole !== []
                ? $bytes
                    . (
                        $this->past !== '' && mt_rand(0, 1) === 0
                            ? $this->past
                            : self::GARBAGE[array_rand(self::GARBAGE)]
                    )
                : null,
            Fault::Stale => $this->stale($bytes, $whole),
            default => null,
        };
    }

    /** @param Replies $replies */
    public function remember(string $bytes, array $replies): void
    {
        if ($replies !== [] && ($this->past === '' || mt_rand(1, 20) === 1)) {
            [$start, $line, $end] = $replies[array_rand($replies)];
            if (
                $end <= \strlen($bytes)
                && $end - $start < 2000
                && preg_match('/ O[0-9a-f]{8}/', substr($bytes, $start, $line - $start)) === 1
            ) {
                $this->past = substr($bytes, $start, $end - $start);
            }
        }
    }

    /** @param Replies $replies */
    private static function repeat(string $bytes, array $replies): ?string
    {
        if ($replies === []) {
            return null;
        }
        [$start, , $end] = $replies[array_rand($replies)];

        return substr($bytes, 0, $end) . substr($bytes, $start);
    }

    /** @param Replies $replies */
    private static function drop(string $bytes, array $replies): ?string
    {
        if ($replies === []) {
            return null;
        }
        [$start, , $end] = $replies[array_rand($replies)];

        return substr($bytes, 0, $start) . substr($bytes, $end);
    }

    /** @param Replies $replies */
    private static function swap(string $bytes, array $replies): ?string
    {
        if (\count($replies) < 2) {
            return null;
        }
        $first = mt_rand(0, \count($replies) - 2);
        [$start, , $middle] = $replies[$first];
        $end = $replies[$first + 1][2];

        return substr($bytes, 0, $start) . substr($bytes, $middle, $end - $middle)
            . substr($bytes, $start, $middle - $start) . substr($bytes, $end);
    }

    /** @param Replies $replies */
    private function stale(string $bytes, array $replies): ?string
    {
        if ($replies === [] || $this->past === '') {
            return null;
        }
        [$start, , $end] = $replies[array_rand($replies)];

        return substr($bytes, 0, $start) . $this->past . substr($bytes, $end);
    }

    /** @param Replies $replies */
    private static function status(string $bytes, array $replies): ?string
    {
        if ($replies === []) {
            return null;
        }
        [$start] = $replies[array_rand($replies)];
        $old = substr($bytes, $start, 2);
        $choice = \in_array($old, self::SUCCESSES, true) ? [...self::STATUSES, ...self::OF_SUCCESSES] : self::STATUSES;
        $new = $choice[array_rand($choice)];

        return $new === $old ? null : substr_replace($bytes, $new, $start, 2);
    }

    /**
     * Another digit in place of one that the pattern finds in some reply's line.
     *
     * @param Replies $replies
     */
    private static function change(string $bytes, array $replies, string $pattern, string $digits): ?string
    {
        if ($replies === []) {
            return null;
        }
        [$start, $end] = $replies[array_rand($replies)];
        if (preg_match($pattern, substr($bytes, $start, $end - $start), $matches, PREG_OFFSET_CAPTURE) !== 1) {
            return null;
        }
        $at = $start + $matches[1][1] + mt_rand(0, \strlen($matches[1][0]) - 1);
        $new = $digits[mt_rand(0, \strlen($digits) - 1)];

        return $new === $bytes[$at] ? null : substr_replace($bytes, $new, $at, 1);
    }

    /** @param Replies $replies */
    private static function insert(string $bytes, array $replies): ?string
    {
        return $replies === []
            ? null
            : substr_replace($bytes, self::GARBAGE[array_rand(self::GARBAGE)], $replies[array_rand($replies)][0], 0);
    }
}
