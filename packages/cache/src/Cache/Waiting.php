<?php

declare(strict_types=1);

namespace Larder\Cache;

/**
 * One caller's wait for values that other processes make. It ends by the caller's own clock, whatever the store says.
 *
 * @internal
 */
final class Waiting
{
    private const PAUSES = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000];

    /** Seconds that one of those who wait lets a process of its host make the value, where $end does not say more. */
    private const LOCALLY = 30.0;

    /** Monotonic nanoseconds at which the caller asked. */
    public readonly int $since;

    public int $looks = 0;

    /** @var list<string>|null keys with a mark that says for what their maker waits; null: it was not said yet */
    public ?array $marks = null;

    /** @var array<array-key, true> keys that a process of this host makes, if any does, without a lease of the store */
    public array $local = [];

    /** @var resource|null one of the places of those that wait on this host */
    public mixed $place = null;

    private bool $isOver = false;

    /** As $since, by the clock of the wait. */
    private readonly int $began;

    /**
     * @param float               $seconds that the caller waits for another process
     * @param int|null            $since   null: it asks now
     * @param non-empty-list<int> $pauses  microseconds between two looks; the last one is repeated
     * @param float|null          $end     seconds after which it waits for nothing at all
     */
    public function __construct(
        public readonly float $seconds,
        ?int $since = null,
        private readonly array $pauses = self::PAUSES,
        private readonly ?float $end = null,
        private readonly ?MonotonicClock $clock = null,
    ) {
        $this->since = $since ?? (int) hrtime(true);
        $this->began = $clock === null ? $this->since : $clock->nanoseconds();
    }

    /** Whether the caller has waited for another process as long as it may. */
    public function isOver(): bool
    {
        return $this->isOver;
    }

    /** Whether it must not wait any more, not even for a process of its own host. */
    public function isAtItsEnd(): bool
    {
        return $this->isOver && $this->passed() >= ($this->end ?? $this->seconds + self::LOCALLY);
    }

    /** @return float seconds since the caller asked */
    public function passed(): float
    {
        return (($this->clock?->nanoseconds() ?? (int) hrtime(true)) - $this->began) / 1e9;
    }

    /** Sleeps a little before the next look, or finds that the wait is over. */
    public function pause(): void
    {
        $pause = $this->pauses[min($this->looks++, \count($this->pauses) - 1)];
        if (!$this->isOver) {
            $left = (int) (($this->seconds - $this->passed()) * 1e6);
            $this->isOver = $left <= 0;
            $pause = max(0, min($pause, $left));
        }
        $this->clock === null ? usleep($pause) : $this->clock->sleep($pause);
    }
}
