<?php

declare(strict_types=1);

namespace Larder\Proof\Memory;

use Larder\Outcome;
use Larder\SharedMemory;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Findings;
use Larder\Testbed\Value\SealedValue;

/**
 * Writes the keys of one worker. Before each write its generation is noted as begun, after it as acknowledged. The
 * writer that follows a killed one begins above what that one had begun, which may have happened or not.
 *
 * Each operation returns true if the store did it and false if the store refused.
 */
final class MemoryWriter
{
    /** Milliseconds that a value lives, if it has an end. */
    private const LIFE = [30, 200];

    /** How often a bulk of the same values is written, so that the time is spent in the store. */
    private const REPEATS = 4;

    private const COUNTS = 400;

    /** Bytes of a text. */
    private const LONGEST = 40_960;

    public function __construct(
        private readonly SharedMemory $store,
        private readonly Board $board,
        private readonly MemoryKeys $keys,
        private readonly int $worker,
        private readonly MemoryReader $reader,
        private readonly Findings $findings,
    ) {}

    public function single(): bool
    {
        $key = $this->keys->single($this->worker);
        $dice = mt_rand(1, 100);

        return match (true) {
            $dice <= 55 => $this->store($key, $this->store->set(...)),
            $dice <= 65 => $this->store($key, $this->store->add(...)),
            $dice <= 75 => $this->store($key, $this->store->replace(...)),
            $dice <= 83 => $this->swap($key),
            $dice <= 87 => $this->swapLate($key),
            $dice <= 90 => $this->shorten($key),
            default => $this->delete($key),
        };
    }

    /** Writes many small values at once, so that nearly all of the time is spent in the store. */
    public function bulk(): bool
    {
        $first = $this->keys->bulk($this->worker);
        $begun = $this->board->range('begun', $first, MemoryKeys::BULK);
        $acknowledged = $this->board->range('acknowledged', $first, MemoryKeys::BULK);
        $generation = ($begun === [] ? 0 : max($begun)) + 1;
        $values = [];
        for ($i = 0; $i < MemoryKeys::BULK; ++$i) {
            $values[$this->keys->name($first + $i)] = (new SealedValue($first + $i, $generation))->number();
        }
        $remove = mt_rand(1, 4) === 1;
        $this->board->setRange('begun', $first, array_fill(0, MemoryKeys::BULK, $generation));
        $done = [];
        for ($repeat = 0; $repeat < self::REPEATS; ++$repeat) {
            $done += $this->done($this->store->setMultiple($values));
        }
        if ($remove) {
            $this->board->setRange('begun', $first, array_fill(0, MemoryKeys::BULK, ++$generation));
            $done = $this->done($this->store->deleteMultiple(array_keys($values)), Outcome::NotFound);
        }
        $this->board->setRange('acknowledged', $first, array_map(
            static fn(string $name, int $before): int => isset($done[$name]) ? $generation : $before,
            array_keys($values),
            $acknowledged,
        ));

        return $done !== [];
    }

    /**
     * Adds to a counter of this worker, which must give each sum once. An evicted one starts at the highest that it may
     * be.
     */
    public function count(): bool
    {
        $key = $this->keys->counter($this->worker);
        $name = $this->keys->name($key);
        $before = $this->board->get('begun', $key);
        $sum = $this->board->get('acknowledged', $key);
        $down = mt_rand(0, 3) === 0;
        $this->board->set('begun', $before + self::COUNTS, $key);
        $most = $before;
        $next = null;
        do {
            $sum = $next ?? $sum;
            ++$most;
            $next = $down ? $this->store->decrement($name, -1, $most) : $this->store->increment($name, 1, $most);
        } while (\is_int($next) && $next > $sum && $next <= $most && $most < $before + self::COUNTS);
        $this->tally(WorkerCount::Writes, $most - $before);
        if ($next === Outcome::Refused) {
            $this->tally(WorkerCount::Refused);
        } elseif (!\is_int($next) || $next <= $sum || $next > $most) {
            $shown = \is_int($next) ? $next : $next->name;
            $this->findings->add("counter $key: $shown after $sum, at most $most");
        } else {
            $sum = $next;
        }
        $this->board->set('acknowledged', $sum, $key);
        $this->board->set('begun', max($before, $sum), $key);

        return $next !== Outcome::Refused;
    }

