<?php

declare(strict_types=1);

namespace Larder\Cache;

use Larder\SharedMemory;
use Larder\Store;

/**
 * Tells, after shared memory has refused something, whether a lock may only have come too late
 * (`larder.lock_timeout`): where many processes want one key at a moment that says nothing of the room for it, and is
 * no reason for all of them to make it.
 *
 * @internal
 */
final class LateLocks
{
    /** Seconds for which a lock is asked for again and again, but so many times at least: its holder may be stopped. */
    private const PATIENCE = 5.0;
    private const TIMES = 2;

    private const PAUSE = 5_000;

    private int $seen = 0;

    public function __construct(private readonly Store $store) {}

    /** Whether some lock of the segment was not had in time since this was asked last. */
    private function wereSeen(): bool
    {
        if (!$this->store instanceof SharedMemory) {
            return false;
        }
        $before = $this->seen;
        $now = $this->store->info()['lockTimeouts'] ?? 0;
        $this->seen = \is_int($now) ? $now : 0;

        return $this->seen !== $before;
    }

    /** Whether a caller that was refused a lease should ask for it again. */
    public function areReasonToWait(Waiting $waiting): bool
    {
        return ($waiting->passed() < self::PATIENCE || $waiting->looks < self::TIMES) && $this->wereSeen();
    }

    /**
     * Whether a write that was refused should be repeated; that is after a pause.
     *
     * @param int $since 0: it was done for the first time
     */
    public function areReasonToRepeat(int &$since): bool
    {
        $now = (int) hrtime(true);
        $isPatient = $since === 0 || ($now - $since) / 1e9 < self::PATIENCE;
        $since = $since === 0 ? $now : $since;
        if (!$isPatient || !$this->wereSeen()) {
            return false;
        }
        usleep(self::PAUSE);

        return true;
    }
}
