<?php

declare(strict_types=1);

namespace Larder\Cache;

use Larder\Dependency\SeenVersions;
use Larder\Lease\LocalLease;

/**
 * One value that this process is to make, as Claim decided.
 *
 * @internal
 */
final class Computation
{
    /**
     * @param int|null        $lease  null: the value is not to be stored, or was stored, or the lease is lost
     * @param bool            $hasOld whether other callers get an old value meanwhile
     * @param LocalLease|null $local  stands in for the lease, which the store does not give
     * @param SeenVersions|null $seen read in one trip with the lease; null: nothing was
     * @param float           $seconds for which the lease was asked for
     */
    public function __construct(
        public readonly string $key,
        public readonly string $storeKey,
        public ?int $lease,
        public readonly bool $hasOld = false,
        public readonly ?LocalLease $local = null,
        public readonly ?SeenVersions $seen = null,
        public readonly float $seconds = 0.0,
    ) {}

    public function event(): Event
    {
        return $this->hasOld ? Event::Refresh : Event::Miss;
    }
}
