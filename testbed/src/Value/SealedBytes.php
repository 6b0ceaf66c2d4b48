<?php

declare(strict_types=1);

namespace Larder\Testbed\Value;

use Random\Engine\Xoshiro256StarStar;
use Random\Randomizer;

/**
 * Values that prove whose they are: what a get returns must be what was set under that very key, whole, and not older
 * than the last set that was acknowledged.
 *
 * Layout, little-endian: XXH3 of the key (8 bytes), generation (8), length of the whole (4), bytes that follow from key
 * and generation, XXH3 of all before (8).
 */
final class SealedBytes
{
    /** The shortest value there is. */
    public const SHORTEST = 28;

    /** Where a body may begin in the filling. */
    private const STARTS = 4096;

    private readonly Randomizer $random;

    /** Made as far as it is needed: a php-fpm script checks four short values and would pay for all of it. */
    private string $filling = '';

    public function __construct(int $seed = 1)
    {
        $this->random = new Randomizer(new Xoshiro256StarStar($seed));
    }

    /** @param int $length bytes of the value, at least SHORTEST */
    public function value(string $key, int $generation, int $length): string
    {
        $body = $length - self::SHORTEST;
        $start = ($generation * 31 + \strlen($key) + \ord($key[-1]) * 257) & self::STARTS - 1;
        if ($start + $body > \strlen($this->filling)) {
            $this->filling .= $this->random->getBytes(max(self::STARTS, $start + $body));
        }
        $head = hash('xxh3', $key, true) . pack('PV', $generation, $length) . substr($this->filling, $start, $body);

        return $head . hash('xxh3', $head, true);
    }

    /**
     * @param string|null $value  what came back
     * @param int         $oldest generation that may come back
     * @param int         $newest
     *
     * @return int the generation found
     *
     * @throws WrongValue
     */
    public function check(string $key, ?string $value, int $oldest = 0, int $newest = PHP_INT_MAX): int
    {
        if ($value === null) {
            throw new WrongValue(\sprintf('%s: no value, though one was stored', $key));
        }
        $length = \strlen($value);
        if ($length < self::SHORTEST) {
            throw new WrongValue(\sprintf('%s: %d bytes, fewer than any value has', $key, $length));
        }
        if (hash('xxh3', substr($value, 0, -8), true) !== substr($value, -8)) {
            throw new WrongValue(\sprintf('%s: %d bytes that are not as they were stored', $key, $length));
        }
        if (!str_starts_with($value, hash('xxh3', $key, true))) {
            throw new WrongValue(\sprintf('%s: the value of another key', $key));
        }
        /** @var array{g: int, l: int} $found */
        $found = unpack('Pg/Vl', $value, 8);
        if ($found['l'] !== $length) {
            throw new WrongValue(\sprintf('%s: %d bytes of a value of %d', $key, $length, $found['l']));
        }
        if ($found['g'] < $oldest || $found['g'] > $newest) {
            throw new WrongValue(
                \sprintf(
                    '%s: generation %d, where it had to be %d%s',
                    $key,
                    $found['g'],
                    $oldest,
                    $newest === $oldest ? '' : ' or newer',
                ),
            );
        }

        return $found['g'];
    }
}
