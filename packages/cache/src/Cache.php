<?php

declare(strict_types=1);

namespace Larder;

use Closure;
use DateInterval;
use DateTimeImmutable;
use Larder\Cache\Batch;
use Larder\Cache\Claim;
use Larder\Cache\Claimed;
use Larder\Cache\Computation;
use Larder\Cache\DeferredRefreshes;
use Larder\Cache\Entry;
use Larder\Cache\Event;
use Larder\Cache\HostLeases;
use Larder\Cache\Inspection;
use Larder\Cache\Leases;
use Larder\Cache\Look;
use Larder\Cache\Make;
use Larder\Cache\MonotonicClock;
use Larder\Cache\Observer;
use Larder\Cache\Options;
use Larder\Cache\Settings;
use Larder\Cache\State;
use Larder\Cache\Tally;
use Larder\Cache\Update;
use Larder\Cache\Waits;
use Larder\Dependency\Change;
use Larder\Dependency\Gates;
use Larder\Dependency\Name;
use Larder\Dependency\Reading;
use Larder\Dependency\Versions;
use Larder\Dependency\VersionsInStore;
use Larder\Exception\ChangeFailed;
use Larder\Exception\FailoverIsOn;
use Larder\Exception\InvalidKey;
use Larder\Exception\NotMadeInTime;
use Larder\Exception\OwnKey;
use Larder\Exception\PoolIsShared;
use Larder\Exception\PrivateMemory;
use Larder\Exception\UnknownName;
use Larder\Exception\UnstorableValue;
use Larder\Metrics\Counters;
use Larder\Metrics\NullCounters;
use Larder\Store\MayKeepNothing;
use Larder\Store\SharedMemoryStore;
use Psr\Clock\ClockInterface;
use Psr\Log\LoggerInterface;
use Psr\Log\NullLogger;
use Throwable;
use ValueError;

/**
 * Keeps values that are made once, are never stale and never stampede.
 *
 * The life of a value: it is fresh for its ttl (everybody gets it at once); then in grace (one caller makes it anew,
 * all others get the old one at once); then gone (one caller makes it, the others wait for it). A change of what it was
 * made from ends it at any time: a value that was made from old data is handed to the caller that made it, and to
 * nobody else.
 *
 * A cache that fails costs time, never a value: a store that is slow or gone is a miss.
 *
 * A ttl is in seconds from now on, never a Unix time, and must be finite (ValueError). Where the clocks of two hosts
 * differ, a value is fresh for that much longer or shorter, but the store removes it after ttl + grace at the latest.
 *
 * The code is in three steps, each in the class of its name, and a request walks down them until it has a value:
 *
 *     1. Look finds the entry of the key: a value with its times and the versions of what it was made from. A fresh one
 *        ends the walk.
 *     2. Claim takes the lease, so that one caller makes the value. The others get the old one, or wait until there is
 *        a new one.
 *     3. Make    runs the compute, stores what it made, and gives the lease back.
 *
 * Only remember() and rememberMultiple() walk on from the first step: looking takes no lease. Entry alone knows how a
 * value lies in the store, Tally makes known what became of each request, Update is for values that are there already:
 * cas(), touch(), append().
 */
final class Cache
{
    /** Hits that the tally has not seen, because they took a short way. */
    private int $hits = 0;

    /** Misses that say nothing of the next request; see $misses. */
    private const BY_CHANCE = 1;

    /**
     * Requests in a row for a value that was not there, in a store that takes a trip. After some of them the next one
     * looks and claims in one trip, which is a little slower for a value that is there.
     */
    private int $misses = 0;

    private readonly bool $isNear;

    /** The store, if a hit may be one call to it. */
    private readonly ?NearStore $near;

    /** Versions that a near store may compare by itself; null: they lie elsewhere. */
    private readonly ?VersionsInStore $compared;

    private readonly Versions $versions;

    /** @var Closure(): float Unix time */
    private readonly Closure $now;

    private readonly Tally $tally;

    private readonly Look $look;

    private readonly Claim $claim;

    private readonly Make $make;

    private readonly bool $readsTogether;

    private readonly Update $update;

