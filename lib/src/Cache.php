<?php

declare(strict_types=1);

namespace Larder;

use Closure;
use Larder\Cache\AfterWait;
use Larder\Cache\Claim;
use Larder\Cache\Entries;
use Larder\Cache\Entry;
use Larder\Cache\Item;
use Larder\Cache\Settings;
use Larder\Cache\Terms;
use Larder\Dependency\Change;
use Larder\Dependency\Dependency;
use Larder\Dependency\Gates;
use Larder\Dependency\Versions;
use Larder\Exception\ChangeFailed;
use Larder\Exception\InvalidKey;
use Larder\Exception\NotMadeInTime;
use Larder\Exception\OwnKey;
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
 */
final class Cache
{
    /** Microseconds between two looks at a value that another process makes; grows to the last one. */
    private const PAUSES = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000];

    /** Far below 0 where each hit must be looked at: so the shortest path has one question less. */
    private int $hits = 0;

    private int $stale = 0;

    private readonly Entries $entries;

    private readonly Versions $versions;

    /** @var array<array-key, int> leases that fetch() won, by item */
    private array $won = [];

    /** @var array<array-key, string> keys being made in this process, by item, from the outermost on */
    private array $making = [];

    /**
     * @param Store               $store    for values
     * @param Versions|null       $versions of the data; null: kept in the same store
     * @param ClockInterface|null $clock    null: the system's, a little faster
     */
    public function __construct(
        private readonly Store $store,
        ?Versions $versions = null,
        private readonly Settings $settings = new Settings(),
        private readonly ?LoggerInterface $log = null,
        private readonly Counters $counters = new NullCounters(),
        private readonly ?ClockInterface $clock = null,
    ) {
        $this->versions = $versions ?? new Gates($store);
        $this->entries = new Entries($store, $this->versions, $settings->early);
        if ($clock !== null || $this->versions->watchesAll()) {
            $this->hits = PHP_INT_MIN;
        }
    }

    /**
     * The value of a key; where there is none, $compute makes it, in one process at a time.
     *
     * @template T
     *
     * @param Closure(): T            $compute
     * @param float|null              $ttl     seconds that it is fresh; null: as the settings say. 0 or less: it is made and not kept
     * @param float|null              $grace   seconds that it is kept beyond
     * @param list<string|Dependency> $reads   what data it is made from, as far as that is known before; more by reads()
     * @param float|null              $lease   seconds that its compute may take
     * @param float|null              $wait    seconds to wait for another process's compute
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
    public function remember(string $key, Closure $compute, ?float $ttl = null, ?float $grace = null, array $reads = [], ?float $lease = null, ?float $wait = null): mixed
    {
        // The shortest path, for a value that nothing but its ttl can end; all else is attend()'s.
        try {
            $found = $this->store->get($key);
        } catch (ValueError) {
            $found = null;
        }
        if (\is_array($found) && ($found[Entry::AT_ONCE] ?? 0.0) > microtime(true) && ++$this->hits > 0) {
            return $found[0];
        }

        return $this->attend($key, $compute, new Terms($this->settings, $ttl, $grace, $reads, $lease, $wait));
    }

    /**
     * The value of a key that is there, or the default.
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
        $value = null;
        $item = Item::of($key);
        $entry = $this->entries->find($item);
        if ($entry === null) {
            $this->count('misses');

            return false;
        }
        if (!$entry->isFresh($this->now(), $this->settings->early)) {
            $claim = $this->entries->claim($item, $this->settings->leaseOf($entry->cost, null), $entry);
            if ($claim instanceof Claim && $claim->lease !== null) {
                $this->won[$item] = $claim->lease;
                $this->count('misses');

                return false;
            }
            $entry = $claim instanceof Entry ? $claim : $entry;
            ++$this->stale;
        }
        $value = $this->handOut($entry);

        return true;
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
        $lease = $this->won[$item] ?? null;
        unset($this->won[$item]);
        if (!$terms->keep()) {
            return $this->delete($key);
        }

        return $this->wasStored($key, $this->entries->write($item, new Entry($value, $terms->freshUntil($this->now())), $terms->life, $lease));
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
        $outcome = $this->store->delete(Item::of($key));

        return $outcome === Outcome::Done || $outcome === Outcome::NotFound;
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

    /**
     * @template T
     *
     * @param Closure(): T $compute
     *
     * @return T
     */
    private function attend(string $key, Closure $compute, Terms $terms): mixed
    {
        $item = Item::of($key);
        if (isset($this->making[$item])) {
            throw OwnKey::asked($key, array_values($this->making));
        }
        $entry = $this->entries->find($item);
        $claim = $entry;
        if ($entry !== null && !$entry->isFresh($this->now(), $this->settings->early)) {
            $claim = $this->entries->claim($item, $terms->lease($entry->cost), $entry);
            if ($claim instanceof Claim && $claim->lease === null) {
                ++$this->stale;
                $claim = $entry;
            }
        }
        $claim ??= $this->await($item, $terms);

        /** @var T */
        return $claim instanceof Entry ? $this->handOut($claim) : $this->make($key, $item, $compute, $terms, $claim);
    }

    /** Waits for an entry, or for the right to make it, as long as the terms say. */
    private function await(string $item, Terms $terms): Entry|Claim
    {
        $deadline = hrtime(true) + (int) ($terms->wait() * 1e9);
        for ($look = 0; ; ++$look) {
            $claim = $this->entries->findOrLease($item, $terms->lease(null));
            $left = intdiv($deadline - hrtime(true), 1000);
            if ($claim instanceof Entry || $claim->lease !== null || !$claim->answered || $left <= 0) {
                return $claim;
            }
            usleep(min($left, self::PAUSES[min($look, \count(self::PAUSES) - 1)]));
        }
    }

    /**
     * @template T
     *
     * @param Closure(): T $compute
     *
     * @return T
     */
    private function make(string $key, string $item, Closure $compute, Terms $terms, Claim $claim): mixed
    {
        if ($claim->lease === null && $claim->answered && $this->settings->afterWait === AfterWait::Fail) {
            throw NotMadeInTime::within($key, $terms->wait());
        }
        $this->count('misses');
        $this->making[$item] = $key;
        $stored = false;
        $begin = hrtime(true);
        try {
            $made = $this->versions->make($compute, $terms->reads, $terms->life);
            $cost = (hrtime(true) - $begin) / 1e9;
            if ($claim->lease !== null && $made->stamps !== null && $terms->keep()) {
                $entry = new Entry($made->value, $terms->freshUntil($this->now()), $cost, $made->stamps);
                $stored = $this->wasStored($key, $this->entries->write($item, $entry, $terms->life, $claim->lease));
            }

            return $made->value;
        } finally {
            unset($this->making[$item]);
            if ($claim->lease !== null && !$stored) {
                $this->store->release($item, $claim->lease);
            }
        }
    }

    private function handOut(Entry $entry): mixed
    {
        ++$this->hits;
        $this->versions->used($entry->stamps, $entry->freshUntil);

        return $entry->value;
    }

    private function wasStored(string $key, Outcome $outcome): bool
    {
        if ($outcome === Outcome::Refused || $outcome === Outcome::Unknown) {
            $this->count('refused');
            $this->log?->warning('The value of {key} was not stored: it is too large, or the store is full or does not answer.', ['key' => $key, 'outcome' => $outcome->name]);
        }

        return $outcome === Outcome::Done;
    }

    private function count(string $what): void
    {
        $this->counters->add('larder_cache_' . $what . '_total');
    }

    private function now(): float
    {
        return $this->clock === null ? microtime(true) : (float) $this->clock->now()->format('U.u');
    }
}