    /** @param callable(string, mixed, float|null): Outcome $write */
    private function store(int $key, callable $write): bool
    {
        $before = $this->board->get('begun', $key);
        $life = mt_rand(1, 6) === 1 ? mt_rand(...self::LIFE) : 0;
        $until = $life === 0 ? 0 : (int) (microtime(true) * 1000) + $life;
        $value = self::value(new SealedValue($key, $before + 1, $until));
        $this->board->set('begun', $before + 1, $key);
        $outcome = $write($this->keys->name($key), $value, $life === 0 ? null : $life / 1000);

        return $this->settle($key, $before, $outcome, $outcome === Outcome::Done);
    }

    private function delete(int $key): bool
    {
        $before = $this->board->get('begun', $key);
        $this->board->set('begun', $before + 1, $key);
        $outcome = $this->store->delete($this->keys->name($key));

        return $this->settle($key, $before, $outcome, $outcome === Outcome::Done || $outcome === Outcome::NotFound);
    }

    /** Nobody else writes the key, so a version that was just read cannot have moved. */
    private function swap(int $key): bool
    {
        $version = $this->reader->version($key);

        $swap = function (string $name, mixed $value, ?float $ttl) use ($key, $version): Outcome {
            $outcome = $this->store->cas($name, $value, $version, $ttl);
            if ($outcome === Outcome::Exists) {
                $this->findings->add("key $key: cas() says that the version moved, but nobody wrote");
            }

            return $outcome;
        };

        return $version === 0 || $this->store($key, $swap);
    }

    /** With the version of an older value a cas() must fail. */
    private function swapLate(int $key): bool
    {
        $version = $this->reader->version($key);
        if ($version === 0 || !$this->store($key, $this->store->set(...))) {
            return true;
        }
        $outcome = $this->store->cas($this->keys->name($key), 0, $version);
        if ($outcome === Outcome::Done) {
            $this->findings->add("key $key: cas() with a version that has moved");
        }

        return $outcome !== Outcome::Refused;
    }

    /** Shortens the life of a value without an end. */
    private function shorten(int $key): bool
    {
        $found = $this->reader->one($key);
        if ($found === null || $found->until > 0) {
            return true;
        }

        return $this->store->touch($this->keys->name($key), mt_rand(...self::LIFE) / 1000) !== Outcome::Refused;
    }

    private function settle(int $key, int $before, Outcome $outcome, bool $happened): bool
    {
        $this->tally(WorkerCount::Writes);
        if ($happened) {
            $this->board->set('acknowledged', $before + 1, $key);
        } else {
            $this->board->set('begun', $before, $key);
        }
        if ($outcome === Outcome::Unknown) {
            $this->findings->add("key $key: an unknown outcome");
        }
        $this->tally(WorkerCount::Refused, $outcome === Outcome::Refused ? 1 : 0);

        return $outcome !== Outcome::Refused;
    }

    /**
     * @param array<array-key, Outcome> $outcomes
     *
     * @return array<array-key, Outcome> those that are Done or the other outcome
     */
    private function done(array $outcomes, Outcome $also = Outcome::Done): array
    {
        $isDone = static fn(Outcome $outcome): bool => $outcome === Outcome::Done || $outcome === $also;
        $done = array_filter($outcomes, $isDone);
        $this->tally(WorkerCount::Writes, \count($outcomes));
        $this->tally(WorkerCount::Refused, \count($outcomes) - \count($done));

        return $done;
    }

    private function tally(WorkerCount $what, int $by = 1): void
    {
        $this->board->add($what, $by, $this->worker);
    }

    private static function value(SealedValue $sealed): mixed
    {
        $dice = mt_rand(1, 100);

        return match (true) {
            $dice <= 15 => $sealed->until === 0 ? $sealed->number() : $sealed->text(10),
            $dice <= 30 => $sealed->text(mt_rand(10, 200)),
            $dice <= 60 => $sealed->text((int) (200 * (self::LONGEST / 200) ** (mt_rand() / mt_getrandmax()))),
            $dice <= 80 => $sealed->rows(mt_rand(1, 100)),
            $dice <= 93 => $sealed->nest(mt_rand(1, 12)),
            default => $sealed->objects(mt_rand(1, 50)),
        };
    }
}