    /** Null: values are made anew before they are handed out. */
    private readonly ?DeferredRefreshes $refreshes;

    /** Of a call that asks for nothing but a key. */
    private readonly Options $defaults;

    /** Of the last call with a ttl alone, and its ttl: mostly the next one's too. */
    private Options $plain;
    private int|float|null $plainTtl = null;

    /**
     * @param Store $store for values; a Memcached must be constructed with shared: false, and without failover
     * @param Versions|null       $versions of the data; null: kept in the same store
     * @param LoggerInterface|null $log     null: PHP's error_log, one line a minute and cause
     * @param Counters            $counters get their numbers at flush(), and at the end
     * @param ClockInterface|null $clock    null: the system's, a little faster
     * @param Observer|null       $observer sees every request, which then takes a little longer
     * @param int|null            $mostWaiting so many processes of this user on this host wait at a time for what
     *     others make; one more gets a NotMadeInTime, since a pool whose processes all wait answers nobody. null: any
     *     number
     *
     * @throws FailoverIsOn
     * @throws PoolIsShared
     * @throws ValueError if $mostWaiting is negative
     */
    public function __construct(
        private readonly Store $store,
        ?Versions $versions = null,
        private readonly Settings $settings = new Settings(),
        ?LoggerInterface $log = null,
        Counters $counters = new NullCounters(),
        ?ClockInterface $clock = null,
        ?Observer $observer = null,
        ?int $mostWaiting = null,
    ) {
        if ($mostWaiting !== null && $mostWaiting < 0) {
            throw new ValueError('$mostWaiting must not be negative');
        }
        if ($store instanceof Memcached) {
            self::check($store->settings());
        }
        SharedMemoryStore::report($store, $log, $counters);
        $this->now = $now = $clock === null
            ? static fn(): float => microtime(true)
            : static fn(): float => (float) $clock->now()->format('U.u');
        $this->versions = $versions ?? new Gates($store);
        $isPlain = $clock === null && $observer === null && !$this->versions->watchesAll();
        // Such a store said already, or was told, that it keeps nothing.
        $isOff = $store instanceof MayKeepNothing && $store->keepsNothing();
        $this->tally = new Tally(
            $this->versions,
            $counters,
            $observer,
            $isOff ? new NullLogger() : $log,
            $now,
            $store,
        );
        $this->look = new Look($store, $this->versions, $settings->early, $now, $isPlain);
        $this->readsTogether = $this->look->readsTogether;
        $leases = new Leases($store);
        $waiting = $clock instanceof MonotonicClock ? $clock : null;
        $host = new HostLeases($store);
        $this->claim = new Claim(
            $store,
            $this->look,
            $this->versions,
            $this->tally,
            $settings,
            $now,
            new Waits($store, $leases, $this->tally, $settings, $waiting, $host, $mostWaiting, $this->versions),
            $host,
        );
        $this->make = new Make($store, $this->versions, $this->tally, $leases, $settings->early, $now);
        $this->update = new Update($store, $this->look, $settings->early, $now);
        $this->refreshes = $settings->defersRefreshes() ? new DeferredRefreshes($this->tally) : null;
        $this->defaults = $this->plain = new Options($settings);
        $this->isNear = $store instanceof NearStore;
        $this->near = $isPlain && $store instanceof NearStore ? $store : null;
        $isBeside = $this->versions instanceof VersionsInStore && $this->versions->areIn($store);
        $this->compared = $isBeside ? $this->versions : null;
    }

    public function __destruct()
    {
        $this->flush();
    }

