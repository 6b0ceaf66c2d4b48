<?php

declare(strict_types=1);

namespace Larder\Cache;

use Larder\Exception\NotMadeInTime;
use Larder\Store;

/**
 * The second step, where Look found nothing fresh: one caller of all gets the lease to make the value. The others get
 * the old value, or wait for the new one.
 *
 * @internal
 */
final class Claim
{
    /** Microseconds between two looks; the last one is repeated. */
    private const PAUSES = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000];

    /**
     * @var array<array-key, int> by store key: leases of callers that make the value themselves and call Cache::set()
     */
    private array $kept = [];

    public function __construct(
        private readonly Store $store,
        private readonly Look $look,
        private readonly Tally $tally,
        private readonly AfterWait $afterWait,
    ) {}

    /**
     * For a value that is still there, but no longer fresh.
     *
     * @return Entry|Computation|null Entry: another process stored a new one just now; null: another process makes it
     */
    public function outdated(string $key, string $storeKey, Entry $old, Options $options): Entry|Computation|null
    {
        return $this->leased($key, $storeKey, $options->lease($old->cost), $old);
    }

    /**
     * For a value that is not there. Waits while another process makes it, but no longer than the options say.
     *
     * @throws NotMadeInTime
     */
    public function missing(string $key, string $storeKey, Options $options): Entry|Computation
    {
        $begun = null;
        for ($looks = 0; ; ++$looks) {
            $claimed = $this->missingNow($key, $storeKey, $options);
            if ($claimed !== null) {
                return $claimed;
            }
            if ($begun === null) {
                $begun = (int) hrtime(true);
                $this->tally->count('waits');
            }
            if (!$this->pause($begun, $looks, $options)) {
                return $this->waitedInVain($key, $storeKey, $options);
            }
        }
    }

    /** As missing(), without waiting; null: another process makes it. */
    public function missingNow(string $key, string $storeKey, Options $options): Entry|Computation|null
    {
        if (!$options->keep()) {
            return new Computation($key, $storeKey, null);
        }
        $seconds = $options->lease(null);
        $answer = $this->store->getOrLease($storeKey, $seconds);
        if (!$answer->hit) {
            if (!$answer->answered) {
                $this->tally->unanswered($key);
            }
            $isOurs = $answer->lease !== null || !$answer->answered;

            return $isOurs ? new Computation($key, $storeKey, $answer->lease) : null;
        }
        $entry = Entry::of($answer->value);

        return match (true) {
            $entry->refused => new Computation($key, $storeKey, null),
            $this->look->isCurrent($entry) => $entry,
            default => $this->leased($key, $storeKey, $seconds, null),
        };
    }

    /**
     * Sleeps a little before the next look.
     *
     * @param int $begun monotonic nanoseconds at which the waiting began
     * @param int $looks how many there were since
     *
     * @return bool false: the caller has waited as long as it may
     */
    public function pause(int $begun, int $looks, Options $options): bool
    {
        $deadline = $begun + (int) ($options->wait() * 1e9);
        $left = intdiv($deadline - hrtime(true), 1000);
        if ($left <= 0) {
            return false;
        }
        usleep(min($left, self::PAUSES[min($looks, \count(self::PAUSES) - 1)]));

        return true;
    }

    /** @throws NotMadeInTime */
    public function waitedInVain(string $key, string $storeKey, Options $options): Computation
    {
        $this->tally->count('waits_in_vain');

        return $this->afterWait === AfterWait::Compute
            ? new Computation($key, $storeKey, null)
            : throw NotMadeInTime::within($key, $options->wait());
    }

    /** Keeps a lease for a caller that makes the value itself, until it calls Cache::set(). */
    public function keep(Computation $computation): void
    {
        if ($computation->lease !== null) {
            $this->kept[$computation->storeKey] = $computation->lease;
        }
    }

    /** The lease that was kept for a caller, or null. */
    public function taken(string $storeKey): ?int
    {
        $lease = $this->kept[$storeKey] ?? null;
        unset($this->kept[$storeKey]);

        return $lease;
    }

    public function forget(string ...$storeKeys): void
    {
        $this->kept = array_diff_key($this->kept, array_flip($storeKeys));
    }

    public function forgetAll(): void
    {
        $this->kept = [];
    }

    /** @param Entry|null $old null: the data that the stored one was made from has changed */
    private function leased(string $key, string $storeKey, float $seconds, ?Entry $old): Entry|Computation|null
    {
        $lease = $this->store->lease($storeKey, $seconds);
        if ($lease === null) {
            return null;
        }
        // The process that held the lease before may have stored just now.
        $entry = $this->look->entry($storeKey);
        if ($entry !== null && ($old === null || !$entry->is($old))) {
            $this->store->release($storeKey, $lease);

            return $entry;
        }

        return new Computation($key, $storeKey, $lease, $old !== null);
    }
}
