<?php

declare(strict_types=1);

namespace Larder\Torture\Memory;

use Larder\Testbed\Process\Findings;
use Larder\Outcome;
use Larder\SharedMemory;

/**
 * Writes the keys of one seat. Before each write its generation is noted as begun, after it as acknowledged; whoever comes
 * after a killed writer begins behind what that one had begun, which may have happened or not.
 *
 * Each operation answers whether the store did it; false is a refusal.
 */
final class Writer
{
    /** Milliseconds that a value lives which has an end. */
    private const LIFE = [30, 200];

    /** How often a bulk of the same values is written, so that the time is spent in the store. */
    private const REPEATS = 4;

    private const COUNTS = 400;

    public function __construct(
        private readonly SharedMemory $store,
        private readonly Board $board,
        private readonly Keys $keys,
        private readonly int $seat,
        private readonly Reader $reader,
        private readonly Tally $tally,
        private readonly Findings $findings,
    ) {}

    public function single(): bool
    {
        $key = $this->keys->single($this->seat);
        $dice = mt_rand(1, 100);

        return match (true) {
            $dice <= 55 => $this->store($key, fn(string $name, mixed $value, ?float $ttl): Outcome => $this->store->set($name, $value, $ttl)),
            $dice <= 65 => $this->store($key, fn(string $name, mixed $value, ?float $ttl): Outcome => $this->store->add($name, $value, $ttl)),
            $dice <= 75 => $this->store($key, fn(string $name, mixed $value, ?float $ttl): Outcome => $this->store->replace($name, $value, $ttl)),
            $dice <= 83 => $this->swap($key),
            $dice <= 87 => $this->swapLate($key),
            $dice <= 90 => $this->shorten($key),
            default => $this->delete($key),
        };
    }

    /** Many small values at once: nearly all of its time lies inside the store. */
    public function bulk(): bool
    {
        $first = $this->keys->bulk($this->seat);
        $begun = $this->board->begunFrom($first, Keys::BULK);
        $acknowledged = $this->board->acknowledgedFrom($first, Keys::BULK);
        $generation = ($begun === [] ? 0 : max($begun)) + 1;
        $values = [];
        for ($i = 0; $i < Keys::BULK; ++$i) {
            $values[$this->keys->name($first + $i)] = (new Specimen($first + $i, $generation))->number();
        }
        $remove = mt_rand(1, 4) === 1;
        $this->board->beginFrom($first, array_fill(0, Keys::BULK, $generation));
        $done = [];
        for ($repeat = 0; $repeat < self::REPEATS; ++$repeat) {
            $done += $this->done($this->store->setMultiple($values));
        }
        if ($remove) {
            $begun = array_fill(0, Keys::BULK, ++$generation);
            $this->board->beginFrom($first, $begun);
            $done = $this->done($this->store->deleteMultiple(array_keys($values)), Outcome::NotFound);
        }
        $this->board->acknowledgeFrom($first, array_map(
            static fn(string $name, int $before): int => isset($done[$name]) ? $generation : $before,
            array_keys($values),
            $acknowledged,
        ));

        return $done !== [];
    }

    /** Adds to a counter of this seat, which must give each sum exactly once. An evicted one starts where it may be at most. */
    public function count(): bool
    {
        $key = $this->keys->counter($this->seat);
        $name = $this->keys->name($key);
        $before = $this->board->begun($key);
        $sum = $this->board->acknowledged($key);
        $down = mt_rand(0, 3) === 0;
        $this->board->begin($key, $before + self::COUNTS);
        $most = $before;
        $next = null;
        do {
            $sum = $next ?? $sum;
            ++$most;
            $next = $down ? $this->store->decrement($name, -1, $most) : $this->store->increment($name, 1, $most);
        } while (\is_int($next) && $next > $sum && $next <= $most && $most < $before + self::COUNTS);
        $this->tally->writes += $most - $before;
        if ($next === Outcome::Refused) {
            ++$this->tally->refused;
        } elseif (!\is_int($next) || $next <= $sum || $next > $most) {
            $this->findings->add(\sprintf('counter %d: %s after %d, at most %d', $key, \is_int($next) ? $next : $next->name, $sum, $most));
        } else {
            $sum = $next;
        }
        $this->board->acknowledge($key, $sum);
        $this->board->begin($key, max($before, $sum));

        return $next !== Outcome::Refused;
    }

