<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Client;

use Larder\Bench\Subject\Appending;
use Larder\Bench\Subject\Collections;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Counting;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Objects;

/** A store in an array that can do everything, notes its calls, and lies if told to. */
final class Memory implements Appending, Counting, Collections, ManyKeys, Objects
{
    use CollectionCalls;

    /** @var array<string, string> */
    public array $values = [];

    /** @var array<string, true> */
    public array $keys = [];

    /** @var list<string> */
    public array $calls = [];

    public bool $notes = false;

    /** @var array<string, mixed> */
    private array $objects = [];

    /** @var array<string, array<string>> */
    private array $arrays = [];

    /** @var array<string, mixed> */
    private array $first = [];

    private int $writes = 0;
    private int $answers = 0;
    private mixed $before = null;

    public function __construct(public Lie $lie = Lie::None) {}

    public function connect(Context $context): void {}

    public function close(): void {}

    public function get(string $key): ?string
    {
        $this->note('get', $key);

        return $this->read($key, $this->values[$key] ?? null);
    }

    public function set(string $key, string $value): void
    {
        $this->note('set', $key);
        if ($this->writes()) {
            $this->values[$key] = $value;
        }
    }

    public function delete(string $key): void
    {
        $this->note('delete', $key);
        if ($this->lie !== Lie::KeepsDeleted) {
            unset($this->values[$key], $this->arrays[$key], $this->objects[$key]);
        }
    }

    public function getMany(array $keys): array
    {
        $this->note('getMany', ...$keys);
        $found = [];
        foreach ($this->lie === Lie::MissingKey ? \array_slice($keys, 1) : $keys as $key) {
            $value = $this->read($key, $this->values[$key] ?? null);
            if ($value !== null) {
                $found[$key] = $value;
            }
        }

        return $this->lie === Lie::ExtraKey ? ['nobody asked' => 'for this', ...$found] : $found;
    }

    public function setMany(array $values): void
    {
        $this->note('setMany', ...array_map(strval(...), array_keys($values)));
        foreach ($values as $key => $value) {
            if ($this->writes()) {
                $this->values[(string) $key] = $value;
            }
        }
    }

    public function deleteMany(array $keys): void
    {
        array_map($this->delete(...), $keys);
    }

    public function append(string $key, string $suffix): void
    {
        $this->note('append', $key);
        if ($this->writes()) {
            $this->values[$key] = ($this->values[$key] ?? '') . $suffix;
        }
    }

    public function setCounter(string $key, int $value): void
    {
        $this->note('setCounter', $key);
        if ($this->writes()) {
            $this->values[$key] = (string) $value;
        }
    }

    public function increment(string $key, int $by = 1): int
    {
        $this->note('increment', $key);

        return $this->number((int) ($this->values[$key] = (string) ((int) ($this->values[$key] ?? 0) + $by)));
    }

    public function decrement(string $key, int $by = 1): int
    {
        $this->note('decrement', $key);

        return $this->number((int) ($this->values[$key] = (string) ((int) ($this->values[$key] ?? 0) - $by)));
    }

    public function setObject(string $key, mixed $value): void
    {
        $this->note('setObject', $key);
        if ($this->writes()) {
            $this->objects[$key] = $value;
        }
    }

    public function getObject(string $key): mixed
    {
        $this->note('getObject', $key);
        $value = $this->read($key, serialize($this->objects[$key] ?? null));
        $value = unserialize($value ?? 'N;');
        if ($this->lie === Lie::MissingKey && \is_array($value)) {
            \assert(\is_array($value['large']));
            array_pop($value['large']);
        }

        return $value;
    }

    public function getRepeatedly(string $key, int $times): mixed
    {
        $value = null;
        for ($time = 0; $time < $times; ++$time) {
            $value = $this->getObject($key);
        }

        return $value;
    }

    private function note(string $call, string ...$keys): void
    {
        if ($this->notes) {
            $this->calls[] = $call;
            $this->keys += array_fill_keys($keys, true);
        }
    }

    private function writes(): bool
    {
        return $this->lie !== Lie::DropsWrites || ++$this->writes % 1000 !== 0;
    }

    private function yes(): bool
    {
        return $this->lie !== Lie::No || ++$this->answers % 100 !== 0;
    }

    private function number(int $number): int
    {
        return $this->lie === Lie::OffByOne && ++$this->answers % 100 === 0 ? $number + 1 : $number;
    }

    private function read(string $key, ?string $value): ?string
    {
        $this->first[$key] ??= $value;
        $before = $this->before;
        $this->before = $value;
        $read = match ($this->lie) {
            Lie::OtherKey => ++$this->answers % 50 === 0 ? $before : $value,
            Lie::Truncated => $value === null || str_starts_with($value, 'a:3:{') ? $value : substr($value, 0, -1),
            Lie::Old => $this->first[$key],
            default => $value,
        };
        \assert($read === null || \is_string($read));

        return $read;
    }
}