    /**
     * The value of a key; where there is none, $compute makes it, in one process at a time.
     *
     * @template T
     *
     * @param callable(): T $compute
     * @param int|float|DateInterval|(Closure(T): (int|float|DateInterval|null))|null $ttl seconds that it is fresh;
     *     null: as the settings say; 0 or less: what is there is handed out as ever, but what is made is not kept. A
     *     closure is asked once the value is made
     * @param float|null              $grace seconds that it is kept beyond
     * @param list<string|Name> $reads what data it is made from, as far as that is known before; more by reads()
     * @param float|null              $lease seconds that its compute may take
     * @param float|null              $wait  seconds to wait for another process's compute; null: as the settings say
     *
     * @return T
     *
     * @throws InvalidKey
     * @throws UnknownName
     * @throws OwnKey          if $compute asks for this key
     * @throws NotMadeInTime   with AfterWait::Fail
     * @throws UnstorableValue if what it made cannot be stored
     * @throws Throwable       what $compute throws; others get the last good value, or make it themselves. What it
     *     throws after the response (Refresh::AfterResponse) is logged
     */
    public function remember(
        string $key,
        Closure|callable $compute,
        int|float|DateInterval|Closure|null $ttl = null,
        ?float $grace = null,
        array $reads = [],
        ?float $lease = null,
        ?float $wait = null,
    ): mixed {
        $expectsMiss = $this->misses > self::BY_CHANCE;
        if ($this->near !== null) {
            $value = $reads === [] || $this->compared === null ? $this->near->fresh($key) : null;
            if ($value === null && $this->compared !== null) {
                // Then what may be handed out at once is not there.
                $expectsMiss = $this->compared->isCalm();
                $value = $expectsMiss || $reads !== [] ? $this->near->fresh($key, $expectsMiss) : null;
            }
            if ($value !== null) {
                ++$this->hits;

                return $value;
            }
        }
        $stored = State::Missing;
        if (!$expectsMiss && ($reads === [] || !$this->readsTogether)) {
            try {
                $stored = $this->store->get($key, State::Missing);
            } catch (ValueError) {
                // Its entry has another key.
            }
            if ($this->look->isPlainHit($stored)) {
                ++$this->hits;
                $this->misses = 0;

                return $stored[Entry::VALUE] ?? null;
            }
        }

        $isPlain = $reads === [] && $grace === null && $lease === null && $wait === null && !\is_object($ttl);
        $options = $isPlain
            ? $this->plain($ttl)
            : new Options($this->settings, $this->ttl($ttl), $grace, $reads, $lease, $wait);

        return $this->found($key, $stored, $expectsMiss, $compute, $options);
    }

    /**
     * The values of many keys, as remember() gives each: one compute for all that this process is to make, and for any
     * number of keys as many trips to the store as for one.
     *
     * @param list<string>                                    $keys
     * @param callable(list<string>): array<array-key, mixed> $compute makes the values of these keys, by key; what it
     *     leaves out is not there
     * @param int|float|DateInterval|(Closure(mixed): (int|float|DateInterval|null))|null $ttl
     * @param (Closure(string): list<string|Name>)|null $reads what data the value of one key is made from; what
     *     it says of one key is taken to concern no other, also where $compute reads it for all
     *
     * @return array<array-key, mixed> by key, in the order asked for; PHP turns keys such as "7" into integers
     *
     * @throws InvalidKey
     * @throws UnknownName
     * @throws OwnKey
     * @throws NotMadeInTime
     * @throws UnstorableValue
     * @throws Throwable       what $compute throws
     */
    public function rememberMultiple(
        array $keys,
        Closure|callable $compute,
        int|float|DateInterval|Closure|null $ttl = null,
        ?float $grace = null,
        ?Closure $reads = null,
        ?float $lease = null,
        ?float $wait = null,
    ): array {
        $options = new Options($this->settings, $this->ttl($ttl), $grace, [], $lease, $wait);
        $batch = new Batch(
            $this->look,
            $this->claim,
            $this->make,
            $this->tally,
            $this->refreshes,
            $compute(...),
            $reads,
            $options,
        );

        return $batch->values($keys);
    }

    /**
     * The value of a key that is there, fresh or in grace, or the default. No caller is asked to make anything.
     *
     * @throws InvalidKey
     */
    public function get(string $key, mixed $default = null): mixed
    {
        return $this->fetch($key, $value) ? $value : $default;
    }

