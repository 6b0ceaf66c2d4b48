<?php

declare(strict_types=1);

namespace Larder\Cache;

use Closure;
use Larder\Dependency\Dependency;
use Larder\Dependency\Versions;
use Larder\Exception\NotMadeInTime;
use Larder\Lease\LocalLease;
use Larder\Memcached;
use Larder\SharedMemory;
use Larder\Store;
use Larder\Store\OnServers;
use Throwable;

/**
 * The second step, where Look found nothing fresh: one caller of all gets the lease to make the value. The others get
 * the old value, or wait for the new one as long as somebody makes it.
 *
 * Nobody waits for a value that cannot be stored. Where the store gives no lease, one of this host stands in for it.
 *
 * @internal
 */
final readonly class Claim
{
    private const JOINED = 'it contains a value that another process made while the store gave no lease';

    /** @param Closure(): float $now */
    public function __construct(
        private Store $store,
        private Look $look,
        private Versions $versions,
        private Tally $tally,
        private Settings $settings,
        private Closure $now,
    ) {}

    /**
     * For a value that is still there, but no longer fresh.
     *
     * @return Entry|Computation|null Entry: another process stored a new one just now; null: another process makes it,
     *     or this one could not store it
     */
    public function outdated(string $key, string $storeKey, Entry $old, Options $options): Entry|Computation|null
    {
        return $this->settings->defersRefreshes() || !$this->versions->wouldRefuse([])
            ? $this->leased($key, $storeKey, $options->lease($old->cost), $old)
            : null;
    }

    /**
     * For a value that is not there. Waits while another process makes it, but no longer than the options say.
     *
     * @throws NotMadeInTime
     */
    public function missing(string $key, string $storeKey, Options $options): Entry|Computation
    {
        $waiting = new Waiting($options->wait());
        for (;;) {
            $claimed = $this->missingNow($key, $storeKey, $options, $waiting);
            if ($claimed !== null) {
                return $claimed;
            }
            $this->pause($waiting, $options, $key);
        }
    }

    /**
     * As missing(), without waiting; null: another process makes it.
     *
     * @param (Closure(string): list<string|Dependency>)|null $reads what data the value of a key is made from; null: as
     *     the options say
     */
    public function missingNow(
        string $key,
        string $storeKey,
        Options $options,
        Waiting $waiting,
        ?Closure $reads = null,
    ): Entry|Computation|null {
        if (!$options->keep() || $this->versions->wouldRefuse([])) {
            return new Computation($key, $storeKey, null);
        }
        $seconds = $options->lease(null);
        $answer = $this->store->getOrLease($storeKey, $seconds);
        if (!$answer->answered) {
            return $this->local($key, $storeKey, $options, $waiting);
        }
        $entry = $answer->hit ? Entry::of($answer->value) : null;
        if ($entry !== null && $this->look->isCurrent($entry)) {
            return $entry;
        }
        $claimed = match (true) {
            $answer->lease !== null => new Computation($key, $storeKey, $answer->lease),
            $entry !== null => $this->leased($key, $storeKey, $seconds, null),
            default => null,
        };
        if ($claimed !== null) {
            return $claimed;
        }
        // Another process makes it. Nobody waits for what cannot be stored.
        $names = $reads === null ? $options->reads : $reads($key);
        if ($entry?->unstored === true || ($names !== [] && $this->versions->wouldRefuse($names))) {
            return new Computation($key, $storeKey, null);
        }

        return $waiting->isOver() ? $this->local($key, $storeKey, $options, $waiting) : null;
    }

    /**
     * Sleeps a little before the next look at the values of these keys.
     *
     * @throws NotMadeInTime if the caller has waited as long as it may, and the settings say to fail then
     */
    public function pause(Waiting $waiting, Options $options, string ...$keys): void
    {
        if ($waiting->looks === 0) {
            $this->tally->count('waits', \count($keys));
        }
        $wasOver = $waiting->isOver();
        $waiting->pause();
        if ($waiting->isOver() && !$wasOver) {
            $this->tally->count('waits_in_vain', \count($keys));
            if ($this->settings->afterWait === AfterWait::Fail) {
                throw NotMadeInTime::within($keys[0] ?? '', $options->wait() ?? 0.0);
            }
        }
    }

    /**
     * One process of this host makes the value, and those that asked before it began take what it made. Where the host
     * has no place for that, and where the caller does not want to wait at all, it makes the value itself.
     */
    private function local(
        string $key,
        string $storeKey,
        Options $options,
        Waiting $waiting,
    ): Entry|Computation|null {
        $address = $options->wait() === 0.0 ? null : $this->address();
        $lease = $address === null ? null : LocalLease::named($address . "\0" . $storeKey);
        $taken = $lease?->take($waiting->since, $options->lease(null));

        return match (true) {
            \is_string($taken) => $this->joined($taken, $options) ?? new Computation($key, $storeKey, null),
            $taken === false => null,
            default => new Computation($key, $storeKey, null, local: $taken === true ? $lease : null),
        };
    }

    /** The value that another process of this host made after this one had asked for it; null: it cannot be read. */
    private function joined(string $made, Options $options): ?Entry
    {
        try {
            $parts = @unserialize($made);
        } catch (Throwable) {
            return null;
        }
        if (!\is_array($parts) || !\array_key_exists('value', $parts)) {
            return null;
        }
        if (($parts['bounded'] ?? null) !== true) {
            $this->versions->refuse(self::JOINED);
        }

        return $options->entry($parts['value'], ($this->now)());
    }

    /** @return string|null which values the store has; null: that cannot be told */
    private function address(): ?string
    {
        $store = $this->store;
        if ($store instanceof OnServers) {
            return $store->address();
        }
        if ($store instanceof Memcached) {
            return serialize($store->settings());
        }
        $segment = $store instanceof SharedMemory ? $store->info() : [];

        return ($segment['name'] ?? '') === '' ? null : serialize([$segment['name'], $segment['namespace'] ?? null]);
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
