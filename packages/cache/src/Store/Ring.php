<?php

declare(strict_types=1);

namespace Larder\Store;

/**
 * Which server keeps a key: the same as the ring `larder` of the PHP extension, for a PHP without it.
 *
 * Rendezvous (Thaler, Ravishankar: A Name-Based Mapping Scheme for Rendezvous, 1996): every server draws a number for
 * the key, made from both, and the best one has it. A draw u of 1 to 2^64 counts as -log(u) / weight, the least of
 * which wins. All numbers are unsigned 64-bit integers, which PHP does not have, so products are made of parts, and
 * comparisons flip the sign.
 *
 * @internal
 */
final class Ring
{
    /** Fractional bits of a logarithm, and of the steps from 1 to 2 in its table. */
    private const LOG_BITS = 40;
    private const STEP_BITS = 8;

    private const ODD = -0x61c8864680b583eb;

    /** @var list<int> what stands for each server */
    private readonly array $seeds;

    private readonly bool $isWeighted;

    /** @var list<int> log2(1 + i / 256); empty without weights, which need none */
    private readonly array $logs;

    /**
     * @param non-empty-list<string> $names   "host:port", of a Unix socket "/path:0"; no two the same
     * @param non-empty-list<int>    $weights of each, 1 to 1,000
     */
    public function __construct(array $names, private readonly array $weights)
    {
        $this->seeds = array_map(self::hash(...), $names);
        $this->isWeighted = \count(array_unique($weights)) > 1;
        $this->logs = $this->isWeighted ? self::logs() : [];
    }

    /** The server's number in the list. */
    public function find(string $key): int
    {
        if (\count($this->seeds) === 1) {
            return 0;
        }
        $hash = self::hash($key);

        return $this->isWeighted ? $this->bestByWeight($hash) : $this->bestOfEquals($hash);
    }

    private function bestOfEquals(int $hash): int
    {
        $best = 0;
        $most = null;
        foreach ($this->seeds as $server => $seed) {
            $draw = self::mix($hash ^ $seed) ^ PHP_INT_MIN;
            if ($most === null || $draw > $most) {
                $best = $server;
                $most = $draw;
            }
        }

        return $best;
    }

    private function bestByWeight(int $hash): int
    {
        $best = 0;
        $most = PHP_INT_MIN;
        $bestCost = $bestWeight = null;
        foreach ($this->seeds as $server => $seed) {
            $draw = self::mix($hash ^ $seed);
            $cost = $this->cost($draw);
            $weight = $this->weights[$server];
            // cost / weight against bestCost / bestWeight; a cost is below 2^47.
            $order = $bestCost === null ? -1 : $cost * $bestWeight <=> $bestCost * $weight;
            if ($order < 0 || ($order === 0 && ($draw ^ PHP_INT_MIN) > $most)) {
                $best = $server;
                $most = $draw ^ PHP_INT_MIN;
                $bestCost = $cost;
                $bestWeight = $weight;
            }
        }

        return $best;
    }

    /** -log2(u / 2^64), with straight lines between the steps of the table. */
    private function cost(int $u): int
    {
        $u |= 1;
        $zeros = 0;
        while ($u > 0) {
            $u <<= 1;
            ++$zeros;
        }
        $rest = $u << 1;
        $step = ($rest >> (64 - self::STEP_BITS)) & 0xff;
        $from = $this->logs[$step];
        $along = (($rest << self::STEP_BITS) >> 34) & 0x3fffffff;

        return (($zeros + 1) << self::LOG_BITS) - ($from + (($this->logs[$step + 1] - $from) * $along >> 30));
    }

    /** @return list<int> */
    private static function logs(): array
    {
        $logs = [];
        for ($step = 0; $step < 256; ++$step) {
            // Bit by bit: the square of a number has twice its logarithm. x is below 2^32, so its square fits.
            $x = (256 + $step) << (31 - self::STEP_BITS);
            $log = 0;
            for ($bit = 0; $bit < self::LOG_BITS; ++$bit) {
                $x = self::times($x, $x) >> 31 & 0x1ffffffff;
                $carry = $x >> 32;
                $x >>= $carry;
                $log = $log << 1 | $carry;
            }
            $logs[] = $log;
        }
        $logs[] = 1 << self::LOG_BITS;

        return $logs;
    }

    /** lrd_hash_wide() of the extension. */
    private static function hash(string $bytes): int
    {
        $length = \strlen($bytes);
        $hash = self::times($length + 1, self::ODD);
        /** @var list<int> $blocks */
        $blocks = array_values(
            (array) unpack('P*', $length % 8 === 0 ? $bytes : str_pad($bytes, ($length | 7) + 1, "\0")),
        );
        foreach ($blocks as $block) {
            $hash = self::times($hash ^ $block, self::ODD);
            $hash ^= $hash >> 29 & 0x7ffffffff;
        }

        return self::mix($hash);
    }

    /** Each bit of x changes each bit of the result, and no two x give the same. */
    private static function mix(int $x): int
    {
        $x = self::times($x ^ ($x >> 32 & 0xffffffff), -0x2e4ab5cd2e6d12fd);
        $x = self::times($x ^ ($x >> 29 & 0x7ffffffff), -0x510e8afdef710d27);

        return $x ^ ($x >> 32 & 0xffffffff);
    }

    /** The lower 64 bits of a product, made of products of 16 and 32 bits, which PHP keeps as integers. */
    private static function times(int $a, int $b): int
    {
        $a0 = $a & 0xffff;
        $a1 = $a >> 16 & 0xffff;
        $b0 = $b & 0xffffffff;
        $b1 = $b >> 32 & 0xffffffff;
        $middle = $a1 * $b0;
        $low = $a0 * $b0 + (($middle & 0xffff) << 16);
        $high = ($low >> 32) + ($middle >> 16) + $a0 * $b1 + (($a1 * $b1 & 0xffff) << 16)
            + ($a >> 32 & 0xffff) * $b0 + ((($a >> 48 & 0xffff) * $b0 & 0xffff) << 16);

        return $high << 32 | $low & 0xffffffff;
    }
}