    /**
     * Whether there is a value, fresh or in grace; it may be null or false. No caller is asked to make anything: for a
     * value that one process at a time is to make there is remember().
     *
     * @param-out mixed $value null if it returns false
     *
     * @throws InvalidKey
     */
    public function fetch(string $key, mixed &$value = null): bool
    {
        $value = $this->near?->fresh($key);
        if ($value === null && $this->near !== null && $this->compared?->isCalm() === true) {
            $value = $this->near->fresh($key, true);
        }
        if ($value !== null) {
            ++$this->hits;

            return true;
        }
        $storeKey = Entry::key($key);
        $stored = $this->store->get($storeKey, State::Missing);
        if ($this->look->isPlainHit($stored)) {
            ++$this->hits;
            $value = $stored[Entry::VALUE] ?? null;

            return true;
        }
        $entry = $this->seen($key, $this->look->current($stored));
        $value = $entry?->value;

        return $entry !== null;
    }

    /**
     * The values that are there, each as fetch() gives it.
     *
     * @param list<string> $keys
     *
     * @return array<array-key, mixed> by key, in the order asked for; PHP turns keys such as "7" into integers
     *
     * @throws InvalidKey
     */
    public function getMultiple(array $keys): array
    {
        $storeKeys = $this->storeKeys($keys);
        $found = $this->look->entries(array_values($storeKeys));
        $values = [];
        foreach ($storeKeys as $key => $storeKey) {
            $entry = $this->seen((string) $key, $found[$storeKey] ?? null);
            if ($entry !== null) {
                $values[$key] = $entry->value;
            }
        }

        return $values;
    }

    /**
     * The values that are fresh, to the end of their ttl. No caller is asked to make anything.
     *
     * @param list<string> $keys
     *
     * @return array<array-key, mixed> by key, in the order asked for; PHP turns keys such as "7" into integers
     *
     * @throws InvalidKey
     */
    public function fresh(array $keys): array
    {
        $storeKeys = $this->storeKeys($keys);
        $found = $this->look->entries(array_values($storeKeys));
        $values = [];
        foreach ($storeKeys as $key => $storeKey) {
            $entry = $found[$storeKey] ?? null;
            if ($entry === null || $this->look->isOver($entry)) {
                $this->tally->missed((string) $key, Event::Miss, $entry?->cost, $this->defaults);
            } else {
                $values[$key] = $this->tally->handOut((string) $key, $entry, Event::Hit, $this->defaults);
            }
        }

        return $values;
    }

    /**
     * What there is of each key, and how far its life has come. No caller is asked to make anything.
     *
     * @return array<array-key, Inspection> by key
     *
     * @throws InvalidKey
     */
    public function look(string ...$keys): array
    {
        return $this->update->inspect($this->storeKeys(array_values($keys)));
    }

    /**
     * Whether there is a value, fresh or in grace.
     *
     * @throws InvalidKey
     */
    public function has(string $key): bool
    {
        return $this->look->entry(Entry::key($key)) !== null;
    }

    /**
     * Keeps a value.
     *
     * @param int|float|DateInterval|null $ttl   seconds; null: as the settings say; 0 or less removes the key
     * @param float|null                  $grace seconds
     * @param Reading|null $reads what data it is made from, with the versions of before it was read. It must be
     *     committed: it is not stored inside a transaction that may have written
     *
     * @return bool false: it was not stored; with $reads also when the data has changed since, or cannot be known to be
     *     the present one
     *
     * @throws InvalidKey
     * @throws UnstorableValue
     */
    public function set(
        string $key,
        mixed $value,
        int|float|DateInterval|null $ttl = null,
        ?float $grace = null,
        ?Reading $reads = null,
    ): bool {
        $options = new Options($this->settings, $this->interval($ttl), $grace);

        return $options->keep()
            ? $this->make->set($key, Entry::key($key), $value, $options, $reads) === Outcome::Done
            : $this->delete($key);
    }

