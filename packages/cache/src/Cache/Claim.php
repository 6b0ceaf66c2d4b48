<?php

declare(strict_types=1);

namespace Larder\Cache;

use Closure;
use Larder\Answer;
use Larder\Dependency\Name;
use Larder\Dependency\SeenVersions;
use Larder\Dependency\Versions;
use Larder\Exception\NotMadeInTime;
use Larder\Store;
use Larder\Store\Operation;
use Larder\Store\StoredBytes;

/**
 * The second step, where Look found nothing fresh: one caller of all gets the lease to make the value. The others get
 * the old value, or wait for the new one as long as somebody makes it.
 *
 * Nobody waits for a value that cannot be stored. Where the store does not answer, or has no room for a lease, one of
 * this host stands in for it.
 *
 * @internal
 */
final readonly class Claim
{
    private const JOINED = 'it contains a value that another process made while the store gave no lease';

    /** The lease of a store that has no room for one. */
    private const NO_ROOM = 0;

    private LateLocks $lateLocks;

    /** @param Closure(): float $now */
    public function __construct(
        private Store $store,
        private Look $look,
        private Versions $versions,
        private Tally $tally,
        private Settings $settings,
        private Closure $now,
        public Waits $waits,
        private HostLeases $hostLeases,
    ) {
        $this->lateLocks = new LateLocks($store);
    }

    /** For a value that is still there, but no longer fresh. */
    public function outdated(string $key, string $storeKey, Entry $old, Options $options): Claimed
    {
        $claimed = $this->allOutdated([$key => $storeKey], [$key => $old], $options)[$key];

        return match (true) {
            $claimed === null => new Claimed($old, Event::Stale),
            $claimed instanceof Entry => new Claimed($claimed, Event::Hit),
            default => new Claimed($claimed, old: $old),
        };
    }

    /**
     * As outdated(), for any number of keys in as many trips as for one.
     *
     * @param array<array-key, string> $storeKeys by key
     * @param array<array-key, Entry>  $old       by key
     *
     * @return array<array-key, Entry|Computation|null> by key; Entry: another process stored a new one just now; null:
     *     another process makes it, or this one could not store it
     */
    public function allOutdated(array $storeKeys, array $old, Options $options): array
    {
        return $storeKeys !== [] && ($this->settings->defersRefreshes() || !$this->versions->wouldRefuse([]))
            ? $this->leased($storeKeys, $old, $options)
            : array_map(static fn(): null => null, $storeKeys);
    }

    /** Whether what is made now would certainly not be stored, so that nobody needs a lease for it. */
    private function isInVain(Options $options): bool
    {
        return $options->life === 0.0 || $this->versions->wouldRefuse([]);
    }

    /**
     * For a value that is not there. Waits while another process makes it, but no longer than the options say.
     *
     * @throws NotMadeInTime
     */
    public function missing(string $key, string $storeKey, Options $options): Claimed
    {
        if ($this->isInVain($options)) {
            return new Claimed(new Computation($key, $storeKey, null));
        }
        $since = (int) hrtime(true);
        $mine = $this->firstTry($key, $storeKey, $options, $answer);

        return $mine === null
            ? $this->waitedFor($key, $storeKey, $options, $answer, $this->waits->of($options, $since))
            : new Claimed($mine);
    }

    /**
     * Looks for a value that is most likely not there, and claims it in the same trip.
     *
     * @return Claimed|null null: it would be claimed in vain, and nobody has looked
     *
     * @throws NotMadeInTime
     */
    public function lookedFor(string $key, string $storeKey, Options $options): ?Claimed
    {
        // As isInVain(), without a call more for a value that is there.
        if ($options->life === 0.0 || $this->versions->wouldRefuse([])) {
            return null;
        }
        $since = (int) hrtime(true);
        $mine = $this->firstTry($key, $storeKey, $options, $answer, $seen);
        if ($mine !== null) {
            return new Claimed($mine);
        }
        $entry = $answer->hit ? $this->look->currentBy($answer->value, $seen) : null;

        return match (true) {
            $entry === null
                => $this->waitedFor($key, $storeKey, $options, $answer, $this->waits->of($options, $since)),
            $this->look->isFresh($entry) => new Claimed($entry, Event::Hit),
            default => $this->outdated($key, $storeKey, $entry, $options),
        };
    }

    /**
     * As missing(), without waiting, and for any number of keys in as many trips as for one.
     *
     * @param array<array-key, string>                  $storeKeys by key
     * @param array<array-key, list<string|Name>> $names     what data the values are made from, by key
     *
     * @return array<array-key, Entry|Computation|null> by key; null: another process makes it
     */
    public function missingNow(array $storeKeys, array $names, Options $options, Waiting $waiting): array
    {
        $unstored = static fn(int|string $key): Computation => new Computation((string) $key, $storeKeys[$key], null);
        if ($this->isInVain($options)) {
            return array_combine(array_keys($storeKeys), array_map($unstored, array_keys($storeKeys)));
        }
        $seconds = $options->lease(null);
        $answers = Operation::run($this->store, array_map(
            static fn(string $storeKey): Operation => Operation::getOrLease($storeKey, $seconds),
            $storeKeys,
        ));

        return $this->judged($answers, $storeKeys, $names, $options, $waiting);
    }

    /**
     * As missing(), where the first answer was no lease.
     *
     * @throws NotMadeInTime
     */
    private function waitedFor(
        string $key,
        string $storeKey,
        Options $options,
        Answer $answer,
        Waiting $waiting,
    ): Claimed {
        $names = [$key => $options->reads];
        $claimed = $this->judged([$key => $answer], [$key => $storeKey], $names, $options, $waiting)[$key];
        try {
            for (;;) {
                if ($claimed !== null) {
                    return new Claimed($claimed, $claimed instanceof Entry ? Event::Waited : null);
                }
                if ($this->waits->begin($waiting, [$key => $storeKey]) !== []) {
                    return new Claimed(new Computation($key, $storeKey, null));
                }
                $this->waits->pause($waiting, $key);
                $claimed = $this->missingNow([$key => $storeKey], $names, $options, $waiting)[$key];
            }
        } finally {
            $this->waits->end($waiting);
        }
    }

    /**
     * What becomes of the answers to getOrLease().
     *
     * @param array<array-key, Answer>                  $answers   by key
     * @param array<array-key, string>                  $storeKeys by key
     * @param array<array-key, list<string|Name>> $names     by key
     *
     * @return array<array-key, Entry|Computation|null> by key; null: another process makes it
     */
    private function judged(
        array $answers,
        array $storeKeys,
        array $names,
        Options $options,
        Waiting $waiting,
    ): array {
        $unstored = static fn(int|string $key): Computation => new Computation((string) $key, $storeKeys[$key], null);
        $entries = array_map(
            static fn(Answer $answer): Entry => Entry::of($answer->value),
            array_filter($answers, static fn(Answer $answer): bool => $answer->hit),
        );
        $current = $this->look->allCurrent($entries);
        $outdated = array_intersect_key($storeKeys, array_diff_key($entries, $current));
        $leased = $this->leased($outdated, [], $options, $waiting, $isLate);
        $claimed = $madeElsewhere = [];
        foreach ($answers as $key => $answer) {
            if (!$answer->answered) {
                $this->tally->unanswered((string) $key);
            }
            $claimed[$key] = match (true) {
                !$answer->answered => $this->local((string) $key, $storeKeys[$key], $options, $waiting),
                $answer->lease === self::NO_ROOM
                    => $this->withoutRoom((string) $key, $storeKeys[$key], $options, $waiting, $isLate),
                $answer->lease !== null => new Computation(
                    (string) $key,
                    $storeKeys[$key],
                    $answer->lease,
                    seconds: $options->lease(null),
                ),
                default => $current[$key] ?? $leased[$key] ?? null,
            };
            if ($claimed[$key] === null && $answer->answered) {
                $madeElsewhere[$key] = $names[$key] ?? [];
            }
        }
        $refused = $this->refused($madeElsewhere);
        foreach (array_keys($madeElsewhere) as $key) {
            // Nobody waits for what cannot be stored.
            $claimed[$key] = match (true) {
                isset($refused[$key]) || ($entries[$key]->unstored ?? false) => $unstored($key),
                $waiting->isOver() => $this->local((string) $key, $storeKeys[$key], $options, $waiting),
                default => null,
            };
        }

        return $claimed;
    }

    /**
     * Asks for one value or its lease, in one trip with the versions that its compute begins with.
     *
     * @param-out Answer            $answer
     * @param-out SeenVersions|null $seen
     *
     * @return Computation|null null: there was no lease
     */
    private function firstTry(
        string $key,
        string $storeKey,
        Options $options,
        ?Answer &$answer = null,
        ?SeenVersions &$seen = null,
    ): ?Computation {
        $seconds = $options->lease(null);
        $ahead = $this->look->keysAhead($options->reads);
        $seen = null;
        if ($ahead === []) {
            $answer = $this->store->getOrLease($storeKey, $seconds);
        } else {
            $at = (int) hrtime(true);
            $answers = Operation::run(
                $this->store,
                [Operation::getOrLease($storeKey, $seconds), ...array_map(Operation::read(...), $ahead)],
            );
            $answer = $answers[0];
            $found = [];
            foreach ($ahead as $number => $name) {
                if ($answers[$number + 1]->hit) {
                    $found[$name] = $answers[$number + 1]->value;
                }
            }
            $seen = new SeenVersions($found, $at);
        }

        if ($answer->lease === null || $answer->lease === self::NO_ROOM) {
            return null;
        }
        if ($seen !== null && $this->look->isChanging($seen)) {
            // Others would wait for what cannot be stored.
            $this->store->release($storeKey, $answer->lease);

            return new Computation($key, $storeKey, null);
        }

        return new Computation($key, $storeKey, $answer->lease, seen: $seen, seconds: $seconds);
    }

    /**
     * @param Waiting|null $waiting null: the caller can do with an old value
     * @param bool|null    $isLate  whether to ask again, which holds for all keys that were asked for together; null:
     *     not known yet
     *
     * @param-out bool|null $isLate
     */
    private function withoutRoom(
        string $key,
        string $storeKey,
        Options $options,
        ?Waiting $waiting,
        ?bool &$isLate,
    ): Entry|Computation|null {
        if ($waiting !== null && ($isLate ??= $this->lateLocks->areReasonToWait($waiting))) {
            return null;
        }
        $this->tally->leaseless($key);

        return $waiting === null ? null : $this->local($key, $storeKey, $options, $waiting);
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
        $lease = $options->wait() === 0.0 ? null : $this->hostLeases->of($storeKey);
        $taken = $lease?->take($waiting->since, $options->lease(null));
        $waiting->local[$storeKey] = true;

        return match (true) {
            \is_string($taken) => $this->joined($taken, $options) ?? new Computation($key, $storeKey, null),
            $taken === false => $waiting->isAtItsEnd() ? new Computation($key, $storeKey, null) : null,
            default => new Computation(
                $key,
                $storeKey,
                null,
                local: $taken === true ? $lease : null,
                seconds: $options->lease(null),
            ),
        };
    }

    /** The value that another process of this host made after this one had asked for it; null: it cannot be read. */
    private function joined(string $made, Options $options): ?Entry
    {
        $parts = StoredBytes::read($made, $this->hostLeases->classes())->value;
        if (!\is_array($parts) || !\array_key_exists('value', $parts)) {
            return null;
        }
        if (($parts['bounded'] ?? null) !== true) {
            $this->versions->refuse(self::JOINED);
        }

        return $options->entry($parts['value'], ($this->now)());
    }

    /**
     * Takes the leases of values that are there.
     *
     * @param array<array-key, string> $storeKeys by key
     * @param array<array-key, Entry>  $old       by key; without it the data that the stored one was made from has
     *     changed
     * @param Waiting|null             $waiting   null: the caller can do with an old value
     *
     * @param-out bool|null $isLate as withoutRoom() has it
     *
     * @return array<array-key, Entry|Computation|null> by key
     */
    private function leased(
        array $storeKeys,
        array $old,
        Options $options,
        ?Waiting $waiting = null,
        ?bool &$isLate = null,
    ): array {
        $leases = [];
        foreach ($storeKeys as $key => $storeKey) {
            $leases[$key] = Operation::lease($storeKey, $options->lease($old[$key]->cost ?? null));
        }
        $leases = array_map(static fn(Answer $answer): ?int => $answer->lease, Operation::run($this->store, $leases));
        // The process that held a lease before may have stored just now.
        $isHeld = static fn(?int $lease): bool => $lease !== null && $lease !== self::NO_ROOM;
        $held = array_intersect_key($storeKeys, array_filter($leases, $isHeld));
        $stored = [];
        $entries = $held === [] ? [] : $this->look->entries(array_values($held), $stored);
        $claimed = $releases = $gone = [];
        foreach ($storeKeys as $key => $storeKey) {
            $lease = $leases[$key];
            $entry = $lease === null ? null : $entries[$storeKey] ?? null;
            if ($lease !== null && $entry !== null && (!isset($old[$key]) || !$entry->is($old[$key]))) {
                $releases[] = Operation::release($storeKey, $lease);
                $claimed[$key] = $entry;
            } elseif ($lease !== null && isset($held[$key]) && !\array_key_exists($storeKey, $stored)) {
                $releases[] = Operation::release($storeKey, $lease);
                $gone[$key] = $storeKey;
            } else {
                $claimed[$key] = match ($lease) {
                    null => null,
                    self::NO_ROOM => $this->withoutRoom((string) $key, $storeKey, $options, $waiting, $isLate),
                    default => new Computation(
                        (string) $key,
                        $storeKey,
                        $lease,
                        isset($old[$key]),
                        seconds: $options->lease($old[$key]->cost ?? null),
                    ),
                };
            }
        }
        Operation::run($this->store, $releases);

        return $gone === [] ? $claimed : $this->leasedAnew($gone, $old, $options) + $claimed;
    }

    /**
     * For values that were deleted at about the time when their leases were taken. If it was after that, these leases
     * have ended with the values, and nothing could be stored by them.
     *
     * @param array<array-key, string> $storeKeys by key
     * @param array<array-key, Entry>  $old       by key
     *
     * @return array<array-key, Entry|Computation|null> by key
     */
    private function leasedAnew(array $storeKeys, array $old, Options $options): array
    {
        $seconds = $options->lease(null);
        $answers = Operation::run($this->store, array_map(
            static fn(string $storeKey): Operation => Operation::getOrLease($storeKey, $seconds),
            $storeKeys,
        ));
        $hits = array_filter($answers, static fn(Answer $answer): bool => $answer->hit);
        $entries = $this->look->allCurrent(array_map(static fn(Answer $hit): Entry => Entry::of($hit->value), $hits));
        $claimed = [];
        foreach ($storeKeys as $key => $storeKey) {
            $lease = $answers[$key]->lease;
            $claimed[$key] = $lease === null || $lease === self::NO_ROOM
                ? $entries[$key] ?? null
                : new Computation((string) $key, $storeKey, $lease, isset($old[$key]), seconds: $seconds);
        }

        return $claimed;
    }

    /**
     * @param array<array-key, list<string|Name>> $names by key
     *
     * @return array<array-key, mixed> those of which some data is being changed
     */
    private function refused(array $names): array
    {
        $names = array_filter($names);
        // One question for all, since the answer is nearly always no.
        if ($names === [] || !$this->versions->wouldRefuse(array_merge(...array_values($names)))) {
            return [];
        }

        return \count($names) === 1 ? $names : array_filter($names, $this->versions->wouldRefuse(...));
    }
}
