<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Larder\Dependency\Gate\GateEntries;

/** @internal What lay under the keys of VersionsInStore::keysAhead(), a moment before a compute begins. */
final readonly class SeenVersions
{
    /**
     * @internal
     *
     * @param array<array-key, mixed> $found values by key, of those that were there
     * @param int                     $at    monotonic nanoseconds before the store was asked
     */
    public function __construct(
        public array $found,
        public int $at,
    ) {}

    /** The counter of changes, if it was there. */
    public function counter(): ?int
    {
        $counter = $this->found[GateEntries::COUNTER] ?? null;

        return \is_int($counter) ? $counter : null;
    }
}
