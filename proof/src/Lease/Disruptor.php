<?php

declare(strict_types=1);

namespace Larder\Proof\Lease;

use Larder\Cache;
use Larder\Cache\Entry;
use Larder\Outcome;
use Larder\Proof\StoreUnderTest;
use Larder\Store;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\WorkerPool;

/** Reads the log while it is written, and gives every value the ending that was chosen for it. */
final class Disruptor
{
    /** Nanoseconds from the beginning of a compute, which takes 5 to 40 ms, to a kill, ... */
    private const KILL_AFTER = [0, 48_000_000];

    /** ... and to a delete at about its end. */
    private const DELETE_AFTER = [0, 60_000_000];

    /** Nanoseconds that a value lives before it is taken away. */
    private const LIVES = [20_000_000, 400_000_000];

    /** Nanoseconds until a delete is tried again. */
    private const AGAIN = 100_000_000;

    /** Microseconds within which the last bytes of a killed process arrive at a server. */
    private const ARRIVES = 50_000;

    /** Nanoseconds after which every process has found that a server is back, and asks it again. */
    public const AWAY = 4_000_000_000;

    private bool $foundWrong = false;

    /** @var list<array{due: int, do: Ending, entry: LogEntry}> */
    private array $pending = [];

    /** @var array<int, LogEntry> by key, how its last compute with a lease of the store began */
    private array $begun = [];

    /** @var array<int, bool> keys of which a process was killed that made the value, and no other one makes it yet */
    private array $orphaned = [];

    /** @var array<int, int> by store, when a restarted server may still be taken for gone; nanoseconds */
    private array $away = [];

    /** @var array<int, LogEntry> by life, how far its last compute is */
    private array $lives = [];

    /**
     * @param list<Store> $stores
     * @param list<Cache> $caches over these
     */
    public function __construct(
        private readonly array $stores,
        private readonly array $caches,
        private readonly Board $board,
        private readonly EventLog $log,
        private readonly LeaseKeys $keys,
        private readonly WorkerPool $pool,
    ) {}

    /** @return bool whether anything was written since the last look */
    public function look(): bool
    {
        $news = $this->log->news();
        foreach ($news as $entry) {
            match ($entry->kind) {
                EventKind::Begun => $this->begins($entry),
                EventKind::Going => $this->lives[$entry->life] = $entry,
                EventKind::Answered => $this->ends($entry),
                EventKind::Lost, EventKind::Resurrected => $this->foundWrong = true,
                default => null,
            };
        }

        return $news !== [];
    }

    public function act(): void
    {
        $now = (int) hrtime(true);
        $due = array_filter($this->pending, static fn(array $action): bool => $action['due'] <= $now);
        $this->pending = array_values(array_diff_key($this->pending, $due));
        foreach ($due as ['do' => $do, 'entry' => $entry]) {
            // A value that was begun anew meanwhile has another ending.
            if ($do === Ending::Kill) {
                $this->kill($entry->life);
            } elseif (
                $entry->since === 0 && $entry->kind === EventKind::Begun
                || ($this->begun[$entry->key] ?? $entry)->generation === $entry->generation
            ) {
                $isDone = $do === Ending::Evict ? $this->evict($entry->key) : $this->delete($entry->key);
                if (!$isDone) {
                    $this->pending[] = ['due' => $now + self::AGAIN, 'do' => $do, 'entry' => $entry];
                }
            }
        }
    }

    /** Kills the server of a store and starts it again, empty. */
    public function restart(StoreUnderTest $server, int $store): void
    {
        $since = (int) hrtime(true);
        $server->restart();
        $back = $this->log->note(EventKind::Restarted, $store * LeaseKeys::EACH, since: $since);
        $this->away[$store] = $back->moment + self::AWAY;
    }

    public function killAny(): void
    {
        $number = $this->pool->any();
        if ($number !== null) {
            $this->kill($this->pool->life($number) ?? 0);
        }
    }

    private function kill(int $life): void
    {
        $number = $this->number($life);
        if ($number === null) {
            return;
        }
        $this->log->note(EventKind::Killed, life: $life);
        $this->pool->kill($number);
        $this->board->set('reading', 0, $number);
        $this->look();
        $last = $this->lives[$life] ?? null;
        unset($this->lives[$life]);
        if ($last === null) {
            return;
        }
        $this->pending = array_values(array_filter($this->pending, static fn(array $action): bool
            => [$action['entry']->key, $action['entry']->generation] !== [$last->key, $last->generation]));
        $this->orphaned[$last->key] = true;
        if ($last->kind === EventKind::Going && $this->arrives($last)) {
            $this->log->note(EventKind::Found, $last->key, $last->generation, $life);
            $this->takeAway($last);
        }
    }

