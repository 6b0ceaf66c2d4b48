<?php

declare(strict_types=1);

namespace Larder\Torture\Lease;

use Larder\Cache;
use Larder\Cache\AfterWait;
use Larder\Cache\Settings;
use Larder\Exception\NotMadeInTime;
use Larder\Outcome;
use RuntimeException;

/** One process that asks for values until the run is over or it is killed. */
final class Worker
{
    /** Seconds that making a value may take, */
    public const LEASE = 2.0;

    /** and that a reader waits for it: longer than two leases in a row, so that a reader that waits in vain is nothing but wrong. */
    public const WAIT = 15.0;

    /** Microseconds that making a value takes, but for one that is slow. */
    public const WORK = [5_000, 40_000];

    /** Microseconds beyond its lease that a slow one takes; a lease on memcached may be a second longer than asked for. */
    private const LATE = [1_200_000, 1_800_000];

    /** Microseconds between two reads: many processes share few processors. */
    private const REST = [40_000, 160_000];

    /** So many in a row may hold up whoever waits. */
    private const HELD_UP = 2;

    /** Seconds to wait for the meddler. */
    private const PATIENCE = 10.0;

    /** @var list<Cache> */
    private array $caches = [];

    /** @var list<WatchedStore> */
    private array $stores = [];

    /** @var array<int, resource> by key */
    private array $locks = [];

    /** What this process makes. */
    private ?Making $making = null;

    public function __construct(
        Shelves $shelves,
        Flaw $flaw,
        private readonly Board $board,
        private readonly Diary $diary,
        private readonly Keys $keys,
        private readonly int $seat,
        private readonly int $life,
    ) {
        foreach ($shelves->names as $name) {
            $this->stores[] = $store = new WatchedStore(new FlawedStore($shelves->open($name), $flaw), $this->answered(...));
            $this->caches[] = new Cache($store, settings: new Settings(lease: self::LEASE, wait: self::WAIT, afterWait: AfterWait::Fail, early: 0.0));
        }
    }

    public function work(): void
    {
        $parent = posix_getppid();
        while ($this->board->stage() !== Stage::Over && posix_getppid() === $parent) {
            $this->read(mt_rand(0, $this->keys->count() - 1));
            usleep(mt_rand(...self::REST));
        }
    }

    private function read(int $key): void
    {
        $store = $this->keys->store($key);
        $fate = $this->board->stage() === Stage::Rough ? Fate::choose() : Fate::Keep;
        [$ttl, $grace] = [$fate->ttl(), $fate->grace()];
        $stored = $this->board->stored($key);
        $deleted = $this->board->deleted($key);
        $made = false;
        $began = (int) hrtime(true);
        try {
            $value = $this->caches[$store]->remember($this->keys->name($key), function () use ($key, $store, $fate, $ttl, &$made): array {
                $made = true;

                return $this->make($key, $this->stores[$store], $fate, $ttl ?? 0.0);
            }, $ttl, $grace);
        } catch (NotMadeInTime) {
            $this->diary->note(Kind::Wrong, $key, 0, $this->life, 'a reader waited in vain');

            return;
        } finally {
            $this->making = null;
        }
        if ($made) {
            return;
        }
        $this->board->read($this->seat, (int) hrtime(true) - $began);
        $generation = Keys::generation($value, $key);
        if ($generation === null) {
            $this->diary->note(Kind::Wrong, $key, 0, $this->life, 'a value that nobody made for this key');
        } elseif ($generation <= $deleted) {
            $this->diary->note(Kind::Resurrected, $key, $generation, $this->life, "deleted up to $deleted");
        } elseif ($generation < $stored) {
            $this->diary->note(Kind::Lost, $key, $generation, $this->life, "after $stored");
        }
    }

    /** @return array{key: int, generation: int, fate: string, filler: string} */
    private function make(int $key, WatchedStore $store, Fate $fate, float $ttl): array
    {
        $this->lock($key, LOCK_EX);
        $heldUp = $this->board->heldUp($key);
        $fate = $heldUp < self::HELD_UP ? $fate : $fate->swift();
        $this->board->holdUp($key, $fate->holdsUp() ? $heldUp + 1 : 0);
        $generation = $this->board->begun($key) + 1;
        // In this order, so that a generation never comes twice; one that is killed in between has not begun.
        $this->board->begin($key, $generation);
        $this->diary->note(Kind::Begun, $key, $generation, $this->life, $fate->value, $ttl, $store->takeAsked());
        $this->lock($key, LOCK_UN);
        if ($store->wasSilent()) {
            $this->diary->note(Kind::Wrong, $key, $generation, $this->life, 'a store did not answer in time');
        }
        $this->making = new Making($key, $generation);
        usleep(mt_rand(...self::WORK) + ($fate === Fate::Slow ? (int) (self::LEASE * 1e6) + mt_rand(...self::LATE) : 0));
        if ($fate === Fate::DeleteMeanwhile) {
            $this->awaitDelete($key, $generation);
        }

        $this->diary->note(Kind::Going, $key, $generation, $this->life);

        return Keys::value($key, $generation, $fate);
    }

    private function awaitDelete(int $key, int $generation): void
    {
        $end = microtime(true) + self::PATIENCE;
        while ($this->board->deleted($key) < $generation && microtime(true) < $end) {
            usleep(2_000);
        }
    }

    private function answered(Outcome $outcome): void
    {
        if ($this->making === null) {
            return;
        }
        [$key, $generation] = [$this->making->key, $this->making->generation];
        $this->diary->note(Kind::Answered, $key, $generation, $this->life, $outcome->name);
        if ($outcome === Outcome::Done && $this->board->stored($key) < $generation) {
            $this->board->store($key, $generation);
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
