<?php

declare(strict_types=1);

namespace Larder\Dependency\Gate;

use Larder\Answer;
use Larder\Dependency\Unstored;
use Larder\Exception\PrivateMemory;
use Larder\Exception\UnstorableValue;
use Larder\Outcome;
use Larder\SharedMemory;
use Larder\Store;
use Larder\Store\MayKeepNothing;
use Larder\Store\Operation;

/**
 * The entries of a store that gates consist of.
 *
 *     \0v<name>  an open gate: the version of the name, a random number; a closed one: the list of writers that hold it
 *     \0w<id>    the mark of a writer at work; if the writer dies, it ends by its ttl
 *     \0c        a counter that moves after each COMMIT, before gates open
 *     \0l<n>     the number that the counter moved to, modulo 1,024, with the names that were changed
 *
 * No number is drawn twice (62 bits), so after a loss a name has another version.
 *
 * @internal
 */
final readonly class GateEntries
{
    public const COUNTER = "\0c";

    /** Changes whose names are remembered. */
    private const REMEMBERED = 1024;

    /** Bytes; a longer name stands as its SHA-256. */
    private const LONGEST = 500;

    public function __construct(public Store $store) {}

    public static function key(string $name): string
    {
        return "\0v" . (\strlen($name) > self::LONGEST ? "\0" . hash('sha256', $name) : $name);
    }

    /** @return string|null the name of a gate; null: only its hash is known */
    public static function name(string $key): ?string
    {
        return $key[2] === "\0" ? null : substr($key, 2);
    }

    public static function writer(int $id): string
    {
        return "\0w" . $id;
    }

    public static function random(): int
    {
        return random_int(1, 1 << 62);
    }

    /**
     * @return list<int>|null the writers that hold a gate; null: it is open
     */
    public static function writers(mixed $gate): ?array
    {
        return \is_array($gate) ? array_values(array_filter($gate, is_int(...))) : null;
    }

    /** Whether the store keeps values. In one that does not, nothing can be old. */
    public function keeps(): bool
    {
        return !$this->store instanceof MayKeepNothing || !$this->store->keepsNothing();
    }

    /**
     * @param list<string> $keys
     *
     * @return array<string, Answer> by key
     */
    public function read(array $keys): array
    {
        return Operation::run($this->store, self::reads($keys));
    }

    /**
     * @param list<string> $keys
     *
     * @return array<string, Operation<Answer>> by key
     */
    public static function reads(array $keys): array
    {
        return array_map(Operation::read(...), array_combine($keys, $keys));
    }

    /**
     * Whether other processes see what is written here, as far as this one can tell.
     *
     * @throws PrivateMemory
     */
    public function mustBeSeen(): void
    {
        $segment = $this->store instanceof SharedMemory ? $this->store->info() : [];
        if (($segment['private'] ?? false) === true) {
            $reason = \is_string($segment['reason'] ?? null) ? $segment['reason'] : '';
            throw PrivateMemory::ofVersions('is not the one that larder.name says (' . $reason . ')');
        }
        if (($segment['alone'] ?? false) === true) {
            throw PrivateMemory::ofVersions('this process has for itself, since it has no name');
        }
    }

    /** @param array<string, int> $stamps */
    public function areCurrent(array $stamps): bool
    {
        return $this->store->getMultiple(array_keys($stamps)) === $stamps;
    }

    /**
     * Reads the present versions, and makes those that are missing.
     *
     * @param list<string> $keys of gates
     * @param float|null   $ttl  seconds that a new version lives
     * @param array<array-key, mixed>|null $found what was just read of these keys; null: nothing was
     *
     * @return array<string, int>|Unstored the versions, or why there are none
     */
    public function stamps(array $keys, ?float $ttl, ?array $found = null): array|Unstored
    {
        $found ??= $keys === [] ? [] : $this->store->getMultiple($keys);
        $missing = array_values(array_diff($keys, array_keys($found)));
        $found += $missing === [] ? [] : $this->made($missing, $ttl);
        $stamps = [];
        foreach ($keys as $key) {
            $version = $found[$key] ?? null;
            if (!\is_int($version)) {
                return $version === null ? Unstored::NoVersions : Unstored::Changing;
            }
            $stamps[$key] = $version;
        }

        return $stamps;
    }

    /** @return int|null a value of the counter, perhaps not the latest; null: it is not known */
    public function counter(): ?int
    {
        $number = $this->store->get(self::COUNTER) ?? $this->made([self::COUNTER], null)[self::COUNTER] ?? null;

        return \is_int($number) ? $number : null;
    }

    /**
     * Moves the counter after a COMMIT.
     *
     * @param list<string> $keys of gates
     * @param float        $ttl  seconds for which somebody may ask
     *
     * @return Operation<Outcome|UnstorableValue>|null remembers what was changed: whoever misses this stores nothing.
     *     Null: the counter was not moved
     */
    public function moveCounter(array $keys, float $ttl): ?Operation
    {
        $number = $this->store->increment(self::COUNTER, 1, self::random());

        return \is_int($number)
            ? Operation::set(self::remembered($number), [$number, self::hashes($keys)], $ttl)
            : null;
    }

    /**
     * Why a gate may have been opened by a change since the counter had this number; null: none was.
     *
     * The counter is asked by increment(), for which the far tier decides.
     *
     * @param list<string> $keys of gates
     */
    public function changedSince(int $number, array $keys): ?Unstored
    {
        $present = $this->store->increment(self::COUNTER, 0);
        if (!\is_int($present)) {
            return Unstored::NoVersions;
        }
        if ($present < $number || $present - $number > self::REMEMBERED) {
            return Unstored::ToldLate;
        }
        $changes = [];
        while (++$number <= $present) {
            $changes[self::remembered($number)] = $number;
        }
        $found = $changes === [] ? [] : $this->store->getMultiple(array_keys($changes));
        $hashes = self::hashes($keys);
        foreach ($changes as $key => $change) {
            $remembered = \is_array($found[$key] ?? null) ? $found[$key] : [];
            $changed = $remembered[1] ?? null;
            if (($remembered[0] ?? null) !== $change || !\is_array($changed)) {
                return Unstored::ToldLate;
            }
            if (array_intersect($hashes, array_filter($changed, is_int(...))) !== []) {
                return Unstored::Changed;
            }
        }

        return null;
    }

    private static function remembered(int $number): string
    {
        return "\0l" . $number % self::REMEMBERED;
    }

    /**
     * Two names with one hash cost a value that is not stored.
     *
     * @param list<string> $keys
     *
     * @return list<int>
     */
    private static function hashes(array $keys): array
    {
        return array_map(crc32(...), $keys);
    }

    /**
     * @param list<string> $keys
     *
     * @return array<array-key, mixed> new numbers by key, or what another process stored first; none of a key for which
     *     the store took nothing
     */
    private function made(array $keys, ?float $ttl): array
    {
        $numbers = array_map(static fn(): int => self::random(), array_flip($keys));
        $adds = [];
        foreach ($numbers as $key => $number) {
            $adds[$key] = Operation::add($key, $number, $ttl);
        }
        $outcomes = Operation::run($this->store, $adds);
        $theirs = array_keys($outcomes, Outcome::Exists, true);

        return array_intersect_key($numbers, array_flip(array_keys($outcomes, Outcome::Done, true)))
            + ($theirs === [] ? [] : $this->store->getMultiple($theirs));
    }
}