    /** Whether every key has a value that stays, or something wrong was found, so that waiting for it is in vain. */
    public function isSettled(): bool
    {
        if ($this->foundWrong) {
            return true;
        }
        foreach ($this->begun as $key => $begun) {
            $isLast = $this->generation($key) === $begun->generation;
            if ($this->ending($key) !== Ending::Keep && (!$isLast || $begun->seconds > 0.0)) {
                return false;
            }
        }

        return $this->pending === [] && \count($this->begun) === $this->keys->count();
    }

    private function begins(LogEntry $entry): void
    {
        $this->lives[$entry->life] = $entry;
        if ($entry->since > 0) {
            $this->begun[$entry->key] = $entry;
        }
        if (isset($this->orphaned[$entry->key])) {
            unset($this->orphaned[$entry->key]);
            $reading = array_keys($this->board->all('reading'), $entry->key + 1, true);
            $this->board->raise('mostWaiting', \count($reading) - 1);
        }
        $now = (int) hrtime(true);
        $ending = Ending::from($entry->word);
        $due = match ($ending) {
            Ending::Kill => $entry->moment + mt_rand(...self::KILL_AFTER),
            Ending::DeleteMeanwhile => $now,
            Ending::DeleteAround => $entry->moment + mt_rand(...self::DELETE_AFTER),
            default => null,
        };
        if ($due !== null) {
            $this->pending[] = ['due' => $due, 'do' => $ending, 'entry' => $entry];
        }
    }

    private function ends(LogEntry $entry): void
    {
        unset($this->lives[$entry->life]);
        if ($entry->word === Outcome::Done->name) {
            $this->takeAway($entry);
        }
    }

    /** Of a stored value. One whose process was to be killed and was too fast is evicted. */
    private function takeAway(LogEntry $entry): void
    {
        $begun = $this->begun[$entry->key] ?? null;
        if ($begun?->generation !== $entry->generation) {
            return;
        }
        $ending = Ending::from($begun->word);
        if (\in_array($ending, [Ending::Evict, Ending::Delete, Ending::Kill], true)) {
            $do = $ending === Ending::Delete ? $ending : Ending::Evict;
            $this->pending[] = ['due' => (int) hrtime(true) + mt_rand(...self::LIVES), 'do' => $do, 'entry' => $entry];
        }
    }

    private function evict(int $key): bool
    {
        $began = (int) hrtime(true);
        $generation = $this->board->get('begun', $key);
        $outcome = $this->stores[$this->keys->store($key)]->delete($this->keys->name($key));
        $isDone = $outcome === Outcome::Done || $outcome === Outcome::NotFound;

        return $this->taken(EventKind::Evicted, $key, $generation, $began, $isDone);
    }

    private function delete(int $key): bool
    {
        $began = (int) hrtime(true);
        $generation = $this->board->get('begun', $key);
        $isDone = $this->caches[$this->keys->store($key)]->delete($this->keys->name($key));

        return $this->taken(EventKind::Deleted, $key, $generation, $began, $isDone);
    }

    /** @return bool false: it is to be tried again, since the server is gone */
    private function taken(EventKind $kind, int $key, int $generation, int $began, bool $done): bool
    {
        if (!$done) {
            if (hrtime(true) < ($this->away[$this->keys->store($key)] ?? 0)) {
                return false;
            }
            $this->log->note(EventKind::Wrong, $key, $generation, 0, 'a store did not delete');

            return true;
        }
        $this->log->note($kind, $key, $generation, since: $began);
        $this->board->set('deleted', $generation, $key);

        return true;
    }

    /** Whether the value that a killed process was storing has come to the store. */
    private function arrives(LogEntry $entry): bool
    {
        for ($waited = 0; $waited <= self::ARRIVES; $waited += 2_000) {
            $generation = $this->generation($entry->key);
            if ($generation !== null && $generation >= $entry->generation) {
                return $generation === $entry->generation;
            }
            usleep(2_000);
        }

        return false;
    }

    private function generation(int $key): ?int
    {
        return LeaseKeys::generation($this->value($key), $key);
    }

    private function ending(int $key): ?Ending
    {
        $value = $this->value($key);

        $ending = \is_array($value) ? $value['ending'] ?? null : null;

        return \is_string($ending) ? Ending::tryFrom($ending) : null;
    }

    /** Taken from the store, since asking the cache could take a lease. */
    private function value(int $key): mixed
    {
        return Entry::of($this->stores[$this->keys->store($key)]->get($this->keys->name($key)))->value;
    }

    /** @return int|null null: this life has ended */
    private function number(int $life): ?int
    {
        foreach ($this->pool->numbers() as $number) {
            if ($this->pool->life($number) === $life) {
                return $number;
            }
        }

        return null;
    }
}
