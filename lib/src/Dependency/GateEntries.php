<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Larder\Outcome;
use Larder\Store;
use Larder\Store\MayKeepNothing;

/**
 * The entries of a store that gates consist of.
 *
 *     \0v<name>  an open gate: the version of the name, a random number; a closed one: the list of writers that hold it
 *     \0w<id>    the mark of a writer at work; if the writer dies, it ends by its ttl
 *     \0c        a counter that moves after each COMMIT, before gates open
 *
 * No number is drawn twice (62 bits), so after a loss a name has another version.
 *
 * @internal
 */
final readonly class GateEntries
{
    /** Why a value may not be stored although nothing is wrong with it: nobody knows the versions of its data now. */
    public const UNANSWERED = 'the store of the versions does not answer, or is full';

    private const COUNTER = "\0c";

    /** Bytes; a longer name stands as its SHA-256. */
    private const LONGEST = 500;

    public function __construct(public Store $store) {}

    public static function key(string $name): string
    {
        return "\0v" . (\strlen($name) > self::LONGEST ? "\0" . hash('sha256', $name) : $name);
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
     *
     * @return array<string, int>|string the versions, or why there are none
     */
    public function stamps(array $keys, ?float $ttl): array|string
    {
        $stamps = [];
        $found = $keys === [] ? [] : $this->store->getMultiple($keys);
        foreach ($keys as $key) {
            $version = \array_key_exists($key, $found) ? $found[$key] : $this->made($key, $ttl);
            if (!\is_int($version)) {
                return $version === null
                    ? self::UNANSWERED
                    : 'its data is being changed';
            }
            $stamps[$key] = $version;
        }

        return $stamps;
    }

    /** @return int|null a value of the counter, perhaps not the latest; null: it is not known */
    public function counter(): ?int
    {
        $number = $this->store->get(self::COUNTER) ?? $this->made(self::COUNTER, null);

        return \is_int($number) ? $number : null;
    }

    /** Whether the counter has this value now. increment() asks the far tier, which decides. */
    public function isCounter(int $number): bool
    {
        return $this->store->increment(self::COUNTER, 0) === $number;
    }

    public function moveCounter(): bool
    {
        return \is_int($this->store->increment(self::COUNTER, 1, self::random()));
    }

    /** @return mixed the new number, or what another process stored first; null: the store took nothing */
    private function made(string $key, ?float $ttl): mixed
    {
        $number = self::random();

        return match ($this->store->add($key, $number, $ttl)) {
            Outcome::Done => $number,
            Outcome::Exists => $this->store->get($key),
            default => null,
        };
    }
}
