<?php

declare(strict_types=1);

namespace Larder\Torture\Client;

use Larder\Torture\Memory\Specimen;

/**
 * A value that says whose it is: key, generation and a checksum over all of it, its length included.
 *
 * Texts are full of what looks like replies, so that a client which loses its step finds some to read.
 */
final readonly class Sealed
{
    private const KINDS = 8;
    private const NOISE = 400_000;
    private const PART = 20_000;

    private function __construct(
        public int $key,
        public int $generation,
    ) {}

    public static function make(int $key, int $generation, bool $big = false): mixed
    {
        $specimen = new Specimen($key, $generation);
        $dice = ($key * 7919 + $generation * 104_729) % 997;
        if ($big) {
            return self::text($key, $generation, 1000 + $dice * 300);
        }

        return match ($generation % self::KINDS) {
            0 => $specimen->number(),
            1 => $specimen->rows(1 + $dice % 12),
            2 => $specimen->objects(1 + $dice % 4),
            3 => self::text($key, $generation, $dice * 4),
            default => self::text($key, $generation, $dice % 400),
        };
    }

    /** What the value was made as; null if it is damaged. */
    public static function of(mixed $value): ?self
    {
        if (\is_string($value)) {
            return self::ofText($value);
        }
        $specimen = Specimen::of($value);

        return $specimen === null ? null : new self($specimen->key, $specimen->generation);
    }

    private static function text(int $key, int $generation, int $length): string
    {
        $body = substr(self::noise(), ($key * 37 + $generation * 101) % 90_000, $length);

        return self::head($key, $generation, $body) . $body;
    }

    private static function ofText(string $value): ?self
    {
        if (preg_match('/^(\d+) (\d+) /', $value, $matches) !== 1) {
            return null;
        }
        [$key, $generation] = [(int) $matches[1], (int) $matches[2]];
        $body = substr($value, (int) strpos($value, "\n") + 1);

        return self::head($key, $generation, $body) . $body === $value ? new self($key, $generation) : null;
    }

    private static function head(int $key, int $generation, string $body): string
    {
        return \sprintf("%d %d %d %s\n", $key, $generation, \strlen($body), hash('xxh3', $body, false, ['seed' => $key << 40 ^ $generation]));
    }

    private static function noise(): string
    {
        /** @var string|null $noise */
        static $noise = null;
        if ($noise === null) {
            $part = '';
            for ($i = 0; \strlen($part) < self::PART; ++$i) {
                $hash = hash('xxh3', (string) $i);
                $part .= match ($i % 6) {
                    0 => "\r\nHD O" . substr($hash, 0, 8) . "\r\n",
                    1 => "\r\nEN\r\n",
                    2 => "\r\nVA 7 f0 c$i O" . substr($hash, 0, 8) . "\r\n1234567\r\n",
                    3 => "\r\nEND\r\n",
                    4 => "\r\nVALUE t$i 0 3 $i\r\nabc\r\nEND\r\n",
                    default => hash('xxh128', $hash, true),
                };
            }
            $noise = str_repeat($part, (int) ceil(self::NOISE / self::PART));
        }

        return $noise;
    }
}
