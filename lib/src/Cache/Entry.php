<?php

declare(strict_types=1);

namespace Larder\Cache;

/**
 * A value as it lies in the store, with what decides whether it is handed out.
 *
 * In the store it is an array; see pack(). What is not such an array was put there by somebody else (a counter, another client) and is
 * a value without an end: it is handed out as it is.
 */
final readonly class Entry
{
    /** Holds the Unix time until which the value may be handed out at once; 0.0: never without a closer look. */
    public const AT_ONCE = "\0larder";

    private const VALUE = 0;
    private const FRESH = 1;
    private const COST = 2;
    private const STAMPS = 3;

    /** -log() of the smallest random number: so many times the cost before its end a value may first be made anew. */
    private const EARLIEST = 22.0;

    /**
     * @param float              $freshUntil Unix time; PHP_FLOAT_MAX: without end
     * @param float|null         $cost       seconds that its compute took; null: it was not computed by a cache
     * @param array<string, int> $stamps     version by name
     */
    public function __construct(
        public mixed $value,
        public float $freshUntil = PHP_FLOAT_MAX,
        public ?float $cost = null,
        public array $stamps = [],
    ) {}

    public static function of(mixed $stored): self
    {
        if (!\is_array($stored) || !\is_float($stored[self::AT_ONCE] ?? null)) {
            return new self($stored);
        }
        $cost = $stored[self::COST] ?? null;
        $fresh = $stored[self::FRESH] ?? null;
        /** @var array<string, int> $stamps as pack() wrote them */
        $stamps = $stored[self::STAMPS] ?? [];

        return new self($stored[self::VALUE] ?? null, \is_float($fresh) ? $fresh : PHP_FLOAT_MAX, \is_float($cost) ? $cost : null, $stamps);
    }

    /** @return array<array-key, mixed> */
    public function pack(float $early): array
    {
        $packed = [
            self::AT_ONCE => $this->stamps === [] ? $this->freshUntil - ($this->cost ?? 0.0) * $early * self::EARLIEST : 0.0,
            self::VALUE => $this->value,
            self::FRESH => $this->freshUntil,
            self::COST => $this->cost,
        ];

        return $this->stamps === [] ? $packed : $packed + [self::STAMPS => $this->stamps];
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

        return $left >= $window * self::EARLIEST || $left > $window * -log(mt_rand(1, mt_getrandmax()) / mt_getrandmax());
    }
}
