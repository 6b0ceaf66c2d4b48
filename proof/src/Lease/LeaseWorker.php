<?php

declare(strict_types=1);

namespace Larder\Proof\Lease;

use Larder\Cache;
use Larder\Cache\AfterWait;
use Larder\Cache\Settings;
use Larder\Exception\NotMadeInTime;
use Larder\Outcome;
use Larder\Proof\MissingGuard;
use Larder\Proof\StoreUnderTest;
use Larder\Proof\UnguardedStore;
use Larder\Store\OnServers;
use Larder\Testbed\Process\Board;
use RuntimeException;

/** One process that asks for values until the run is over or it is killed. */
final class LeaseWorker
{
    /** Seconds that making a value may take. */
    public const LEASE = 2.0;

    /** Seconds that a reader waits: longer than two leases in a row, so that no reader may wait in vain. */
    public const WAIT = 15.0;

    /** Microseconds that making a value takes, unless it is to be slow. */
    public const WORK = [5_000, 40_000];

    /**
     * Microseconds beyond its lease that a slow one takes; a lease on memcached may be a second longer than asked for.
     */
    private const LATE = [1_200_000, 1_800_000];

    /** Microseconds between two reads, since many processes share few processors. */
    private const REST = [40_000, 160_000];

    /** Makers in a row that may hold up those who wait. */
    private const HELD_UP = 2;

    /** Seconds to wait for the Disruptor. */
    private const PATIENCE = 10.0;

    /** @var list<Cache> */
    private array $caches = [];

    /** @var list<WatchedStore> */
    private array $stores = [];

    /** @var array<int, resource> by key */
    private array $locks = [];

    /** @var array{int, int}|null key and generation of the value that this process makes */
    private ?array $making = null;

    /** @param list<StoreUnderTest> $stores */
    public function __construct(
        array $stores,
        MissingGuard $missing,
        private readonly Board $board,
        private readonly EventLog $log,
        private readonly LeaseKeys $keys,
        private readonly int $number,
        private readonly int $life,
    ) {
        $settings = new Settings(lease: self::LEASE, wait: self::WAIT, afterWait: AfterWait::Fail, early: 0.0);
        foreach ($stores as $tested) {
            $failure = new LastFailure();
            $store = $tested->open(counters: $failure);
            $address = $store instanceof OnServers ? $store->address() : null;
            $store = new WatchedStore(new UnguardedStore($store, $missing), $this->answered(...), $address, $failure);
            $this->stores[] = $store;
            $this->caches[] = new Cache($store, settings: $settings);
        }
    }

    public function work(): void
    {
        $parent = posix_getppid();
        while ($this->phase() !== Phase::Over && posix_getppid() === $parent) {
            $this->read(mt_rand(0, $this->keys->count() - 1));
            usleep(mt_rand(...self::REST));
        }
    }

    private function read(int $key): void
    {
        $store = $this->keys->store($key);
        $ending = $this->phase() === Phase::Rough ? Ending::choose() : Ending::Keep;
        [$ttl, $grace] = [$ending->ttl(), $ending->grace()];
        $stored = $this->board->get('stored', $key);
        $deleted = $this->board->get('deleted', $key);
        $made = false;
        $this->board->set('reading', $key + 1, $this->number);
        $began = (int) hrtime(true);
        try {
            $make = function () use ($key, $store, $ending, $ttl, &$made): array {
                $made = true;

                return $this->make($key, $this->stores[$store], $ending, $ttl ?? 0.0);
            };
            $value = $this->caches[$store]->remember($this->keys->name($key), $make, $ttl, $grace);
        } catch (NotMadeInTime) {
            $this->log->note(EventKind::Wrong, $key, 0, $this->life, 'a reader waited in vain');

            return;
        } finally {
            $this->making = null;
            $this->board->set('reading', 0, $this->number);
        }
        if ($made) {
            return;
        }
        $this->board->add('reads', index: $this->number);
        $this->board->raise('longestWait', (int) hrtime(true) - $began, $this->number);
        $generation = LeaseKeys::generation($value, $key);
        if ($generation === null) {
            $this->log->note(EventKind::Wrong, $key, 0, $this->life, 'a value that nobody made for this key');
        } elseif ($generation <= $deleted) {
            $this->log->note(EventKind::Resurrected, $key, $generation, $this->life, "deleted up to $deleted");
        } elseif ($generation < $stored) {
            $this->log->note(EventKind::Lost, $key, $generation, $this->life, "after $stored");
        }
    }

    /** @return array{key: int, generation: int, ending: string, filler: string} */
    private function make(int $key, WatchedStore $store, Ending $ending, float $ttl): array
    {
        $this->lock($key, LOCK_EX);
        $heldUp = $this->board->get('heldUp', $key);
        $ending = $heldUp < self::HELD_UP ? $ending : $ending->swift();
        $this->board->set('heldUp', $ending->holdsUp() ? $heldUp + 1 : 0, $key);
        $generation = $this->board->get('begun', $key) + 1;
        // In this order no generation comes twice. A process that is killed in between has not begun one.
        $this->board->set('begun', $generation, $key);
        $asked = $store->takeAsked();
        $this->log->note(EventKind::Begun, $key, $generation, $this->life, $ending->value, $ttl, $asked);
        $this->lock($key, LOCK_UN);
        if ($store->wasSilent()) {
            $this->log->note(EventKind::Silent, $key, $generation, $this->life, $store->silence());
        }
        $this->making = [$key, $generation];
        $late = $ending === Ending::Slow ? (int) (self::LEASE * 1e6) + mt_rand(...self::LATE) : 0;
        usleep(mt_rand(...self::WORK) + $late);
        if ($ending === Ending::DeleteMeanwhile) {
            $this->awaitDelete($key, $generation);
        }

        $this->log->note(EventKind::Going, $key, $generation, $this->life);

        return LeaseKeys::value($key, $generation, $ending);
    }

    private function phase(): Phase
    {
        return Phase::from($this->board->get('phase'));
    }

    private function awaitDelete(int $key, int $generation): void
    {
        $end = microtime(true) + self::PATIENCE;
        while (
            $this->board->get('deleted', $key) < $generation && microtime(true) < $end
            && $this->board->get('begun', $key) === $generation
        ) {
            usleep(2_000);
        }
    }

    private function answered(Outcome $outcome): void
    {
        if ($this->making === null) {
            return;
        }
        [$key, $generation] = $this->making;
        $this->log->note(EventKind::Answered, $key, $generation, $this->life, $outcome->name);
        if ($outcome === Outcome::Done) {
            $this->board->raise('stored', $generation, $key);
        }
    }

    /** @param int<0, 7> $operation */
    private function lock(int $key, int $operation): void
    {
        if (!isset($this->locks[$key])) {
            $file = fopen($this->keys->lock($key), 'c');
            $this->locks[$key] = $file !== false ? $file : throw new RuntimeException('No lock file.');
        }
        flock($this->locks[$key], $operation);
    }
}
