<?php

declare(strict_types=1);

namespace Larder\Cache;

use Larder\Exception\InvalidKey;
use Larder\Exception\UnstorableValue;
use Larder\NearStore;

/**
 * A value as it lies in the store, with what decides whether it is handed out. How it lies there is known to this class
 * alone.
 *
 * Its key in the store:
 *
 *     news list      the key, unchanged
 *     \0k<sha-256>   a key that is too long for a store or begins with a NUL
 *     \0v \0w \0c \0l  not of entries: the versions of data lie there (Dependency\GateEntries)
 *
 * Its form is an array that begins as NearStore::fresh() expects it: with its MARKER and the value. Then come the
 * times:
 *
 *     MARKER         until then the value is handed out at once; 0: never
 *     VALUE          the value
 *     FRESH          the end of the ttl
 *     COST           what the compute took; null: no cache computed it
 *     MADE, KEPT     when it was stored; when it is gone
 *     STAMPS         the version of each name that it was made from, and
 *     WHILE_CURRENT  until then it is handed out at once if these are the present versions
 *     UNSTORED       instead of a value: the last one that was made could not be stored, so nobody waits for the next
 *
 * Everything else in the store was put there by another client or is a counter. It is a value without an end.
 *
 * Times are Unix times by the clock of the process that wrote them, in whole microseconds: unserialize() reads a float
 * five times slower. Where the clocks of two hosts differ, a value is fresh for that much longer or shorter. But the
 * store counts seconds from the moment when it was given the value, and removes it after ttl + grace at the latest.
 *
 * @internal
 */
