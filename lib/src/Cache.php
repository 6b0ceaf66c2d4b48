<?php

declare(strict_types=1);

namespace Larder;

use Closure;
use Larder\Cache\Batch;
use Larder\Cache\Computes;
use Larder\Cache\Edits;
use Larder\Cache\Entries;
use Larder\Cache\Entry;
use Larder\Cache\Fetches;
use Larder\Cache\Item;
use Larder\Cache\Look;
use Larder\Cache\Maker;
use Larder\Cache\Observer;
use Larder\Cache\Requests;
use Larder\Cache\Seconds;
use Larder\Cache\Settings;
use Larder\Cache\Tally;
use Larder\Cache\Terms;
use Larder\Cache\Time;
use Larder\Dependency\Change;
use Larder\Dependency\Dependency;
use Larder\Dependency\Gates;
use Larder\Dependency\Versions;
use Larder\Exception\ChangeFailed;
use Larder\Exception\FailoverIsOn;
use Larder\Exception\InvalidKey;
use Larder\Exception\NotMadeInTime;
use Larder\Exception\OwnKey;
use Larder\Exception\PoolIsShared;
use Larder\Exception\UnknownName;
use Larder\Exception\UnstorableValue;
use Larder\Metrics\Counters;
use Larder\Metrics\NullCounters;
use Psr\Clock\ClockInterface;
use Psr\Log\LoggerInterface;
use Throwable;
use ValueError;

/**
 * Keeps values that are made once, are never stale and never stampede.
 *
 * The life of a value: fresh for its ttl (handed out at once); then in grace (one caller makes it anew, all others get the old one at
 * once); then gone (one caller makes it, the others wait for it). A change of what it was made from ends it at any time: what was made
 * from old data is handed to whoever made it, and to nobody else.
 *
 * A cache that fails costs time, never a value: a store that is slow or gone is a miss.
 *
 * A ttl is in seconds from now on, never a Unix time, and must be finite (ValueError). Hosts whose clocks are apart see a value as fresh
 * for so much longer or shorter, but the store removes it after ttl + grace at the latest, whatever the clocks say.
 */
final class Cache
{
    /** Of the shortest paths. Starts far below 0 where each hit must be looked at: so they have one question less. */
    private int $hits = 0;

    /** The store, if nothing forbids the very shortest path. */
    private readonly ?SharedMemory $memory;

    private readonly Entries $entries;

    private readonly Versions $versions;

    /** Whether a value and the versions of what it reads come in one trip, so that the value alone is not asked for first. */
    private readonly bool $readsTogether;

    private readonly Time $time;

    private readonly Tally $tally;

    private readonly Requests $requests;

    private readonly Computes $computes;

    private readonly Maker $maker;

    private readonly Edits $edits;

    private readonly Fetches $fetches;

