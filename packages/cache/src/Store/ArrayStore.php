<?php

declare(strict_types=1);

namespace Larder\Store;

use Closure;
use Larder\Answer;
use Larder\Metrics\Counters;
use Larder\Metrics\NullCounters;
use Larder\NearStore;
use Larder\Outcome;
use Larder\SystemClock;
use Psr\Clock\ClockInterface;
use Psr\Log\LoggerInterface;
use ValueError;

/**
 * Keeps values in the memory of this process, as long as the object lives: for tests and command lines.
 *
 * Values are kept serialized, so that a change of an object after it was stored, or read, does not change the stored
 * one. Ttls and leases run by the clock that is given, so that a test can set it.
 */
final readonly class ArrayStore implements NearStore
{
    private const LONGEST_KEY = 1024;

    /** Seconds that must be left of an entry's time; see fresh(). */
    private const LEFT = 0.01;

    private ArrayEntries $entries;
    private ReportedFailures $failures;

    /**
     * @param int|null             $limit of entries: beyond it goes the one that was not used for the longest time;
     *     null: none
     * @param LoggerInterface|null $log   null: PHP's error_log, one line a minute and cause
     * @param Counters $counters of values that cannot be read, by cause: `larder_store_failures_total`
     */
    public function __construct(
        ClockInterface $clock = new SystemClock(),
        ?int $limit = null,
        ?LoggerInterface $log = null,
        Counters $counters = new NullCounters(),
    ) {
        if ($limit !== null && $limit < 1) {
            throw new ValueError('A limit is at least 1 entry');
        }
        $this->entries = new ArrayEntries($clock, $limit);
        $this->failures = new ReportedFailures($log, $counters, 'array');
    }

    public function get(string $key, mixed $default = null): mixed
    {
        $answer = $this->read($key);

        return $answer->hit ? $answer->value : $default;
    }

    public function read(string $key): Answer
    {
        $entry = $this->entries->find(self::check($key));
        if ($entry === null) {
            return new Answer();
        }
        $read = StoredBytes::read($entry['value']);
        if ($read->flaw !== null) {
            $this->failures->unreadable($key, 'the memory of this process', $read);

            return new Answer();
        }

        return new Answer(true, $read->value, $entry['version']);
    }

    public function fresh(string $key, bool $stamped = false): mixed
    {
        $found = $key === '' || \strlen($key) > self::LONGEST_KEY ? null : $this->entries->find($key);
        // What cannot be read is told of by the get() that comes behind this.
        $entry = $found === null ? null : StoredBytes::read($found['value'])->value;
        if (!\is_array($entry) || array_key_first($entry) !== self::MARKER) {
            return null;
        }
        $until = $entry[self::MARKER];
        $second = \array_slice($entry, 1, 1, true);
        if (!\is_int($until) || array_key_first($second) !== 0) {
            return null;
        }
        $while = $entry[self::WHILE_CURRENT] ?? 0;
        $now = ($this->entries->now() + self::LEFT) * 1e6;

        return $until > $now
            || ($stamped && \is_int($while) && $while > $now && $this->hold($entry[self::STAMPS] ?? null))
                ? $second[0]
                : null;
    }

    public function getMultiple(array $keys): array
    {
        array_map(self::check(...), $keys);
        $found = array_filter(
            array_combine($keys, array_map($this->read(...), $keys)),
            static fn(Answer $answer): bool => $answer->hit,
        );

        return array_map(static fn(Answer $answer): mixed => $answer->value, $found);
    }

    public function has(string $key): bool
    {
        return $this->entries->find(self::check($key)) !== null;
    }

    public function set(string $key, mixed $value, ?float $ttl = null, ?int $lease = null): Outcome
    {
        $isAllowed = fn(): bool => $lease === null || $this->entries->isLeased($key, $lease);

        return $this->write($key, $value, $ttl, fn(): Outcome => $isAllowed() ? Outcome::Done : Outcome::Exists);
    }

    public function add(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        return $this->write(
            $key,
            $value,
            $ttl,
            static fn(?int $version): Outcome => $version === null ? Outcome::Done : Outcome::Exists,
        );
    }

    public function replace(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        return $this->write(
            $key,
            $value,
            $ttl,
            static fn(?int $version): Outcome => $version === null ? Outcome::NotFound : Outcome::Done,
        );
    }

    public function cas(string $key, mixed $value, int $version, ?float $ttl = null): Outcome
    {
        return $this->write($key, $value, $ttl, static fn(?int $present): Outcome => match ($present) {
            null => Outcome::NotFound,
            $version => Outcome::Done,
            default => Outcome::Exists,
        });
    }

    public function setMultiple(array $values, ?float $ttl = null): array
    {
        foreach (array_keys($values) as $key) {
            self::check((string) $key);
        }
        $outcomes = [];
        foreach ($values as $key => $value) {
            $outcomes[$key] = $this->set((string) $key, $value, $ttl);
        }

        return $outcomes;
    }

    public function delete(string $key): Outcome
    {
        return $this->entries->remove(self::check($key)) ? Outcome::Done : Outcome::NotFound;
    }

    public function deleteMultiple(array $keys): array
    {
        array_map(self::check(...), $keys);
        $outcomes = [];
        foreach (array_unique($keys) as $key) {
            $outcomes[$key] = $this->delete($key);
        }

        return $outcomes;
    }

    public function touch(string $key, ?float $ttl = null): Outcome
    {
        $entry = $this->entries->find(self::check($key));
        if ($entry === null) {
            return Outcome::NotFound;
        }
        self::isNoTime($ttl) ? $this->entries->remove($key) : $this->entries->touch($key, $ttl);

        return Outcome::Done;
    }

    public function increment(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome
    {
        return $this->count($key, static fn(int $number): mixed => $number + $by, $initial, $ttl);
    }

    public function decrement(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome
    {
        return $this->count($key, static fn(int $number): mixed => $number - $by, $initial, $ttl);
    }

    public function getOrLease(string $key, float $seconds = 10.0): Answer
    {
        $answer = $this->read($key);

        return $answer->hit ? $answer : new Answer(lease: $this->entries->lease($key, $seconds));
    }

    public function lease(string $key, float $seconds = 10.0): ?int
    {
        return $this->entries->lease(self::check($key), $seconds);
    }

    public function release(string $key, int $lease): bool
    {
        return $this->entries->release(self::check($key), $lease);
    }

    public function clear(): Outcome
    {
        $this->entries->clear();

        return Outcome::Done;
    }

    /** Whether each key has its number as its value. */
    private function hold(mixed $stamps): bool
    {
        foreach (\is_array($stamps) ? $stamps : [0 => null] as $key => $number) {
            if (!\is_int($number) || !\is_string($key) || $this->get($key) !== $number) {
                return false;
            }
        }

        return true;
    }

    /** @param Closure(int|null): Outcome $condition given the version that is there */
    private function write(string $key, mixed $value, ?float $ttl, Closure $condition): Outcome
    {
        self::check($key);
        $bytes = Storable::serialized($value);
        $outcome = $condition($this->entries->find($key)['version'] ?? null);
        if ($outcome === Outcome::Done) {
            self::isNoTime($ttl) ? $this->entries->remove($key) : $this->entries->put($key, $bytes, $ttl);
        }

        return $outcome;
    }

    /** @param Closure(int): mixed $step not an integer: the sum does not fit one */
    private function count(string $key, Closure $step, ?int $initial, ?float $ttl): int|Outcome
    {
        $entry = $this->entries->find(self::check($key));
        if ($entry === null) {
            return $initial === null || $this->set($key, $initial, $ttl) !== Outcome::Done
                ? Outcome::NotFound
                : $initial;
        }
        $number = StoredBytes::read($entry['value'])->value;
        $sum = \is_int($number) ? $step($number) : null;
        if (!\is_int($sum)) {
            return Outcome::Exists;
        }
        $this->entries->change($key, serialize($sum));

        return $sum;
    }

    private static function isNoTime(?float $ttl): bool
    {
        return $ttl !== null && !($ttl > 0);
    }

    private static function check(string $key): string
    {
        return $key !== '' && \strlen($key) <= self::LONGEST_KEY
            ? $key
            : throw new ValueError('A key must be 1 to 1024 bytes long');
    }
}