    /** @param callable(string, mixed, float|null): Outcome $write */
    private function store(int $key, callable $write): bool
    {
        $before = $this->board->begun($key);
        $life = mt_rand(1, 6) === 1 ? mt_rand(...self::LIFE) : 0;
        $value = self::value(new Specimen($key, $before + 1, $life === 0 ? 0 : (int) (microtime(true) * 1000) + $life));
        $this->board->begin($key, $before + 1);
        $outcome = $write($this->keys->name($key), $value, $life === 0 ? null : $life / 1000);

        return $this->settle($key, $before, $outcome, $outcome === Outcome::Done);
    }

    private function delete(int $key): bool
    {
        $before = $this->board->begun($key);
        $this->board->begin($key, $before + 1);
        $outcome = $this->store->delete($this->keys->name($key));

        return $this->settle($key, $before, $outcome, $outcome === Outcome::Done || $outcome === Outcome::NotFound);
    }

    /** Nobody else writes the key, so a version that was just read cannot have moved. */
    private function swap(int $key): bool
    {
        $version = $this->reader->version($key);

        return $version === 0 || $this->store($key, function (string $name, mixed $value, ?float $ttl) use ($key, $version): Outcome {
            $outcome = $this->store->cas($name, $value, $version, $ttl);
            if ($outcome === Outcome::Exists) {
                $this->findings->add("key $key: cas() says that the version moved, but nobody wrote");
            }

            return $outcome;
        });
    }

    /** With the version of an older value a cas() must fail. */
    private function swapLate(int $key): bool
    {
        $version = $this->reader->version($key);
        if ($version === 0 || !$this->store($key, fn(string $name, mixed $value, ?float $ttl): Outcome => $this->store->set($name, $value, $ttl))) {
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
        $specimen = $this->reader->one($key);
        if ($specimen === null || $specimen->until > 0) {
            return true;
        }

        return $this->store->touch($this->keys->name($key), mt_rand(...self::LIFE) / 1000) !== Outcome::Refused;
    }

    private function settle(int $key, int $before, Outcome $outcome, bool $happened): bool
    {
        ++$this->tally->writes;
        if ($happened) {
            $this->board->acknowledge($key, $before + 1);
        } else {
            $this->board->begin($key, $before);
        }
        if ($outcome === Outcome::Unknown) {
            $this->findings->add("key $key: an unknown outcome");
        }
        $this->tally->refused += $outcome === Outcome::Refused ? 1 : 0;

        return $outcome !== Outcome::Refused;
    }

    /**
     * @param array<array-key, Outcome> $outcomes
     *
     * @return array<array-key, Outcome> those that came out as wanted
     */
    private function done(array $outcomes, Outcome $also = Outcome::Done): array
    {
        $done = array_filter($outcomes, static fn(Outcome $outcome): bool => $outcome === Outcome::Done || $outcome === $also);
        $this->tally->writes += \count($outcomes);
        $this->tally->refused += \count($outcomes) - \count($done);

        return $done;
    }

    private static function value(Specimen $specimen): mixed
    {
        $dice = mt_rand(1, 100);

        return match (true) {
            $dice <= 15 => $specimen->until === 0 ? $specimen->number() : $specimen->text(10),
            $dice <= 30 => $specimen->text(mt_rand(10, 200)),
            $dice <= 60 => $specimen->text((int) (200 * (Specimen::LONGEST / 200) ** (mt_rand() / mt_getrandmax()))),
            $dice <= 80 => $specimen->rows(mt_rand(1, 100)),
            $dice <= 93 => $specimen->nest(mt_rand(1, 12)),
            default => $specimen->objects(mt_rand(1, 50)),
        };
    }
}
