<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\ManyKeys;

use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\CountingMany;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Objects;

/** An array that counts its calls and has, if told so, one fault. */
final class Store implements CountingMany, ManyKeys, Objects
{
    /** @var array<string, mixed> */
    public array $entries = [];

    /** @var array<string, int> */
    public array $calls = [];

    private int $sets = 0;

    /**
     * @param string $fault other-key, truncated, extra-key, missing-key, loses-sets, keeps-deleted, counts-twice or
     *     none
     */
    public function __construct(private readonly string $fault = 'none') {}

    public function connect(Context $context): void {}

    public function close(): void {}

    public function get(string $key): ?string
    {
        $this->called('get');

        return $this->read($key);
    }

    public function set(string $key, string $value): void
    {
        $this->called('set');
        $this->write($key, $value);
    }

    public function delete(string $key): void
    {
        $this->called('delete');
        $this->remove($key);
    }

    public function getMany(array $keys): array
    {
        $this->called('getMany');
        $found = [];
        foreach ($keys as $index => $key) {
            $value = $this->fault === 'missing-key' && $index === 0 ? null : $this->read($key);
            if ($value !== null) {
                $found[$key] = $value;
            }
        }

        return $this->fault === 'extra-key' ? $found + ['never asked for' => 'x'] : $found;
    }

    public function setMany(array $values): void
    {
        $this->called('setMany');
        foreach ($values as $key => $value) {
            $this->write((string) $key, $value);
        }
    }

    public function deleteMany(array $keys): void
    {
        $this->called('deleteMany');
        array_map($this->remove(...), $keys);
    }

    public function setCounter(string $key, int $value): void
    {
        $this->entries[$key] = $value;
    }

    public function increment(string $key, int $by = 1): int
    {
        $this->called('increment');

        return $this->add($key, $by);
    }

    public function decrement(string $key, int $by = 1): int
    {
        return $this->add($key, -$by);
    }

    public function incrementMany(array $keys, int $by = 1): array
    {
        $this->called('incrementMany');

        return array_map(fn(string $key): int => $this->add($key, $by), array_combine($keys, $keys));
    }

    public function setObject(string $key, mixed $value): void
    {
        $this->called('setObject');
        $this->write($key, $value);
    }

    public function getObject(string $key): mixed
    {
        $this->called('getObject');

        return $this->fault === 'other-key' ? reset($this->entries) : $this->entries[$key] ?? null;
    }

    public function getRepeatedly(string $key, int $times): mixed
    {
        $value = null;
        for ($time = 0; $time < $times; ++$time) {
            $value = $this->getObject($key);
        }

        return $value;
    }

    private function called(string $method): void
    {
        $this->calls[$method] = ($this->calls[$method] ?? 0) + 1;
    }

    private function read(string $key): ?string
    {
        $value = $this->fault === 'other-key' ? reset($this->entries) : $this->entries[$key] ?? null;
        if (!\is_string($value)) {
            return null;
        }

        return $this->fault === 'truncated' ? substr($value, 0, -1) : $value;
    }

    private function write(string $key, mixed $value): void
    {
        if ($this->fault !== 'loses-sets' || ++$this->sets % 1000 !== 0) {
            $this->entries[$key] = $value;
        }
    }

    private function remove(string $key): void
    {
        if ($this->fault !== 'keeps-deleted') {
            unset($this->entries[$key]);
        }
    }

    private function add(string $key, int $by): int
    {
        $before = $this->entries[$key] ?? 0;
        $after = (\is_int($before) ? $before : 0) + $by * ($this->fault === 'counts-twice' ? 2 : 1);
        $this->entries[$key] = $after;

        return $after;
    }
}