final readonly class Entry
{
    public const VALUE = 0;

    /** The units of a second in which times are stored. */
    private const SECOND = 1e6;

    private const FRESH = 1;
    private const COST = 2;
    private const MADE = 4;
    private const KEPT = 5;
    private const UNSTORED = 6;

    /** -log() of the smallest random number: this many times its cost before its end a value may first be made anew. */
    private const EARLIEST = 22.0;

    /** A store takes 1,024 bytes; the rest is for stores that put a prefix in front. */
    private const LONGEST_KEY = 1000;

    /**
     * @param float              $freshUntil PHP_FLOAT_MAX: without end
     * @param float|null         $cost       seconds that its compute took; null: no cache computed it
     * @param array<string, int> $stamps     version by name
     * @param float|null         $made       when it was stored; null: by another client
     * @param float|null         $keptUntil  null: without end, or not known
     * @param bool               $unstored   it stands for a value that could not be stored
     */
    public function __construct(
        public mixed $value,
        public float $freshUntil = PHP_FLOAT_MAX,
        public ?float $cost = null,
        public array $stamps = [],
        public ?float $made = null,
        public ?float $keptUntil = null,
        public bool $unstored = false,
    ) {}

    /**
     * The key of an entry in the store.
     *
     * @throws InvalidKey
     */
    public static function key(string $key): string
    {
        if ($key === '') {
            throw InvalidKey::empty();
        }

        return \strlen($key) > self::LONGEST_KEY || $key[0] === "\0" ? "\0k" . hash('sha256', $key) : $key;
    }

    public static function of(mixed $stored): self
    {
        if (!\is_array($stored) || !\is_int($stored[NearStore::MARKER] ?? null)) {
            return new self($stored);
        }
        /** @var array<string, int> $stamps as packed() wrote them */
        $stamps = $stored[NearStore::STAMPS] ?? [];

        return new self(
            $stored[self::VALUE] ?? null,
            self::seconds($stored[self::FRESH] ?? null) ?? PHP_FLOAT_MAX,
            self::seconds($stored[self::COST] ?? null),
            $stamps,
            self::seconds($stored[self::MADE] ?? null),
            self::seconds($stored[self::KEPT] ?? null),
            isset($stored[self::UNSTORED]),
        );
    }

    /**
     * Whether what was stored may be handed out at once: true, or if the data still has these versions.
     *
     * @param array<array-key, mixed> $stored an entry, or an array of another client, which may hold anything
     *
     * @return bool|array<string, int>
     */
    public static function atOnce(array $stored): bool|array
    {
        $until = $stored[NearStore::MARKER] ?? null;
        if (!\is_int($until)) {
            return false;
        }
        $now = microtime(true) * self::SECOND;
        if ($until > $now) {
            return true;
        }
        $until = $stored[NearStore::WHILE_CURRENT] ?? 0;
        /** @var array<string, int>|null $stamps as packed() wrote them */
        $stamps = $stored[NearStore::STAMPS] ?? null;

        return \is_int($until) && $until > $now && \is_array($stamps) ? $stamps : false;
    }

    /** Stands for a value that could not be stored, so that nobody waits for it. */
    public static function unstored(float $now, float $seconds): self
    {
        return new self(null, $now + $seconds, null, [], $now, $now + $seconds, true);
    }

    /**
     * The exception of a store, which names a place in the stored array only, with the key and the type of the value.
     */
    public static function unstorable(string $key, mixed $value, UnstorableValue $exception): UnstorableValue
    {
        $reason = str_replace('$value[' . self::VALUE . ']', '$value', $exception->getMessage());
        $message = \sprintf(
            'The value of "%s", of type %s, cannot be stored: %s',
            $key,
            get_debug_type($value),
            $reason,
        );

        return new UnstorableValue($message, 0, $exception);
    }

    /**
     * @param string $storeKey of key()
     *
     * @return array<array-key, mixed>
     */
    public function packed(string $storeKey, float $early): array
    {
        $packed = self::pack(
            $storeKey,
            $early,
            $this->value,
            $this->freshUntil,
            $this->cost,
            $this->stamps,
            $this->made,
            $this->keptUntil,
        );
        if ($this->unstored) {
            $packed[self::UNSTORED] = true;
            $packed[NearStore::MARKER] = 0;
        }

        return $packed;
    }

    /**
     * As packed(), without an object: a miss makes one of these, and most of what it takes is such small steps.
     *
     * @param array<string, int> $stamps
     *
     * @return array<array-key, mixed>
     */
    public static function pack(
        string $storeKey,
        float $early,
        mixed $value,
        float $freshUntil,
        ?float $cost,
        array $stamps,
        ?float $made,
        ?float $keptUntil,
    ): array {
        // NearStore::fresh() is asked with the key as it was given: it must not find what lies under a key of Larder's
        // own.
        $atOnce = $storeKey[0] === "\0" ? 0 : self::microseconds(self::earliest($freshUntil, $cost, $early));
        $packed = [
            NearStore::MARKER => $stamps === [] ? $atOnce : 0,
            self::VALUE => $value,
            self::FRESH => self::microseconds($freshUntil),
            self::COST => $cost === null ? null : self::microseconds($cost),
            self::MADE => $made === null ? null : self::microseconds($made),
            self::KEPT => $keptUntil === null ? null : self::microseconds($keptUntil),
        ];
        if ($stamps !== []) {
            $packed[NearStore::STAMPS] = $stamps;
            $packed[NearStore::WHILE_CURRENT] = $atOnce;
        }

        return $packed;
    }

    /** From when on it may be made anew before its end. */
    public function earlyFrom(float $early): float
    {
        return self::earliest($this->freshUntil, $this->cost, $early);
    }

    private static function earliest(float $freshUntil, ?float $cost, float $early): float
    {
        return $freshUntil - ($cost ?? 0.0) * $early * self::EARLIEST;
    }

    /**
     * Whether it may be handed out without a thought of making it anew. Shortly before its end that is decided at
     * random, weighted by what the compute costs.
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

    /** Whether nobody stored or touched one in place of the other: no two ends fall on the same microsecond. */
    public function is(self $other): bool
    {
        return $this->freshUntil === $other->freshUntil;
    }

    /** The largest integer where there is no end, or where no integer is large enough. */
    private static function microseconds(float $seconds): int
    {
        return $seconds < PHP_INT_MAX / self::SECOND ? (int) ($seconds * self::SECOND) : PHP_INT_MAX;
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
