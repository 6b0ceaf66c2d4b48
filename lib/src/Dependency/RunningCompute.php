<?php

declare(strict_types=1);

namespace Larder\Dependency;

/**
 * What a value that is being made was made from so far.
 *
 * @internal
 */
final class RunningCompute
{
    /** @var array<string, int> version by the key of its gate */
    public array $stamps = [];

    /** Why it may not be stored. */
    public ?string $refusal = null;

    /** The counter's number at its begin, or before; null: it is not known. */
    public ?int $counter = null;

    public readonly int $begun;

    /** @param float|null $ttl seconds, of versions that it makes */
    public function __construct(public readonly ?float $ttl)
    {
        $this->begun = hrtime(true);
    }

    public function refuse(string $reason): void
    {
        $this->refusal ??= $reason;
    }

    /**
     * The first version of a name stays: if another one comes later, it changed meanwhile, and the last look will see that.
     *
     * @param array<string, int> $stamps
     */
    public function add(array $stamps): void
    {
        $this->stamps += $stamps;
    }

    public function include(self $part): void
    {
        $this->add($part->stamps);
        if ($part->refusal !== null) {
            $this->refuse($part->refusal);
        }
    }
}