    /**
     * @param Store               $store    for values; a Memcached must be constructed with shared: false, and without failover
     * @param Versions|null       $versions of the data; null: kept in the same store
     * @param Counters            $counters told at flush(), and at the end
     * @param ClockInterface|null $clock    null: the system's, a little faster
     * @param Observer|null       $observer told of every request, which costs the shortest path
     *
     * @throws FailoverIsOn
     * @throws PoolIsShared
     */
    public function __construct(
        private readonly Store $store,
        ?Versions $versions = null,
        private readonly Settings $settings = new Settings(),
        ?LoggerInterface $log = null,
        Counters $counters = new NullCounters(),
        ?ClockInterface $clock = null,
        ?Observer $observer = null,
    ) {
        if ($store instanceof Memcached) {
            self::check($store->settings());
        }
        $this->versions = $versions ?? new Gates($store);
        $this->entries = new Entries($store, $this->versions, $settings->early);
        $this->readsTogether = $this->entries->readsTogether();
        $this->time = new Time($clock);
        $this->tally = new Tally($counters, $observer, $log);
        $this->requests = new Requests($this->entries, $this->versions, $settings, $this->time, $this->tally);
        $this->computes = new Computes($this->entries, $this->versions, $this->time, $this->tally);
        $this->maker = new Maker($this->requests, $this->computes);
        $this->edits = new Edits($this->entries, $this->time, $settings->early);
        $this->fetches = new Fetches($this->requests, new Terms($settings));
        if ($clock !== null || $observer !== null || $this->versions->watchesAll()) {
            $this->hits = PHP_INT_MIN;
        }
        $this->memory = $store instanceof SharedMemory && $this->hits === 0 ? $store : null;
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
     * @param Closure(): T                          $compute
     * @param float|(Closure(T): (float|null))|null $ttl     seconds that it is fresh; null: as the settings say; 0 or less: what is there
     *                                                       is handed out as ever, but what is made is not kept. A closure is asked
     *                                                       once the value is made
     * @param float|null                            $grace   seconds that it is kept beyond
     * @param list<string|Dependency>               $reads   what data it is made from, as far as that is known before; more by reads()
     * @param float|null                            $lease   seconds that its compute may take
     * @param float|null                            $wait    seconds to wait for another process's compute
     *
     * @return T
     *
     * @throws InvalidKey
     * @throws UnknownName
     * @throws OwnKey          if $compute asks for this key
     * @throws NotMadeInTime   with AfterWait::Fail
     * @throws UnstorableValue if what it made cannot be stored
     * @throws Throwable       what $compute throws; others get the last good value, or make it themselves
     */
    public function remember(string $key, Closure $compute, float|Closure|null $ttl = null, ?float $grace = null, array $reads = [], ?float $lease = null, ?float $wait = null): mixed
    {
        // The shortest paths, for a value that nothing but its ttl can end; all else is the maker's.
        $value = $this->memory?->fresh($key);
        if ($value !== null) {
            ++$this->hits;

            return $value;
        }
        $found = null;
        if ($reads === [] || !$this->readsTogether) {
            try {
                $found = $this->store->get($key);
            } catch (ValueError) {
            }
            $until = \is_array($found) ? $found[Entry::AT_ONCE] ?? 0 : 0;
            // A foreign array may hold anything there.
            if (\is_array($found) && \is_int($until)) {
                $now = microtime(true) * Entry::SECOND;
                if ($until > $now && ++$this->hits > 0) {
                    return $found[0];
                }
                if (-$until > $now && $this->hits >= 0 && $this->stand($found[Entry::STAMPS])) {
                    return $found[0];
                }
            }
        }

        return $this->maker->value($key, $compute, new Terms($this->settings, $ttl, $grace, $reads, $lease, $wait), $found);
    }

    /**
     * The values of many keys, as remember() gives each: one look for all, and one compute for all that this process is to make.
     *
     * @param list<string>                                    $keys
     * @param Closure(list<string>): array<array-key, mixed>  $compute makes the values of these keys, by key; what it leaves out is not there
     * @param (Closure(string): list<string|Dependency>)|null $reads   what data the value of one key is made from; what it says of one key is
     *                                                                 taken to concern no other, also where $compute reads it for all
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
    public function rememberMultiple(array $keys, Closure $compute, float|Closure|null $ttl = null, ?float $grace = null, ?Closure $reads = null, ?float $lease = null, ?float $wait = null): array
    {
        $batch = new Batch($this->requests, $this->computes, $compute, $reads, new Terms($this->settings, $ttl, $grace, [], $lease, $wait));

        return $batch->values($keys);
    }

    /**
     * The value of a key that is there, or the default; see fetch().
     *
     * @throws InvalidKey
     */
    public function get(string $key, mixed $default = null): mixed
    {
        return $this->fetch($key, $value) ? $value : $default;
    }

    /**
     * Whether there is a value, which may be null or false.
     *
     * False: this caller is to make it, and set() it. Of a value in grace that is told to one caller at a time; all others get the old one.
     *
     * @param-out mixed $value null if it returns false
     *
     * @throws InvalidKey
     */
    public function fetch(string $key, mixed &$value = null): bool
    {
        try {
            $found = $this->store->get($key);
        } catch (ValueError) {
            $found = null;
        }
        if (\is_array($found) && \is_int($found[Entry::AT_ONCE] ?? null) && $found[Entry::AT_ONCE] > microtime(true) * Entry::SECOND && ++$this->hits > 0) {
            $value = $found[0];

            return true;
        }
        $entry = $this->fetches->one($key, Item::of($key), $found);
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
        return $this->fetches->many($this->items($keys));
    }

    /**
     * The values that are fresh, to the end of their ttl. Nobody is told to make anything.
     *
     * @param list<string> $keys
     *
     * @return array<array-key, mixed> by key, in the order asked for; PHP turns keys such as "7" into integers
     *
     * @throws InvalidKey
     */
    public function fresh(array $keys): array
    {
        return $this->fetches->fresh($this->items($keys));
    }

    /**
     * What there is of each key, and how far its life has come. Nobody is told to make anything.
     *
     * @return array<array-key, Look> by key
     *
     * @throws InvalidKey
     */
    public function look(string ...$keys): array
    {
        return array_map($this->edits->look(...), $this->items(array_values($keys)));
    }

    /**
     * Whether there is a value, fresh or in grace.
     *
     * @throws InvalidKey
     */
    public function has(string $key): bool
    {
        return $this->entries->find(Item::of($key)) !== null;
    }

    /**
     * Keeps a value. What it was made from can be told to remember() only, which sees to it that it did not change meanwhile.
     *
     * @param float|null $ttl   seconds; null: as the settings say; 0 or less removes the key
     * @param float|null $grace seconds
     *
     * @return bool false: it was not stored; after a fetch() that returned false also when somebody deleted the key since
     *
     * @throws InvalidKey
     * @throws UnstorableValue
     */
    public function set(string $key, mixed $value, ?float $ttl = null, ?float $grace = null): bool
    {
        $terms = new Terms($this->settings, $ttl, $grace);
        $item = Item::of($key);
        $lease = $this->fetches->lease($item);

        return $terms->keep()
            ? $this->computes->write($key, $item, $terms->entry($value, $this->time->now()), $terms->life, $lease) === Outcome::Done
            : $this->delete($key);
    }

    /**
     * As set(), one after the other: a value that cannot be stored ends the call, and those before it are stored.
     *
     * @param array<array-key, mixed> $values by key
     *
     * @return array<array-key, bool> by key
     *
     * @throws InvalidKey      before anything is stored
     * @throws UnstorableValue
     */
    public function setMultiple(array $values, ?float $ttl = null, ?float $grace = null): array
    {
        $this->items(array_map(strval(...), array_keys($values)));
        $stored = [];
        foreach ($values as $key => $value) {
            $stored[$key] = $this->set((string) $key, $value, $ttl, $grace);
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
    public function cas(string $key, mixed $value, int $version, ?float $ttl = null, ?float $grace = null): Outcome
    {
        return $this->edits->cas($key, Item::of($key), $value, $version, new Terms($this->settings, $ttl, $grace));
    }

    /**
     * @param array<array-key, mixed> $values   by key
     * @param array<array-key, int>   $versions by key
     *
     * @return array<array-key, Outcome> by key; NotFound without a version
     *
     * @throws InvalidKey      before anything is stored
     * @throws UnstorableValue
     */
    public function casMultiple(array $values, array $versions, ?float $ttl = null, ?float $grace = null): array
    {
        $outcomes = [];
        foreach ($this->items(array_map(strval(...), array_keys($values))) as $key => $item) {
            $version = $versions[$key] ?? 0;
            $outcomes[$key] = $version === 0 ? Outcome::NotFound : $this->cas((string) $key, $values[$key], $version, $ttl, $grace);
        }

        return $outcomes;
    }

    /**
     * Gives a value a new ttl and grace from now on; 0 or less removes it.
     *
     * @throws InvalidKey
     */
    public function touch(string $key, ?float $ttl = null, ?float $grace = null): Outcome
    {
        return $this->touchMultiple([$key], $ttl, $grace)[$key];
    }

    /**
     * @param list<string> $keys
     *
     * @return array<array-key, Outcome> by key
     *
     * @throws InvalidKey
     */
    public function touchMultiple(array $keys, ?float $ttl = null, ?float $grace = null): array
    {
        $terms = new Terms($this->settings, $ttl, $grace);

        return array_map(fn(string $item): Outcome => $this->edits->touch($item, $terms), $this->items($keys));
    }

    /**
     * Adds to the end of a string that this cache keeps; its ttl stays.
     *
     * @return Outcome Exists: the value is no string, or others change it faster than this process can; NotFound: there is none
     *
     * @throws InvalidKey
     */
    public function append(string $key, string $suffix): Outcome
    {
        return $this->edits->append(Item::of($key), $suffix);
    }

    /**
     * @param array<array-key, string> $suffixes by key
     *
     * @return array<array-key, Outcome> by key
     *
     * @throws InvalidKey before anything is stored
     */
    public function appendMultiple(array $suffixes): array
    {
        $items = $this->items(array_map(strval(...), array_keys($suffixes)));

        return array_combine(array_keys($items), array_map($this->edits->append(...), $items, $suffixes));
    }

    /**
     * Adds to a counter, exactly once. A counter is the store's own: get() gives it, and no ttl but its first one ends it.
     *
     * @param int|null   $initial what it starts with where there is none (it is not added to); null: Outcome::NotFound
     * @param float|null $ttl     seconds, of a counter that starts here; null: without end
     *
     * @return int|Outcome the sum; Outcome::Exists: the value is no counter, or the sum would not fit
     *
     * @throws InvalidKey
     */
    public function increment(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome
    {
        return $this->store->increment(Item::of($key), $by, $initial, Seconds::ttl($ttl));
    }

    /**
     * As increment(), with $by taken away. May go below 0.
     *
     * @throws InvalidKey
     */
    public function decrement(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome
    {
        return $this->store->decrement(Item::of($key), $by, $initial, Seconds::ttl($ttl));
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
        $item = Item::of($key);
        $this->fetches->forget([$item]);
        $outcome = $this->store->delete($item);

        return $outcome === Outcome::Done || $outcome === Outcome::NotFound;
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
        $items = $this->items($keys);
        $this->fetches->forget($items);
        $outcomes = $this->store->deleteMultiple(array_values($items));

        return array_map(static fn(string $item): bool => $outcomes[$item] === Outcome::Done || $outcomes[$item] === Outcome::NotFound, $items);
    }

    /** Removes all values of the store's namespace, and the versions of data that lie in it. */
    public function clear(): bool
    {
        $this->fetches->forgetAll();

        return $this->store->clear() === Outcome::Done;
    }

    /**
     * Tells that what is being made now is also made from this data; at any time before the compute ends.
     *
     * @throws UnknownName
     */
    public function reads(string|Dependency ...$names): void
    {
        $this->versions->reads(...$names);
    }

    /**
     * Runs a writer's transaction, and ends every value, and every page, that was made from the data that it changes.
     *
     * @template T
     *
     * @param list<string|Dependency> $names what it changes, as far as that is known beforehand
     * @param Closure(Change): T      $write within the transaction; may tell the Change more
     *
     * @return T
     *
     * @throws UnknownName
     * @throws ChangeFailed after a rollback
     * @throws Throwable    after a rollback; what $write throws
     */
    public function change(array $names, Closure $write): mixed
    {
        return $this->versions->change($names, $write);
    }

    /** Tells the counters what was counted since the last time. */
    public function flush(): void
    {
        // Below 0 they are counted by the tally.
        $hits = max(0, $this->hits);
        $this->hits -= $hits;
        $this->tally->flush($hits);
    }

    /** Whether a value with these stamps can be handed out; if so it is counted. */
    private function stand(mixed $stamps): bool
    {
        /** @var array<string, int> $stamps as Entry::pack() wrote them */
        if (!$this->versions->hold([$stamps])[0]) {
            return false;
        }
        ++$this->hits;
        $this->versions->used($stamps, PHP_FLOAT_MAX);

        return true;
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
            throw new PoolIsShared('Other clients may use the keys of this Memcached, so it has no leases: construct it with shared: false for a cache');
        }
    }

    /**
     * @param list<string> $keys
     *
     * @return array<array-key, string> by key
     *
     * @throws InvalidKey
     */
    private function items(array $keys): array
    {
        return array_map(Item::of(...), array_combine($keys, $keys));
    }
}
