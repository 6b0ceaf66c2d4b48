<?php

declare(strict_types=1);

namespace Larder\Torture\Memory;

use Larder\Testbed\Process\Findings;
use Larder\SharedMemory;

/**
 * Gets values and looks at each: whole, its own key's, not older than what was acknowledged before the get, and not newer than
 * what was begun after it.
 */
final class Reader
{
    private const HELD = 16;

    /** Milliseconds. A value's end is noted a moment before the store counts its ttl. */
    private const LATE = 1000;

    /** @var array<int, array{mixed, int, Specimen}> values of earlier gets, to be looked at again: value, key, what it was */
    private array $held = [];

    public function __construct(
        private readonly SharedMemory $store,
        private readonly Board $board,
        private readonly Keys $keys,
        private readonly Tally $tally,
        private readonly Findings $findings,
    ) {}

    public function one(int $key): ?Specimen
    {
        $least = $this->board->acknowledged($key);
        $asked = self::milliseconds();
        $value = $this->store->get($this->keys->name($key), $this);

        return $this->look($key, $value, $value !== $this, $least, $asked);
    }

    /** By read(), which tells the version too; 0 on a miss. */
    public function version(int $key): int
    {
        $least = $this->board->acknowledged($key);
        $asked = self::milliseconds();
        $answer = $this->store->read($this->keys->name($key));
        $this->look($key, $answer->value, $answer->hit, $least, $asked);
        if ($answer->hit !== $answer->version > 0) {
            $this->findings->add("a read of key $key gave version {$answer->version}");
        }

        return $answer->version;
    }

    /** @param non-empty-list<int> $keys */
    public function many(array $keys): void
    {
        $least = array_map($this->board->acknowledged(...), $keys);
        $asked = self::milliseconds();
        $values = $this->store->getMultiple(array_map($this->keys->name(...), $keys));
        foreach ($keys as $i => $key) {
            $name = $this->keys->name($key);
            $there = \array_key_exists($name, $values);
            $this->look($key, $there ? $values[$name] : null, $there, $least[$i], $asked);
            unset($values[$name]);
        }
        if ($values !== []) {
            $this->findings->add('getMultiple() gave a key that was not asked for: ' . array_key_first($values));
        }
    }

    /** Neighbouring keys, those that are written together. */
    public function neighbours(int $first, int $count): void
    {
        $least = $this->board->acknowledgedFrom($first, $count);
        $asked = self::milliseconds();
        $values = $this->store->getMultiple(array_map($this->keys->name(...), range($first, $first + $count - 1)));
        for ($i = 0; $i < $count; ++$i) {
            $there = \array_key_exists($this->keys->name($first + $i), $values);
            $this->look($first + $i, $there ? $values[$this->keys->name($first + $i)] : null, $there, $least[$i], $asked);
        }
    }

    /** A value that workers of all seats write, so that nothing is known of its generation. */
    public function common(int $number, mixed $value): void
    {
        ++$this->tally->reads;
        ++$this->tally->hits;
        $specimen = Specimen::of($value);
        if ($specimen?->key !== $number) {
            $this->findings->add("common key $number: " . ($specimen === null ? 'damaged' : "the value of {$specimen->key}"));
        }
    }

    /** All that is held must still be what it was. */
    public function again(): void
    {
        foreach ($this->held as [$value, $key, $specimen]) {
            ++$this->tally->rechecks;
            $now = Specimen::of($value);
            if ($now?->key !== $specimen->key || $now->generation !== $specimen->generation) {
                $this->findings->add("key $key: generation {$specimen->generation} changed in the hands of its reader");
            }
        }
    }

    private function look(int $key, mixed $value, bool $hit, int $least, int $asked): ?Specimen
    {
        ++$this->tally->reads;
        if (!$hit) {
            return null;
        }
        ++$this->tally->hits;
        $most = $this->board->begun($key);
        if ($this->keys->isCounter($key)) {
            $this->bounds($key, \is_int($value) ? $value : -1, $least, $most);

            return null;
        }
        $specimen = Specimen::of($value);
        if ($specimen === null) {
            $this->findings->add("key $key: a damaged " . get_debug_type($value));
        } elseif ($specimen->key !== $key) {
            $this->findings->add("key $key: the value of key {$specimen->key}, generation {$specimen->generation}");
        } elseif ($specimen->until > 0 && $asked > $specimen->until + self::LATE) {
            $this->findings->add(\sprintf('key %d: generation %d, %d ms after its end', $key, $specimen->generation, $asked - $specimen->until));
        } else {
            $this->bounds($key, $specimen->generation, $least, $most);
            $this->held[mt_rand(0, self::HELD - 1)] = [$value, $key, $specimen];
        }

        return $specimen;
    }

    private function bounds(int $key, int $generation, int $least, int $most): void
    {
        if ($generation < $least || $generation > $most) {
            $this->findings->add("key $key: generation $generation, but $least was acknowledged before and $most begun after");
        }
    }

    private static function milliseconds(): int
    {
        return (int) (microtime(true) * 1000);
    }
}