    /**
     * As set(), all in one trip. A value that cannot be stored ends the call after the others are stored.
     *
     * @param array<array-key, mixed> $values by key
     * @param int|float|DateInterval|array<array-key, int|float|DateInterval|null>|null $ttl of all, or by key
     *
     * @return array<array-key, bool> by key
     *
     * @throws InvalidKey      before anything is stored
     * @throws UnstorableValue
     */
    public function setMultiple(
        array $values,
        int|float|DateInterval|array|null $ttl = null,
        ?float $grace = null,
    ): array {
        $storeKeys = $this->storeKeys(array_map(strval(...), array_keys($values)));
        $ofAll = \is_array($ttl) ? null : new Options($this->settings, $this->interval($ttl), $grace);
        $options = [];
        foreach (array_keys($storeKeys) as $key) {
            $own = \is_array($ttl) ? $ttl[$key] ?? null : null;
            $options[$key] = $ofAll ?? new Options($this->settings, $this->interval($own), $grace);
        }
        $stored = [];
        foreach ($this->make->setMultiple($values, $storeKeys, $options) as $key => $outcome) {
            $stored[$key] = $options[$key]->keep() ? $outcome === Outcome::Done : self::isGone($outcome);
        }

        return $stored;
    }

    /**
     * Stores if the value is still the one of this version; see look().
     *
     * @return Outcome Exists: somebody changed it; NotFound: it is gone
     *
     * @throws InvalidKey
     * @throws UnstorableValue
     */
    public function cas(
        string $key,
        mixed $value,
        int $version,
        int|float|DateInterval|null $ttl = null,
        ?float $grace = null,
    ): Outcome {
        $options = new Options($this->settings, $this->interval($ttl), $grace);

        return $this->update->cas([$key => Entry::key($key)], [$key => $value], [$key => $version], $options)[$key];
    }

    /**
     * As cas(), all in one trip. A value that cannot be stored ends the call after the others are stored.
     *
     * @param array<array-key, mixed> $values   by key
     * @param array<array-key, int>   $versions by key
     *
     * @return array<array-key, Outcome> by key; NotFound without a version
     *
     * @throws InvalidKey      before anything is stored
     * @throws UnstorableValue
     */
    public function casMultiple(
        array $values,
        array $versions,
        int|float|DateInterval|null $ttl = null,
        ?float $grace = null,
    ): array {
        $options = new Options($this->settings, $this->interval($ttl), $grace);
        $storeKeys = $this->storeKeys(array_map(strval(...), array_keys($values)));
        $versions = array_filter($versions, static fn(int $version): bool => $version !== 0);
        $outcomes = $this->update->cas(array_intersect_key($storeKeys, $versions), $values, $versions, $options);

        return array_replace(array_map(static fn(): Outcome => Outcome::NotFound, $storeKeys), $outcomes);
    }

    /**
     * Gives a value a new ttl and grace from now on; 0 or less removes it.
     *
     * @throws InvalidKey
     */
    public function touch(string $key, int|float|DateInterval|null $ttl = null, ?float $grace = null): Outcome
    {
        return $this->touchMultiple([$key], $ttl, $grace)[$key];
    }

    /**
     * As touch(), all in as many trips as one.
     *
     * @param list<string> $keys
     *
     * @return array<array-key, Outcome> by key
     *
     * @throws InvalidKey
     */
    public function touchMultiple(
        array $keys,
        int|float|DateInterval|null $ttl = null,
        ?float $grace = null,
    ): array {
        $options = new Options($this->settings, $this->interval($ttl), $grace);

        return $this->update->touch($this->storeKeys($keys), $options);
    }

    /**
     * Adds to the end of a string that this cache keeps; its ttl stays.
     *
     * @return Outcome Exists: the value is no string, or others change it faster than this process can; NotFound: there
     *     is none
     *
     * @throws InvalidKey
     */
    public function append(string $key, string $suffix): Outcome
    {
        return $this->appendMultiple([$key => $suffix])[$key];
    }

    /**
     * As append(), all in as many trips as one.
     *
     * @param array<array-key, string> $suffixes by key
     *
     * @return array<array-key, Outcome> by key
     *
     * @throws InvalidKey before anything is stored
     */
    public function appendMultiple(array $suffixes): array
    {
        return $this->update->append($this->storeKeys(array_map(strval(...), array_keys($suffixes))), $suffixes);
    }

