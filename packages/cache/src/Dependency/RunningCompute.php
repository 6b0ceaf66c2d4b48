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

    /** Why its value may not be stored, in words too. */
    public ?Unstored $why = null;
    public string $refusal = '';

    /** Why the versions of its names may be too new for its data; null: they are not. */
    public ?Unstored $doubt = null;

    /** Whether its data comes from a state before it began. */
    public bool $isOld = false;

    /** What the counter was, and when, before any of its data was read; null: it is not known. */
    public ?int $counter = null;
    public int $begun;

    /** @param float|null $ttl seconds that the versions live which it makes */
    public function __construct(public readonly ?float $ttl)
    {
        $this->begun = hrtime(true);
    }

    /** A part that sees an older state begins where the compute around it began, if that one saw the present. */
    public function beginWith(?self $outer): void
    {
        if ($outer?->counter !== null) {
            $this->doubt = null;
            $this->counter = $outer->counter;
            $this->begun = $outer->begun;
        }
    }

    public function refuse(Unstored $why, ?string $refusal = null): void
    {
        if ($this->why === null) {
            $this->why = $why;
            $this->refusal = $refusal ?? $why->text();
        }
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
        if ($inner->why !== null) {
            $this->refuse($inner->why, $inner->refusal);
        }
    }

    /**
     * @template T
     *
     * @param T $value
     *
     * @return ComputedValue<T>
     */
    public function with(mixed $value): ComputedValue
    {
        $stamps = $this->why === null ? $this->stamps : null;

        return new ComputedValue($value, $stamps, $this->why, $this->refusal, $this->isOld);
    }
}
