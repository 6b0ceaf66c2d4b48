<?php

declare(strict_types=1);

namespace Larder\Store;

/**
 * Which classes bytes of serialize() and igbinary_serialize() would make objects of, told by a walk over them that
 * makes none. The walks know what the serializers write, which is less than what they read: to all else they say null.
 *
 * A name comes with whether it is an enum's.
 *
 * @internal
 */
final readonly class ClassNames
{
    /** What looks like an object or a case of an enum, also within a string. */
    private const MAYBE = '/[OC]:\+?\d+:"([^"]*)"|E:\+?\d+:"([^":]*):/';

    /** All up to the next string or object, of which the letter and the length follow, or up to the end. */
    private const UP_TO = '/\G(?:[ibdrR]:[-+.0-9eEINFA]+;|N;|a:\d+:\{|\})*+(?:([sOCE]):(\d{1,18}):"|\z)/';

    /** All up to the next string or object of igbinary, whose first byte follows, or up to the end. */
    private const UP_TO_IGBINARY = '/\G(?:[\x00\x04\x05\x0d\x25]|[\x01\x06\x07\x0e\x14\x22].'
        . '|[\x02\x08\x09\x0f\x15\x23]..|[\x03\x0a\x0b\x10\x16\x24].{4}|[\x0c\x20\x21].{8})*+'
        . '(?:([\x11-\x13\x17-\x1c\x26])|\z)/s';

    /** What may follow the name of a class, with the bytes of its number: properties, bytes of its own, a case. */
    private const INNER = [
        "\x14" => 1,
        "\x15" => 2,
        "\x16" => 4,
        "\x1d" => 1,
        "\x1e" => 2,
        "\x1f" => 4,
        "\x27" => 0,
    ];

    /** Objects begin with O: or C:, cases of enums with E:. */
    public static function areMaybeIn(string $bytes): bool
    {
        return str_contains($bytes, 'O:') || str_contains($bytes, 'C:') || str_contains($bytes, 'E:');
    }

    /**
     * All names in what looks like an object: also more than there are.
     *
     * @return list<array{string, bool}>|null null: it cannot be told
     */
    public static function maybeIn(string $bytes): ?array
    {
        if (preg_match_all(self::MAYBE, $bytes, $found, PREG_SET_ORDER) === false) {
            return null;
        }

        return array_map(
            static fn(array $match): array => isset($match[2]) ? [$match[2], true] : [$match[1] ?? '', false],
            $found,
        );
    }

    /** @return list<array{string, bool}>|null null: these are no whole bytes of serialize() */
    public static function in(string $bytes): ?array
    {
        $names = [];
        for ($at = 0; preg_match(self::UP_TO, $bytes, $match, 0, $at) === 1;) {
            if (!isset($match[1], $match[2])) {
                return $names;
            }
            $at += \strlen($match[0]);
            $text = substr($bytes, $at, (int) $match[2]);
            $at += (int) $match[2];
            $behind = match ($match[1]) {
                's', 'E' => '/\G";/',
                'O' => '/\G":\d+:\{/',
                default => '/\G":(\d{1,18}):\{/',
            };
            if (preg_match($behind, $bytes, $end, 0, $at) !== 1) {
                return null;
            }
            $at += \strlen($end[0]);
            if ($match[1] === 'E') {
                $names[] = [explode(':', $text, 2)[0], true];
            } elseif ($match[1] !== 's') {
                $names[] = [$text, false];
            }
            if ($match[1] === 'C') {
                // The class reads these itself, mostly by unserialize().
                $length = (int) ($end[1] ?? 0);
                $own = self::maybeIn(substr($bytes, $at, $length));
                $at += $length;
                if ($own === null || ($bytes[$at] ?? '') !== '}') {
                    return null;
                }
                array_push($names, ...$own);
            }
        }

        return null;
    }

    /** Quick, and seldom yes in error. */
    public static function areMaybeInIgbinary(string $bytes): bool
    {
        // By the number of a string that was there before: of any.
        if (preg_match('/[\x1a-\x1c]/', $bytes) !== 0) {
            return true;
        }
        // By the name behind it, which igbinary looks up before it reads on.
        $size = \strlen($bytes);
        foreach (["\x17" => 1, "\x18" => 2, "\x19" => 4] as $first => $width) {
            for ($at = strpos($bytes, $first); $at !== false; $at = strpos($bytes, $first, $at + 1)) {
                // Nearly all are something else, with no such length.
                if (\ord($bytes[$at + 1] ?? "\0") << 8 * $width - 8 > $size) {
                    continue;
                }
                $name = substr($bytes, $at + 1 + $width, self::number($bytes, $at + 1, $width));
                if (preg_match('/[^\w\\\\\x80-\xff]/', $name) === 0) {
                    return true;
                }
            }
        }

        return false;
    }

    /** @return list<array{string, bool}>|null null: these are no whole bytes of igbinary_serialize() */
    public static function inIgbinary(string $bytes): ?array
    {
        $names = $strings = [];
        if (!\in_array(substr($bytes, 0, 4), ["\0\0\0\1", "\0\0\0\2"], true)) {
            return null;
        }
        for ($at = 4; preg_match(self::UP_TO_IGBINARY, $bytes, $match, 0, $at) === 1;) {
            if (!isset($match[1])) {
                return $names;
            }
            $at += \strlen($match[0]);
            $type = \ord($match[1]);
            $width = [0x11 => 1, 2, 4, 0x17 => 1, 2, 4, 1, 2, 4, 0x26 => 8][$type];
            $number = self::number($bytes, $at, $width);
            $at += $width;
            if ($type < 0x1a || $type === 0x26) {
                $name = $strings[] = substr($bytes, $at, $number);
                $at += $number;
            } else {
                $name = $strings[$number] ?? null;
            }
            if ($type < 0x17 || $type === 0x26) {
                continue;
            }
            $inner = $bytes[$at++] ?? '';
            $width = self::INNER[$inner] ?? null;
            if ($name === null || $width === null) {
                return null;
            }
            $number = self::number($bytes, $at, $width);
            $at += $width;
            // Each property takes a byte at least. igbinary 3.2 breaks on an object for which it is not so.
            if ($number > \strlen($bytes) - $at) {
                return null;
            }
            $own = '';
            if ($inner >= "\x1d" && $inner <= "\x1f") {
                $own = substr($bytes, $at, $number);
                $at += $number;
            }
            $more = self::maybeIn($own);
            if ($more === null) {
                return null;
            }
            array_push($names, [$name, $inner === "\x27"], ...$more);
        }

        return null;
    }

    private static function number(string $bytes, int $at, int $width): int
    {
        return $width < 2
            ? \ord($width === 0 ? "\0" : $bytes[$at] ?? "\0")
            : (int) hexdec(bin2hex(substr($bytes, $at, $width)));
    }
}
