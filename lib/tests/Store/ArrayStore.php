<?php

declare(strict_types=1);

namespace Larder\Tests\Store;

use Closure;
use Exception;
use Larder\Answer;
use Larder\Exception\UnstorableValue;
use Larder\Outcome;
use Larder\Store;
use ValueError;

/** A store in an array: the contract in as few words as it takes. */
final readonly class ArrayStore implements Store
{
    public function __construct(private Shelf $shelf) {}

    public function get(string $key, mixed $default = null): mixed
    {
        $answer = $this->read($key);

        return $answer->hit ? $answer->value : $default;
    }

    public function read(string $key): Answer
    {
        $entry = $this->shelf->entry(self::check($key));

        return $entry === null ? new Answer() : new Answer(true, unserialize($entry['value']), $entry['version']);
    }

    public function getMultiple(array $keys): array
    {
        $found = array_filter(array_combine($keys, array_map($this->read(...), $keys)), static fn(Answer $answer): bool => $answer->hit);

        return array_map(static fn(Answer $answer): mixed => $answer->value, $found);
    }

    public function has(string $key): bool
    {
        return $this->read($key)->hit;
    }

    public function set(string $key, mixed $value, ?float $ttl = null, ?int $lease = null): Outcome
    {
        return $this->write($key, $value, $ttl, fn(): Outcome => $lease === null || $this->shelf->isLeased($key, $lease) ? Outcome::Done : Outcome::Exists);
    }

    public function add(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        return $this->write($key, $value, $ttl, static fn(?int $version): Outcome => $version === null ? Outcome::Done : Outcome::Exists);
    }

    public function replace(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        return $this->write($key, $value, $ttl, static fn(?int $version): Outcome => $version === null ? Outcome::NotFound : Outcome::Done);
    }

    public function cas(string $key, mixed $value, int $version, ?float $ttl = null): Outcome
    {
        return $this->write($key, $value, $ttl, static fn(?int $there): Outcome => match ($there) {
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
        return $this->shelf->remove(self::check($key)) ? Outcome::Done : Outcome::NotFound;
    }

    public function deleteMultiple(array $keys): array
    {
        array_map(self::check(...), $keys);

        return array_combine($keys, array_map($this->delete(...), $keys));
    }

    public function touch(string $key, ?float $ttl = null): Outcome
    {
        $entry = $this->shelf->entry(self::check($key));
        if ($entry === null) {
            return Outcome::NotFound;
        }
        self::isNoTime($ttl) ? $this->shelf->remove($key) : $this->shelf->touch($key, $ttl);

        return Outcome::Done;
    }

    public function increment(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome
    {
        $entry = $this->shelf->entry(self::check($key));
        if ($entry === null) {
            return $initial === null || $this->set($key, $initial, $ttl) !== Outcome::Done ? Outcome::NotFound : $initial;
        }
        $number = unserialize($entry['value']);
        if (!\is_int($number) || ($by > 0 ? $number > PHP_INT_MAX - $by : $number < PHP_INT_MIN - $by)) {
            return Outcome::Exists;
        }
        $this->shelf->change($key, serialize($number + $by));

        return $number + $by;
    }

    public function decrement(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome
    {
        return $by > PHP_INT_MIN ? $this->increment($key, -$by, $initial, $ttl) : throw new ValueError('It cannot be taken away');
    }

    public function getOrLease(string $key, float $seconds = 10.0): Answer
    {
        $answer = $this->read($key);

        return $answer->hit ? $answer : new Answer(lease: $this->lease($key, $seconds));
    }

    public function lease(string $key, float $seconds = 10.0): ?int
    {
        return $this->shelf->lease(self::check($key), $seconds);
    }

    public function release(string $key, int $lease): bool
    {
        return $this->shelf->release(self::check($key), $lease);
    }

    public function clear(): Outcome
    {
        $this->shelf->clear();

        return Outcome::Done;
    }

    /** @param Closure(int|null): Outcome $condition given the version that is there */
    private function write(string $key, mixed $value, ?float $ttl, Closure $condition): Outcome
    {
        self::check($key);
        self::checkValue($value, '$value');
        $outcome = $condition($this->shelf->entry($key)['version'] ?? null);
        if ($outcome === Outcome::Done) {
            self::isNoTime($ttl) ? $this->shelf->remove($key) : $this->shelf->put($key, self::copy($value), $ttl);
        }

        return $outcome;
    }

    private static function isNoTime(?float $ttl): bool
    {
        return $ttl !== null && $ttl <= 0;
    }

    /** Serialized, without references. */
    private static function copy(mixed $value): string
    {
        return serialize(self::withoutReferences($value));
    }

    private static function withoutReferences(mixed $value): mixed
    {
        if (!\is_array($value)) {
            return $value;
        }
        $copy = [];
        foreach ($value as $key => $element) {
            $copy[$key] = self::withoutReferences($element);
        }

        return $copy;
    }

    private static function check(string $key): string
    {
        return $key !== '' && \strlen($key) <= 1024 ? $key : throw new ValueError('A key must be 1 to 1024 bytes long');
    }

    /** @param int $depth how many arrays hold it */
    private static function checkValue(mixed $value, string $place, int $depth = 0): void
    {
        if (\is_resource($value)) {
            throw new UnstorableValue("$place is a resource");
        }
        if (\is_object($value) && !$value instanceof \UnitEnum) {
            try {
                serialize($value);
            } catch (Exception $exception) {
                throw $exception::class === Exception::class ? new UnstorableValue("$place: {$exception->getMessage()}") : $exception;
            }
        }
        if (\is_array($value)) {
            if ($depth >= 512) {
                // A cycle shows as endless depth; its first step is enough to name it.
                throw new UnstorableValue("$place is too deep, or holds itself");
            }
            foreach ($value as $key => $element) {
                self::checkValue($element, $place . '[' . var_export($key, true) . ']', $depth + 1);
            }
        }
    }
}
