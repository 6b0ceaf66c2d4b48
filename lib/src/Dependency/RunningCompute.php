<?php

declare(strict_types=1);

namespace Larder\Dependency;

/**
 * A compute that is running, and what its value was made from so far.
 *
 * @internal
 */
final class RunningCompute
{
    /** @var array<string, int> version by the key of its gate */
    public array $stamps = [];

    /** Why its value may not be stored. */
    public ?string $refusal = null;

    /** The counter at its begin or before; null: it is not known. */
    public ?int $counter = null;

    public readonly int $begun;

    /** @param float|null $ttl seconds that the versions live which it makes */
    public function __construct(public readonly ?float $ttl)
    {
        $this->begun = hrtime(true);
    }

    public function refuse(string $reason): void
    {
        $this->refusal ??= $reason;
    }

    /**
     * Keeps the first version of a name. If the name changed meanwhile, the check at the end notices it.
     *
     * @param array<string, int> $stamps
     */
    public function add(array $stamps): void
    {
        $this->stamps += $stamps;
    }

    public function include(self $inner): void
    {
        $this->add($inner->stamps);
        if ($inner->refusal !== null) {
            $this->refuse($inner->refusal);
        }
    }
}