    /**
     * Adds to a counter, exactly once. A counter is the store's own: get() gives it, and no ttl but its first one ends
     * it.
     *
     * @param int|null $initial what it starts with where there is none (it is not added to); null: Outcome::NotFound
     * @param int|float|DateInterval|null $ttl seconds, of a counter that starts here; null: without end
     *
     * @return int|Outcome the sum; Outcome::Exists: the value is no counter, or the sum would not fit
     *
     * @throws InvalidKey
     */
    public function increment(
        string $key,
        int $by = 1,
        ?int $initial = null,
        int|float|DateInterval|null $ttl = null,
    ): int|Outcome {
        // A page with a counter in it has only its ttl to end by.
        $this->versions->used([], PHP_FLOAT_MAX);
        $seconds = Settings::checkedTtl($this->interval($ttl));

        return $this->store->increment(Entry::key($key), $by, $initial, $seconds);
    }

    /**
     * As increment(), with $by taken away. May go below 0.
     *
     * @throws InvalidKey
     */
    public function decrement(
        string $key,
        int $by = 1,
        ?int $initial = null,
        int|float|DateInterval|null $ttl = null,
    ): int|Outcome {
        // A page with a counter in it has only its ttl to end by.
        $this->versions->used([], PHP_FLOAT_MAX);
        $seconds = Settings::checkedTtl($this->interval($ttl));

        return $this->store->decrement(Entry::key($key), $by, $initial, $seconds);
    }

    /**
     * Removes a value, and ends its lease: what is being made of it now will not be stored.
     *
     * @return bool false: it may still be there, because the store did not answer
     *
     * @throws InvalidKey
     */
    public function delete(string $key): bool
    {
        return self::isGone($this->store->delete(Entry::key($key)));
    }

    /**
     * @param list<string> $keys
     *
     * @return array<array-key, bool> by key; see delete()
     *
     * @throws InvalidKey before anything is removed
     */
    public function deleteMultiple(array $keys): array
    {
        $storeKeys = $this->storeKeys($keys);
        $outcomes = $this->store->deleteMultiple(array_values($storeKeys));

        return array_map(static fn(string $storeKey): bool => self::isGone($outcomes[$storeKey]), $storeKeys);
    }

    /** Removes all values of the store's namespace, and the versions of data that lie in it. */
    public function clear(): bool
    {
        return $this->store->clear() === Outcome::Done;
    }

    /**
     * Tells that what is being made now is also made from this data; at any time before the compute ends. It is stored
     * unless one of these names has changed since the compute began. Names that are known before are told faster by
     * remember()'s $reads.
     *
     * @throws UnknownName
     */
    public function reads(string|Name ...$names): void
    {
        $this->versions->reads(...$names);
    }

    /**
     * Takes the versions of names, for a set() of what is read after it:
     *
     *     $reads = $cache->reading('news:4');
     *     $cache->set('title of 4', $news->title(4), reads: $reads);
     *
     * Within a compute, what is being made counts as made from this data too.
     *
     * @throws UnknownName
     */
    public function reading(string|Name ...$names): Reading
    {
        $life = $this->defaults->keep() ? $this->defaults->life : null;
        $taken = $this->versions->make(static fn(): null => null, array_values($names), $life);

        return new Reading($taken->stamps, $taken->why, $taken->refusal);
    }

    /**
     * Runs a writer's transaction, and ends every value, and every page, that was made from the data that it changes.
     *
     * @template T
     *
     * @param list<string|Name> $names what it changes, as far as that is known beforehand
     * @param Closure(Change): T      $write within the transaction; may tell the Change more
     *
     * @return T
     *
     * @throws UnknownName
     * @throws PrivateMemory before anything is written: other processes do not see the shared memory of the versions
     * @throws ChangeFailed  after a rollback
     * @throws Throwable     after a rollback; what $write throws
     */
    public function change(array $names, Closure $write): mixed
    {
        return $this->versions->change($names, $write);
    }

    /**
     * Makes the values anew whose old ones were handed out before; see Refresh::AfterResponse. For programs that answer
     * many requests: to be called after each response. What a compute throws is logged, and the old value stays.
     */
    public function runDeferred(): void
    {
        $this->refreshes?->run();
    }

    /** Gives the counters what was counted since the last time. */
    public function flush(): void
    {
        $this->tally->flush($this->hits);
        $this->hits = 0;
    }

