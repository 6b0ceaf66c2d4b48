<?php

declare(strict_types=1);

namespace Larder\Cache;

/**
 * One caller's wait for values that other processes make.
 *
 * @internal
 */
final class Waiting
{
    private const PAUSES = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000];

    /** Monotonic nanoseconds at which the caller asked. */
    public readonly int $since;

    public int $looks = 0;

    private bool $isOver = false;

    /**
     * @param float|null          $seconds that the caller waits; null: as long as somebody makes the values
     * @param int|null            $since   null: it asks now
     * @param non-empty-list<int> $pauses  microseconds between two looks; the last one is repeated
     */
    public function __construct(
        private readonly ?float $seconds,
        ?int $since = null,
        private readonly array $pauses = self::PAUSES,
    ) {
        $this->since = $since ?? (int) hrtime(true);
    }

    /** Whether the caller has waited as long as it may. */
    public function isOver(): bool
    {
        return $this->isOver;
    }

    /** Sleeps a little before the next look, or finds that the wait is over. */
    public function pause(): void
    {
        $pause = $this->pauses[min($this->looks++, \count($this->pauses) - 1)];
        if ($this->seconds !== null && !$this->isOver) {
            $left = intdiv($this->since + (int) ($this->seconds * 1e9) - (int) hrtime(true), 1000);
            $this->isOver = $left <= 0;
            $pause = max(0, min($pause, $left));
        }
        usleep($pause);
    }
}
