<?php

declare(strict_types=1);

namespace Larder\Sql\Ledger;

use Closure;
use Larder\Dependency\ComputedValue;
use Larder\Dependency\CurrentSource;
use Larder\Dependency\Name;
use Larder\Dependency\Unstored;
use Larder\Dependency\Versions;
use Larder\Sql\Tracker\TrackedConnection;

/**
 * @internal The versions over the connection that the application has now: a process that answers many requests
 * connects anew when one was lost.
 */
final class CurrentVersions implements Versions
{
    private ?TrackedConnection $of = null;

    private ?LedgerVersions $versions = null;

    /**
     * @param Closure(): TrackedConnection               $connection
     * @param Closure(TrackedConnection): LedgerVersions $make
     */
    public function __construct(
        private readonly Closure $connection,
        private readonly Closure $make,
    ) {}

    public function make(Closure $compute, array $names, ?float $life): ComputedValue
    {
        $versions = $this->now();
        $of = $this->of;
        $made = $versions->make($compute, $names, $life);
        if (CurrentSource::isStill($of, $this->connection)) {
            return $made;
        }

        return new ComputedValue(
            $made->value,
            null,
            $made->why ?? Unstored::Failed,
            CurrentSource::ANEW,
            $made->isOld,
        );
    }

    public function wouldRefuse(array $names): bool
    {
        return $this->now()->wouldRefuse($names);
    }

    public function refuse(string $reason): void
    {
        $this->now()->refuse($reason);
    }

    public function reads(string|Name ...$names): void
    {
        $this->now()->reads(...$names);
    }

    public function used(array $stamps, float $until): void
    {
        $this->now()->used($stamps, $until);
    }

    public function watchesAll(): bool
    {
        return true;
    }

    public function stampKeys(array $names): array
    {
        return $this->now()->stampKeys($names);
    }

    public function names(array $stamps): array
    {
        return $this->now()->names($stamps);
    }

    public function hold(array $stamped): array
    {
        return $this->now()->hold($stamped);
    }

    public function change(array $names, Closure $write): mixed
    {
        return $this->now()->change($names, $write);
    }

    private function now(): LedgerVersions
    {
        $now = ($this->connection)();
        if ($this->versions === null || $this->of !== $now) {
            $this->versions = ($this->make)($now);
            $this->of = $now;
        }

        return $this->versions;
    }
}