    /**
     * The rest of remember(), where the short way did not end.
     *
     * @template T
     *
     * @param mixed         $stored      under the key as it was given; State::Missing: nothing, or nobody looked
     * @param bool          $expectsMiss nobody looked
     * @param callable(): T $compute
     *
     * @return T
     */
    private function found(
        string $key,
        mixed $stored,
        bool $expectsMiss,
        callable $compute,
        Options $options,
    ): mixed {
        $storeKey = Entry::key($key);
        $this->make->refuseOwn($key, $storeKey);
        ++$this->misses;
        $claimed = $expectsMiss ? $this->claim->lookedFor($key, $storeKey, $options) : null;
        if ($claimed === null) {
            $changing = false;
            $entry = match (true) {
                $options->reads !== [] && $this->readsTogether
                    => $this->look->entryWith($storeKey, $options->reads, $changing),
                // Where a miss is expected nobody has looked yet.
                $storeKey !== $key || $expectsMiss => $this->look->entry($storeKey),
                default => $this->look->current($stored),
            };
            if ($entry !== null && $this->look->isFresh($entry)) {
                $this->misses = 0;

                /** @var T what $compute made in another call */
                return $this->tally->handOut($key, $entry, Event::Hit, $options);
            }
            $claimed = match (true) {
                $entry !== null => $this->claim->outdated($key, $storeKey, $entry, $options),
                $changing => new Claimed(new Computation($key, $storeKey, null)),
                default => $this->claim->missing($key, $storeKey, $options),
            };
        }
        if ($claimed->wasThere || $this->isNear) {
            $this->misses = 0;
        }
        $result = $claimed->result;
        if ($result instanceof Computation) {
            if ($claimed->old === null || $this->refreshes === null) {
                return $this->make->one($compute(...), $result, $options);
            }
            $this->claim->waits->defer($result);
            $this->refreshes->add($key, fn(): mixed => $this->make->one($compute(...), $result, $options));
            // The tally hears of this request once the value is made.
            $result = $claimed->old;
        }

        /** @var T what $compute made in another call */
        return $this->tally->handOut($key, $result, $claimed->event, $options);
    }

    /** An entry that a caller looked at, as it is handed out. */
    private function seen(string $key, ?Entry $entry): ?Entry
    {
        if ($entry === null) {
            $this->tally->missed($key, Event::Miss, null, $this->defaults);
        } else {
            $event = $this->look->isOver($entry) ? Event::Stale : Event::Hit;
            $this->tally->handOut($key, $entry, $event, $this->defaults);
        }

        return $entry;
    }

    /**
     * @param array<string, mixed> $settings of a Memcached
     *
     * @throws FailoverIsOn
     * @throws PoolIsShared
     */
    private static function check(array $settings): void
    {
        if ($settings['failover'] !== 'none') {
            throw FailoverIsOn::ofMemcached();
        }
        if ($settings['shared'] !== false) {
            throw new PoolIsShared(
                'Other clients may use the keys of this Memcached, so it has no leases: '
                . 'construct it with shared: false for a cache',
            );
        }
    }

    private function plain(int|float|null $ttl): Options
    {
        if ($ttl !== $this->plainTtl) {
            $this->plain = new Options($this->settings, $ttl);
            $this->plainTtl = $ttl;
        }

        return $this->plain;
    }

    /** @param int|float|DateInterval|(Closure(mixed): (int|float|DateInterval|null))|null $ttl */
    private function ttl(int|float|DateInterval|Closure|null $ttl): float|Closure|null
    {
        return $ttl instanceof Closure
            ? fn(mixed $value): ?float => $this->interval($ttl($value))
            : $this->interval($ttl);
    }

    private function interval(int|float|DateInterval|null $ttl): ?float
    {
        return $ttl instanceof DateInterval
            ? Settings::seconds($ttl, new DateTimeImmutable(\sprintf('@%.6F', ($this->now)())))
            : $ttl;
    }

    private static function isGone(Outcome $outcome): bool
    {
        return $outcome === Outcome::Done || $outcome === Outcome::NotFound;
    }

    /**
     * @param list<string> $keys
     *
     * @return array<array-key, string> by key
     *
     * @throws InvalidKey
     */
    private function storeKeys(array $keys): array
    {
        return array_map(Entry::key(...), array_combine($keys, $keys));
    }
}
