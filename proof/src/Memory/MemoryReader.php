<?php

declare(strict_types=1);

namespace Larder\Proof\Memory;

use Larder\SharedMemory;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Findings;
use Larder\Testbed\Value\SealedValue;
use Larder\Testbed\Value\WrongValue;

/**
 * Gets values and checks each. It must be whole and its own key's, not older than what was acknowledged before the get,
 * and not newer than what was begun after it.
 */
final class MemoryReader
{
    private const HELD = 16;

    /** Milliseconds, since a value's end is noted a moment before the store counts its ttl. */
    private const LATE = 1000;

    /** @var array<int, array{mixed, SealedValue}> values of earlier gets, to be checked again, and what they were */
    private array $held = [];

    public function __construct(
        private readonly SharedMemory $store,
        private readonly Board $board,
        private readonly MemoryKeys $keys,
        private readonly int $worker,
        private readonly Findings $findings,
    ) {}

    public function one(int $key): ?SealedValue
    {
        $oldest = $this->board->get('acknowledged', $key);
        $asked = self::milliseconds();
        $value = $this->store->get($this->keys->name($key), $this);

        return $this->look($key, $value, $value !== $this, $oldest, $asked);
    }

    /** By read(), which tells the version too; 0 on a miss. */
    public function version(int $key): int
    {
        $oldest = $this->board->get('acknowledged', $key);
        $asked = self::milliseconds();
        $answer = $this->store->read($this->keys->name($key));
        $this->look($key, $answer->value, $answer->hit, $oldest, $asked);
        if ($answer->hit !== $answer->version > 0) {
            $this->findings->add("a read of key $key gave version {$answer->version}");
        }

        return $answer->version;
    }

    /** @param non-empty-list<int> $keys */
    public function many(array $keys): void
    {
        $oldest = array_map(fn(int $key): int => $this->board->get('acknowledged', $key), $keys);
        $asked = self::milliseconds();
        $values = $this->store->getMultiple(array_map($this->keys->name(...), $keys));
        foreach ($keys as $i => $key) {
            $name = $this->keys->name($key);
            $there = \array_key_exists($name, $values);
            $this->look($key, $there ? $values[$name] : null, $there, $oldest[$i], $asked);
            unset($values[$name]);
        }
        if ($values !== []) {
            $this->findings->add('getMultiple() gave a key that was not asked for: ' . array_key_first($values));
        }
    }

    /** Checks a value that all workers write, so that its generation is not known. */
    public function common(int $number, mixed $value): void
    {
        $this->count(WorkerCount::Reads);
        $this->count(WorkerCount::Hits);
        try {
            SealedValue::verify($value, $number);
        } catch (WrongValue $wrong) {
            $this->findings->add("common key $number: {$wrong->getMessage()}");
        }
    }

    /** Checks that all values that are held are still what they were. */
    public function again(): void
    {
        foreach ($this->held as [$value, $found]) {
            $this->count(WorkerCount::Rechecks);
            try {
                SealedValue::verify($value, $found->key, $found->generation, $found->generation);
            } catch (WrongValue $wrong) {
                $which = "key {$found->key}: generation {$found->generation}";
                $this->findings->add("$which changed in the hands of its reader: {$wrong->getMessage()}");
            }
        }
    }

    /**
     * @param int $oldest generation that was acknowledged before the get
     * @param int $asked  milliseconds since 1970
     */
    private function look(int $key, mixed $value, bool $hit, int $oldest, int $asked): ?SealedValue
    {
        $this->count(WorkerCount::Reads);
        if (!$hit) {
            return null;
        }
        $this->count(WorkerCount::Hits);
        $newest = $this->board->get('begun', $key);
        if ($this->keys->isCounter($key)) {
            if (!\is_int($value) || $value < $oldest || $value > $newest) {
                $shown = \is_int($value) ? $value : get_debug_type($value);
                $this->findings->add("counter $key: $shown instead of $oldest to $newest");
            }

            return null;
        }
        try {
            $found = SealedValue::verify($value, $key, $oldest, $newest);
        } catch (WrongValue $wrong) {
            $this->findings->add("key $key: {$wrong->getMessage()}");

            return null;
        }
        if ($found->until > 0 && $asked > $found->until + self::LATE) {
            $late = $asked - $found->until;
            $this->findings->add("key $key: generation {$found->generation}, $late ms after its end");
        } else {
            $this->held[mt_rand(0, self::HELD - 1)] = [$value, $found];
        }

        return $found;
    }

    private function count(WorkerCount $what): void
    {
        $this->board->add($what, index: $this->worker);
    }

    private static function milliseconds(): int
    {
        return (int) (microtime(true) * 1000);
    }
}
