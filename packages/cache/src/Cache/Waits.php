<?php

declare(strict_types=1);

namespace Larder\Cache;

use Larder\Dependency\Versions;
use Larder\Exception\NotMadeInTime;
use Larder\Lease\LocalPlaces;
use Larder\Store;

/**
 * How callers wait for values that other processes make. None waits without an end, and none for itself.
 *
 * @internal
 */
final readonly class Waits
{
    /** Without a time of the caller's own it waits for so many leases, then for one more process of its host. */
    private const LEASES = 2;

    /** Of what the caller makes, who may go on without the value. */
    private const IN_VAIN = 'it asked for a value that was not made in time';

    private Marks $marks;

    public function __construct(
        Store $store,
        private Leases $leases,
        private Tally $tally,
        private Settings $settings,
        private ?MonotonicClock $clock,
        HostLeases $hostLeases,
        private ?int $mostWaiting,
        private Versions $versions,
    ) {
        $this->marks = new Marks($store, $hostLeases);
    }

    /** @param int|null $since monotonic nanoseconds at which the caller asked; null: it asks now */
    public function of(Options $options, ?int $since = null): Waiting
    {
        $lease = $options->lease(null);
        $wait = $options->wait();
        if ($wait === null && $this->settings->afterWait === AfterWait::Fail) {
            $wait = (self::LEASES + 1) * $lease;
        }
        $wait ??= self::LEASES * $lease;
        $end = max($wait, self::LEASES * $lease) + $lease;

        return new Waiting($wait, $since, end: $end, clock: $this->clock);
    }

    /** The value will be made later, by a lease for which others may wait until then. */
    public function defer(Computation $computation): void
    {
        $this->leases->defer($computation);
    }

    /**
     * Before the first pause. Must be followed by end().
     *
     * @param array<array-key, string> $storeKeys by key, of values that other processes make
     *
     * @return array<array-key, string> by key: those that this process must make itself, since it would wait for itself
     *
     * @throws NotMadeInTime if too many processes of this host wait already
     */
    public function begin(Waiting $waiting, array $storeKeys): array
    {
        if ($waiting->looks === 0) {
            $this->tally->count('waits', \count($storeKeys));
            $this->takePlace($waiting, (string) array_key_first($storeKeys));
        }
        if ($waiting->marks !== null) {
            return [];
        }
        $waiting->marks = [];
        if ($this->leases->areNone()) {
            return [];
        }
        $made = $this->leases->seconds();
        $waiting->marks = array_map(strval(...), array_keys($made));
        $isLocal = $this->leases->areLocal() && array_diff_key(array_flip($storeKeys), $waiting->local) === [];
        $own = $this->marks->set($made, array_values($storeKeys), $isLocal);
        if ($own !== []) {
            $this->tally->count('crossing_waits', \count($own));
        }

        return array_intersect($storeKeys, $own);
    }

    /**
     * Sleeps a little before the next look at the values of these keys.
     *
     * @throws NotMadeInTime if the caller has waited as long as it may, and the settings say to fail then
     */
    public function pause(Waiting $waiting, string ...$keys): void
    {
        $wasOver = $waiting->isOver();
        $waiting->pause();
        if ($waiting->isOver() && !$wasOver) {
            $this->tally->count('waits_in_vain', \count($keys));
            if ($this->settings->afterWait === AfterWait::Fail) {
                $this->versions->refuse(self::IN_VAIN);
                throw NotMadeInTime::within($keys[0] ?? '', $waiting->seconds);
            }
        }
    }

    /** After the last pause, and before this process makes something. */
    public function end(Waiting $waiting): void
    {
        if ($waiting->marks !== null && $waiting->marks !== []) {
            $this->marks->remove($waiting->marks);
        }
        $waiting->marks = $waiting->place = null;
    }

    /** @throws NotMadeInTime */
    private function takePlace(Waiting $waiting, string $key): void
    {
        $most = $this->mostWaiting;
        if ($most === null) {
            return;
        }
        $place = LocalPlaces::take($most);
        if ($place === false) {
            $this->tally->count('refused_waits');
            $this->versions->refuse(self::IN_VAIN);
            throw NotMadeInTime::amongSoMany($key, $most);
        }
        $waiting->place = $place;
    }
}
