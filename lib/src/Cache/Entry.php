<?php

declare(strict_types=1);

namespace Larder\Cache;

/**
 * A value as it lies in the store, with what decides whether it is handed out.
 *
 * In the store it is an array; see pack(). What is not such an array was put there by somebody else (a counter, another client) and is
 * a value without an end: it is handed out as it is.
 *
 * All times are Unix times by the clock of the process that wrote them. Where the clocks of two hosts are apart, a value is fresh for
 * longer or shorter by so much; but the store, which counts seconds from the moment it was given the value, removes it after ttl +
 * grace at the latest.
 *
 * @internal
 */
final readonly class Entry
{
    /**
     * Holds the time until which the value may be handed out at once, in microseconds; with a minus sign: if its stamps are the present
     * ones; 0: never without a closer look.
     */
    public const AT_ONCE = "\0larder";

    public const STAMPS = 3;

    /** Times are stored as whole microseconds: PHP reads a float of a serialized array five times slower. */
    public const SECOND = 1e6;

    /** -log() of the smallest random number: so many times the cost before its end a value may first be made anew. */
    public const EARLIEST = 22.0;

    private const VALUE = 0;
    private const FRESH = 1;
    private const COST = 2;
    private const MADE = 4;
    private const KEPT = 5;
    private const REFUSED = 6;

    /**
     * @param float              $freshUntil PHP_FLOAT_MAX: without end
     * @param float|null         $cost       seconds that its compute took; null: it was not computed by a cache
     * @param array<string, int> $stamps     version by name
     * @param float|null         $made       when it was stored; null: by somebody else
     * @param float|null         $keptUntil  null: without end, or by somebody else
     * @param bool               $refused    it stands for a value that the store did not take
     */
    public function __construct(
        public mixed $value,
        public float $freshUntil = PHP_FLOAT_MAX,
        public ?float $cost = null,
        public array $stamps = [],
        public ?float $made = null,
        public ?float $keptUntil = null,
        public bool $refused = false,
    ) {}

    public static function of(mixed $stored): self
    {
        if (!\is_array($stored) || !\is_int($stored[self::AT_ONCE] ?? null)) {
            return new self($stored);
        }
        /** @var array<string, int> $stamps as pack() wrote them */
        $stamps = $stored[self::STAMPS] ?? [];

        return new self(
            $stored[self::VALUE] ?? null,
            self::seconds($stored[self::FRESH] ?? null) ?? PHP_FLOAT_MAX,
            self::seconds($stored[self::COST] ?? null),
            $stamps,
            self::seconds($stored[self::MADE] ?? null),
            self::seconds($stored[self::KEPT] ?? null),
            isset($stored[self::REFUSED]),
        );
    }

    /** Stands for a value that the store did not take, so that nobody waits for it. */
    public static function refusal(float $now, float $seconds): self
    {
        return new self(null, $now + $seconds, null, [], $now, $now + $seconds, true);
    }

    /** @return array<array-key, mixed> */
    public function pack(float $early, bool $atOnce): array
    {
        $packed = [
            self::AT_ONCE => $atOnce && !$this->refused ? self::microseconds($this->earlyFrom($early)) * ($this->stamps === [] ? 1 : -1) : 0,
            self::VALUE => $this->value,
            self::FRESH => self::microseconds($this->freshUntil),
            self::COST => self::microseconds($this->cost),
            self::MADE => self::microseconds($this->made),
            self::KEPT => self::microseconds($this->keptUntil),
        ];
        if ($this->stamps !== []) {
            $packed[self::STAMPS] = $this->stamps;
        }
        if ($this->refused) {
            $packed[self::REFUSED] = true;
        }

        return $packed;
    }

    /** From when on it may be made anew before its end. */
    public function earlyFrom(float $early): float
    {
        return $this->freshUntil - ($this->cost ?? 0.0) * $early * self::EARLIEST;
    }

    /**
     * Whether it may be handed out without a thought of making it anew. Shortly before its end that is a throw of dice, weighted by
     * what the compute costs.
     */
    public function isFresh(float $now, float $early): bool
    {
        $left = $this->freshUntil - $now;
        if ($left <= 0.0) {
            return false;
        }
        $window = ($this->cost ?? 0.0) * $early;

        return $left >= $window * self::EARLIEST || $left > $window * -log(random_int(1, 1 << 31) / (1 << 31));
    }

    /** Whether nobody stored, or touched, one in place of the other: no two ends fall on the same microsecond. */
    public function is(self $other): bool
    {
        return $this->freshUntil === $other->freshUntil;
    }

    /** @return ($seconds is null ? null : int) what has no end, or one that no integer holds, is the largest */
    private static function microseconds(?float $seconds): ?int
    {
        return match (true) {
            $seconds === null => null,
            $seconds < PHP_INT_MAX / self::SECOND => (int) ($seconds * self::SECOND),
            default => PHP_INT_MAX,
        };
    }

    private static function seconds(mixed $microseconds): ?float
    {
        return match (true) {
            !\is_int($microseconds) => null,
            $microseconds === PHP_INT_MAX => PHP_FLOAT_MAX,
            default => $microseconds / self::SECOND,
        };
    }
}
