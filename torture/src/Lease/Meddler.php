<?php

declare(strict_types=1);

namespace Larder\Torture\Lease;

use Larder\Cache;
use Larder\Cache\Entry;
use Larder\Outcome;
use Larder\Store;

/** Reads the diary as it is written, and sees to it that every value meets its fate. */
final class Meddler
{
    /** Nanoseconds from the beginning of a compute to a kill, and to a delete that falls around its end; a compute ends after 5 to 40 ms. */
    private const KILL_AFTER = [0, 48_000_000];
    private const DELETE_AFTER = [0, 60_000_000];

    /** Nanoseconds that a value lives before it is taken away. */
    private const LIVES = [20_000_000, 400_000_000];

    /** Microseconds in which what a killed process had sent arrives at a server. */
    private const ARRIVES = 50_000;

    private bool $foundWrong = false;

    /** @var list<array{due: int, do: Fate, line: Line}> */
    private array $pending = [];

    /** @var array<int, Line> by key, how its last compute began */
    private array $begun = [];

    /** @var array<int, Line> by life, how far its last compute is */
    private array $lives = [];

    /**
     * @param list<Store> $stores
     * @param list<Cache> $caches over these
     */
    public function __construct(
        private readonly array $stores,
        private readonly array $caches,
        private readonly Board $board,
        private readonly Diary $diary,
        private readonly Keys $keys,
        private readonly Nursery $nursery,
    ) {}

    /** @return bool whether anything was written since the last look */
    public function look(): bool
    {
        $news = $this->diary->news();
        foreach ($news as $line) {
            match ($line->kind) {
                Kind::Begun => $this->begins($line),
                Kind::Going => $this->lives[$line->life] = $line,
                Kind::Answered => $this->ends($line),
                Kind::Lost, Kind::Resurrected => $this->foundWrong = true,
                default => null,
            };
        }

        return $news !== [];
    }

    public function act(): void
    {
        $now = hrtime(true);
        $due = array_filter($this->pending, static fn(array $action): bool => $action['due'] <= $now);
        $this->pending = array_values(array_diff_key($this->pending, $due));
        foreach ($due as ['do' => $do, 'line' => $line]) {
            // What was begun anew meanwhile has a fate of its own.
            if ($do === Fate::Kill) {
                $this->kill($line->life);
            } elseif ($this->board->begun($line->key) === $line->generation) {
                $do === Fate::Evict ? $this->evict($line->key) : $this->delete($line->key);
            }
        }
    }

    public function kill(int $life): void
    {
        if (!$this->nursery->kill($life)) {
            return;
        }
        $this->look();
        $last = $this->lives[$life] ?? null;
        unset($this->lives[$life]);
        if ($last === null) {
            return;
        }
        $this->pending = array_values(array_filter($this->pending, static fn(array $action): bool => $action['line']->key !== $last->key || $action['line']->generation !== $last->generation));
        if ($last->kind === Kind::Going && $this->arrives($last)) {
            $this->diary->note(Kind::Found, $last->key, $last->generation, $life);
            $this->takeAway($last);
        }
    }

    /** Whether every key has a value that stays; there is no use in waiting for that if an old one has come back. */
    public function isSettled(): bool
    {
        if ($this->foundWrong) {
            return true;
        }
        foreach ($this->begun as $key => $begun) {
            if ($this->fate($key) !== Fate::Keep && ($this->generation($key) !== $this->board->begun($key) || $begun->seconds > 0.0)) {
                return false;
            }
        }

        return $this->pending === [] && \count($this->begun) === $this->keys->count();
    }

    private function begins(Line $line): void
    {
        $this->begun[$line->key] = $this->lives[$line->life] = $line;
        $now = (int) hrtime(true);
        $fate = Fate::from($line->word);
        $due = match ($fate) {
            Fate::Kill => $line->moment + mt_rand(...self::KILL_AFTER),
            Fate::DeleteMeanwhile => $now,
            Fate::DeleteAround => $line->moment + mt_rand(...self::DELETE_AFTER),
            default => null,
        };
        if ($due !== null) {
            $this->pending[] = ['due' => $due, 'do' => $fate, 'line' => $line];
        }
    }

    private function ends(Line $line): void
    {
        unset($this->lives[$line->life]);
        if ($line->word === Outcome::Done->name) {
            $this->takeAway($line);
        }
    }

    /** A stored value, if that is its fate; also one whose process was to be killed and was too fast. */
    private function takeAway(Line $line): void
    {
        $begun = $this->begun[$line->key] ?? null;
        if ($begun?->generation !== $line->generation) {
            return;
        }
        $fate = Fate::from($begun->word);
        if (\in_array($fate, [Fate::Evict, Fate::Delete, Fate::Kill], true)) {
            $this->pending[] = ['due' => (int) hrtime(true) + mt_rand(...self::LIVES), 'do' => $fate === Fate::Delete ? $fate : Fate::Evict, 'line' => $line];
        }
    }

    private function evict(int $key): void
    {
        $began = (int) hrtime(true);
        $generation = $this->board->begun($key);
        $outcome = $this->stores[$this->keys->store($key)]->delete($this->keys->name($key));
        $this->taken(Kind::Evicted, $key, $generation, $began, $outcome === Outcome::Done || $outcome === Outcome::NotFound);
    }

    private function delete(int $key): void
    {
        $began = (int) hrtime(true);
        $generation = $this->board->begun($key);
        $this->taken(Kind::Deleted, $key, $generation, $began, $this->caches[$this->keys->store($key)]->delete($this->keys->name($key)));
    }

    private function taken(Kind $kind, int $key, int $generation, int $began, bool $done): void
    {
        if (!$done) {
            $this->diary->note(Kind::Wrong, $key, $generation, 0, 'a store did not delete');

            return;
        }
        $this->diary->note($kind, $key, $generation, since: $began);
        $this->board->delete($key, $generation);
    }

    /** Whether what was going when its process was killed has come to the store. */
    private function arrives(Line $line): bool
    {
        for ($waited = 0; $waited <= self::ARRIVES; $waited += 2_000) {
            $generation = $this->generation($line->key);
            if ($generation !== null && $generation >= $line->generation) {
                return $generation === $line->generation;
            }
            usleep(2_000);
        }

        return false;
    }

    private function generation(int $key): ?int
    {
        return Keys::generation($this->value($key), $key);
    }

    private function fate(int $key): ?Fate
    {
        $value = $this->value($key);

        return \is_array($value) && \is_string($value['fate'] ?? null) ? Fate::tryFrom($value['fate']) : null;
    }

    /** As it lies in the store: asking the cache would take a lease. */
    private function value(int $key): mixed
    {
        return Entry::of($this->stores[$this->keys->store($key)]->get($this->keys->name($key)))->value;
    }
}
