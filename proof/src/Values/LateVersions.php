<?php

declare(strict_types=1);

namespace Larder\Proof\Values;

use Closure;
use Larder\Dependency\ComputedValue;
use Larder\Dependency\Name;
use Larder\Dependency\Versions;

/** Takes the versions only after the data was read. */
final readonly class LateVersions implements Versions
{
    public function __construct(private Versions $versions) {}

    public function make(Closure $compute, array $names, ?float $life): ComputedValue
    {
        $value = $compute();

        return $this->versions->make(static fn(): mixed => $value, $names, $life);
    }

    public function wouldRefuse(array $names): bool
    {
        return $this->versions->wouldRefuse($names);
    }

    public function refuse(string $reason): void
    {
        $this->versions->refuse($reason);
    }

    public function reads(string|Name ...$names): void
    {
        $this->versions->reads(...$names);
    }

    public function used(array $stamps, float $until): void
    {
        $this->versions->used($stamps, $until);
    }

    public function stampKeys(array $names): array
    {
        return $this->versions->stampKeys($names);
    }

    public function names(array $stamps): array
    {
        return $this->versions->names($stamps);
    }

    public function watchesAll(): bool
    {
        return $this->versions->watchesAll();
    }

    public function hold(array $stamped): array
    {
        return $this->versions->hold($stamped);
    }

    public function change(array $names, Closure $write): mixed
    {
        return $this->versions->change($names, $write);
    }
}
