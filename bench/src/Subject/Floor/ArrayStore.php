<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Floor;

use Larder\Bench\Subject\Appending;
use Larder\Bench\Subject\Collections;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\CountingMany;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Objects;

/**
 * An array of this process: the least that any store in PHP can take. What is in it outlives close() and connect(),
 * because the process that fills it does so before its workers fork, and they connect again.
 */
final class ArrayStore implements Appending, CountingMany, Collections, ManyKeys, Objects
{
    /** @var array<int|string, string> */
    private array $values = [];

    /** @var array<string, int> */
    private array $counters = [];

    /** @var array<string, mixed> */
    private array $objects = [];

    /** @var array<string, list<string>> */
    private array $lists = [];

    /** @var array<string, array<string, string>> */
    private array $hashes = [];

    /** @var array<string, array<int|string, true>> */
    private array $sets = [];

    public function connect(Context $context): void {}

    public function close(): void {}

    public function get(string $key): ?string
    {
        return $this->values[$key] ?? null;
    }

    public function set(string $key, string $value): void
    {
        $this->values[$key] = $value;
    }

    public function delete(string $key): void
    {
        unset(
            $this->values[$key],
            $this->counters[$key],
            $this->objects[$key],
            $this->lists[$key],
            $this->hashes[$key],
            $this->sets[$key],
        );
    }

    public function getMany(array $keys): array
    {
        /** @var array<string, string> */
        return array_intersect_key($this->values, array_flip($keys));
    }

    public function setMany(array $values): void
    {
        $this->values = array_replace($this->values, $values);
    }

    public function deleteMany(array $keys): void
    {
        foreach ($keys as $key) {
            unset($this->values[$key]);
        }
    }

    public function append(string $key, string $suffix): void
    {
        $this->values[$key] = ($this->values[$key] ?? '') . $suffix;
    }

    public function setCounter(string $key, int $value): void
    {
        $this->counters[$key] = $value;
    }

    public function increment(string $key, int $by = 1): int
    {
        return $this->counters[$key] = ($this->counters[$key] ?? 0) + $by;
    }

    public function decrement(string $key, int $by = 1): int
    {
        return $this->counters[$key] = ($this->counters[$key] ?? 0) - $by;
    }

    public function incrementMany(array $keys, int $by = 1): array
    {
        $after = [];
        foreach ($keys as $key) {
            $after[$key] = $this->counters[$key] = ($this->counters[$key] ?? 0) + $by;
        }

        return $after;
    }

    public function setObject(string $key, mixed $value): void
    {
        $this->objects[$key] = $value;
    }

    public function getObject(string $key): mixed
    {
        return $this->objects[$key] ?? null;
    }

    public function getRepeatedly(string $key, int $times): mixed
    {
        $value = null;
        for ($time = 0; $time < $times; ++$time) {
            $value = $this->objects[$key] ?? null;
        }

        return $value;
    }

    public function pushRight(string $key, string $value): int
    {
        $this->lists[$key][] = $value;

        return \count($this->lists[$key]);
    }

    public function pushLeft(string $key, string $value): int
    {
        $this->lists[$key] ??= [];

        return array_unshift($this->lists[$key], $value);
    }

    public function popLeft(string $key): ?string
    {
        return isset($this->lists[$key]) ? array_shift($this->lists[$key]) : null;
    }

    public function setFields(string $key, array $fields): void
    {
        $this->hashes[$key] = array_replace($this->hashes[$key] ?? [], $fields);
    }

    public function hasField(string $key, string $field): bool
    {
        return isset($this->hashes[$key][$field]);
    }

    public function field(string $key, string $field): ?string
    {
        return $this->hashes[$key][$field] ?? null;
    }

    public function fields(string $key): array
    {
        return $this->hashes[$key] ?? [];
    }

    public function add(string $key, string $member): bool
    {
        $new = !isset($this->sets[$key][$member]);
        $this->sets[$key][$member] = true;

        return $new;
    }

    public function holds(string $key, string $member): bool
    {
        return isset($this->sets[$key][$member]);
    }

    public function move(string $from, string $to, string $member): bool
    {
        if (!isset($this->sets[$from][$member])) {
            return false;
        }
        unset($this->sets[$from][$member]);
        $this->sets[$to][$member] = true;

        return true;
    }

    public function random(string $key): ?string
    {
        $members = $this->sets[$key] ?? [];

        return $members === [] ? null : (string) array_rand($members);
    }
}
