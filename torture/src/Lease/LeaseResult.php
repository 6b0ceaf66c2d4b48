<?php

declare(strict_types=1);

namespace Larder\Torture\Lease;

/** What a run found. */
final readonly class LeaseResult
{
    private const LISTED = 30;

    /** Of each store: expiries a second, and all other things that end a value at least once. */
    private const RATE = 1000 / 300;
    private const NEEDED = [Cause::Eviction, Cause::Delete, Cause::Kill, Cause::Slow];

    /** Part of the computes that a store may refuse. */
    private const REFUSED = 0.01;

    /**
     * @param array<string, Tally> $tallies by store
     * @param list<string>         $wrong   beside what is wrong with one store
     * @param float                $wait    seconds that a reader waited at most
     */
    public function __construct(
        private array $tallies,
        private array $wrong,
        private int $processes,
        private int $reads,
        private float $wait,
        private float $seconds,
    ) {}

    /** @return array<string, int|float|list<string>> */
    public function toArray(): array
    {
        $figures = ['processes' => $this->processes, 'seconds' => round($this->seconds, 1), 'reads' => $this->reads, 'longest_wait_seconds' => round($this->wait, 3), 'wait_bound_seconds' => Worker::WAIT, 'lease_seconds' => Worker::LEASE];
        foreach ($this->tallies as $store => $tally) {
            $figures[$store . '_computes'] = $tally->computes;
            foreach (Cause::cases() as $cause) {
                $figures[$store . '_' . $cause->value] = $tally->of($cause);
            }
        }
        $wrong = $this->wrong();

        return $figures + ['wrong' => \count($wrong), 'findings' => \array_slice($wrong, 0, self::LISTED)];
    }

    public function line(): string
    {
        return \sprintf(
            'computes: %d of %d expected, lost: %d, resurrected: %d',
            $this->sum(static fn(Tally $tally): int => $tally->computes),
            $this->sum(static fn(Tally $tally): int => $tally->expected()),
            $this->sum(static fn(Tally $tally): int => $tally->lost),
            $this->sum(static fn(Tally $tally): int => $tally->resurrected),
        );
    }

    public function isClean(): bool
    {
        return $this->wrong() === [] && $this->wait <= Worker::WAIT;
    }

    /** Whether it was rough enough to show anything. */
    public function shows(int $seconds): bool
    {
        foreach ($this->tallies as $tally) {
            if ($tally->of(Cause::Expiry) < self::RATE * $seconds || $tally->of(Cause::Refusal) > self::REFUSED * $tally->computes) {
                return false;
            }
            foreach (self::NEEDED as $cause) {
                if ($tally->of($cause) === 0) {
                    return false;
                }
            }
        }

        return true;
    }

    /** @return list<string> */
    private function wrong(): array
    {
        $wrong = $this->wrong;
        foreach ($this->tallies as $store => $tally) {
            $wrong = [...$wrong, ...array_map(static fn(string $line): string => "$store: $line", $tally->wrong)];
        }

        return $wrong;
    }

    /** @param callable(Tally): int $of */
    private function sum(callable $of): int
    {
        return array_sum(array_map($of, $this->tallies));
    }
}
