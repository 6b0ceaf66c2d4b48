<?php

declare(strict_types=1);

namespace Larder\Torture\Memory;

/** What came of one run; times are milliseconds. */
final readonly class MemoryResult
{
    /** That much longer than an idle process may all workers together stand still. */
    private const GAP = 100.0;

    /** Bytes: what dead processes had begun must be taken back, so that hardly anything is in use once all is cleared. */
    private const LEFT = 65_536;

    /**
     * @param array<array-key, mixed> $info     of the store at the end; empty: it could not be asked any more
     * @param list<string>            $findings what was wrong
     */
    public function __construct(
        public int $reads,
        public int $hits,
        public int $rechecks,
        public int $writes,
        public int $refused,
        public int $forks,
        public int $operations,
        public int $kills,
        public int $faults,
        public int $ends,
        public int $wedges,
        public float $gap,
        public float $idleGap,
        public float $slowest,
        public int $left,
        private array $info,
        public array $findings,
    ) {}

    public function isClean(): bool
    {
        return $this->findings === [] && $this->wedges === 0 && $this->gap <= $this->idleGap + self::GAP && $this->left <= self::LEFT && $this->info !== [];
    }

    /** A run that hardly killed or read, or never in a lock, has shown nothing. */
    public function shows(float $seconds): bool
    {
        return $this->kills >= 20 * $seconds && $this->reads >= 1000 * $seconds && $this->told('recoveries') > 0 && $this->told('evictions') > 0;
    }

    public function line(): string
    {
        return \sprintf('wrong: %d, wedged: %d of %d reads, %d kills', \count($this->findings), $this->wedges, $this->reads, $this->kills + $this->faults);
    }

    /** @return array<string, int|float|list<string>> */
    public function toArray(): array
    {
        $counted = [];
        foreach (['recoveries', 'reaped', 'entries', 'bytesUsed', 'bytesTotal', 'evictions', 'expirations', 'refusedLarge', 'refusedFull', 'lockTimeouts', 'noSlot', 'slotsUsed'] as $name) {
            $counted[strtolower((string) preg_replace('/[A-Z]/', '_$0', $name))] = $this->told($name);
        }

        return [
            'wrong' => \count($this->findings),
            'wedged' => $this->wedges,
            'reads' => $this->reads,
            'hits' => $this->hits,
            'rechecks' => $this->rechecks,
            'writes' => $this->writes,
            'refused' => $this->refused,
            'operations' => $this->operations,
            'forks_while_pinned' => $this->forks,
            'kills_from_outside' => $this->kills,
            'kills_at_fault_points' => $this->faults,
            'ends' => $this->ends,
            ...$counted,
            'gap_ms' => round($this->gap, 1),
            'idle_gap_ms' => round($this->idleGap, 1),
            'slowest_operation_ms' => round($this->slowest, 1),
            'bytes_left_after_clear' => $this->left,
            'findings' => $this->findings,
        ];
    }

    private function told(string $name): int
    {
        $number = $this->info[$name] ?? 0;

        return \is_int($number) ? $number : 0;
    }
}
