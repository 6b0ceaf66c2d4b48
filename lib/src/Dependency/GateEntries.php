<?php

declare(strict_types=1);

namespace Larder\Dependency;

use Larder\Outcome;
use Larder\Store;
use Larder\Store\MayKeepNothing;

/**
 * The items in a store that gates are made of.
 *
 *     \0v<name>  of a name: its version, a random number; or, while the gate is closed, a list of the writers that hold it
 *     \0w<id>    a writer that is at work; it ends by its ttl when the writer is dead
 *     \0c        a number that moves after each COMMIT, before gates open
 *
 * A number is never drawn twice (62 bits), so what was lost can come back as another version only.
 *
 * @internal
 */
final readonly class GateEntries
{
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
     * The writers that hold a gate; null: it is open.
     *
     * @return list<int>|null
     */
    public static function writers(mixed $gate): ?array
    {
        return \is_array($gate) ? array_values(array_filter($gate, is_int(...))) : null;
    }

    /** False: nobody keeps anything here, so nothing can be old. */
    public function keeps(): bool
    {
        return !$this->store instanceof MayKeepNothing || !$this->store->keepsNothing();
    }

    /** @param array<string, int> $stamps */
    public function stand(array $stamps): bool
    {
        return $this->store->getMultiple(array_keys($stamps)) === $stamps;
    }

    /**
     * The present versions, made where there are none.
     *
     * @param list<string> $keys of gates
     * @param float|null   $ttl  seconds, of those that are made
     *
     * @return array<string, int>|string or why there are none
     */
    public function stamps(array $keys, ?float $ttl): array|string
    {
        $stamps = [];
        $found = $keys === [] ? [] : $this->store->getMultiple($keys);
        foreach ($keys as $key) {
            $version = \array_key_exists($key, $found) ? $found[$key] : $this->made($key, $ttl);
            if (!\is_int($version)) {
                return $version === null ? 'the store of the versions does not answer, or is full' : 'its data is being changed';
            }
            $stamps[$key] = $version;
        }

        return $stamps;
    }

    /** Null: it cannot be told. It may be an older one than the present. */
    public function counter(): ?int
    {
        $number = $this->store->get(self::COUNTER) ?? $this->made(self::COUNTER, null);

        return \is_int($number) ? $number : null;
    }

    /** Whether it is still there; asked where the truth is, also when the store has tiers. */
    public function isCounter(int $number): bool
    {
        return $this->store->increment(self::COUNTER, 0) === $number;
    }

    public function moveCounter(): bool
    {
        return \is_int($this->store->increment(self::COUNTER, 1, self::random()));
    }

    /** A number that is there from now on, whoever made it; another value that is there; null: the store did not take it. */
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
