<?php

declare(strict_types=1);

namespace Larder\Cache;

use Closure;
use Larder\Dependency\Name;
use ValueError;

/**
 * What one call asks for. What it leaves open (null) is as the settings say.
 *
 * @internal
 */
final readonly class Options
{
    /** 30 years: a value that would be kept for longer is kept without end. */
    private const LONGEST_LIFE = 1e9;

    /** A longer wait would not fit into nanoseconds; a day. */
    private const LONGEST_WAIT = 86_400.0;

    /** Seconds; null: without end. */
    public ?float $ttl;

    /** Seconds beyond the ttl; 0 without end. */
    public float $grace;

    /** Seconds that the value is kept; 0.0: not at all; null: without end. */
    public ?float $life;

    /**
     * @param float|(Closure(mixed): (float|null))|null $asked the ttl; a closure gets the value: see with()
     * @param list<string|Name>                   $reads
     *
     * @throws ValueError
     */
    public function __construct(
        private Settings $settings,
        private float|Closure|null $asked = null,
        private ?float $askedGrace = null,
        public array $reads = [],
        private ?float $lease = null,
        private ?float $wait = null,
    ) {
        $this->ttl = Settings::checkedTtl(($asked instanceof Closure ? null : $asked) ?? $settings->ttl);
        if ($askedGrace !== null || $lease !== null || $wait !== null) {
            Settings::checkedSpan('grace', $askedGrace);
            Settings::checkedLease('lease', $lease);
            Settings::checkedSpan('wait', $wait);
        }
        $this->grace = $settings->graceOf($this->ttl, $askedGrace);
        $life = match (true) {
            $this->ttl === null => null,
            $this->ttl <= 0.0 => 0.0,
            default => $this->ttl + $this->grace,
        };
        $this->life = $life === null || $life > self::LONGEST_LIFE ? null : $life;
    }

    /** The options for this value: the same, unless the ttl depends on the value. */
    public function with(mixed $value): self
    {
        return $this->asked instanceof Closure
            ? new self(
                $this->settings,
                ($this->asked)($value),
                $this->askedGrace,
                $this->reads,
                $this->lease,
                $this->wait,
            )
            : $this;
    }

    /** Whether the value may be kept at all. */
    public function keep(): bool
    {
        return $this->life !== 0.0;
    }

    /** @param array<string, int> $stamps */
    public function entry(mixed $value, float $now, ?float $cost = null, array $stamps = []): Entry
    {
        $freshUntil = $this->ttl === null ? PHP_FLOAT_MAX : $now + $this->ttl;
        $keptUntil = $this->life === null ? null : $now + $this->life;

        return new Entry($value, $freshUntil, $cost, $stamps, $now, $keptUntil);
    }

    /**
     * As entry(), in the form in which it lies in the store.
     *
     * @param array<string, int> $stamps
     *
     * @return array<array-key, mixed>
     */
    public function packed(
        string $storeKey,
        mixed $value,
        float $now,
        float $cost,
        array $stamps,
        float $early,
    ): array {
        $freshUntil = $this->ttl === null ? PHP_FLOAT_MAX : $now + $this->ttl;
        $keptUntil = $this->life === null ? null : $now + $this->life;

        return Entry::pack($storeKey, $early, $value, $freshUntil, $cost, $stamps, $now, $keptUntil);
    }

    /** @param float|null $cost seconds that the last compute took */
    public function lease(?float $cost): float
    {
        return $this->settings->leaseOf($cost, $this->lease);
    }

    /** Null: as long as a process makes the value. */
    public function wait(): ?float
    {
        $wait = $this->wait ?? $this->settings->wait;

        return $wait === null ? null : min($wait, self::LONGEST_WAIT);
    }
}
