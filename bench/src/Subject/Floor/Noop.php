<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Floor;

use Larder\Bench\Subject\Appending;
use Larder\Bench\Subject\Collections;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\CountingMany;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Objects;
use Larder\Bench\Subject\RepeatedWrites;

/** Takes everything, keeps nothing: what the workload and the call cost by themselves. Its answers mean nothing. */
final readonly class Noop implements Appending, CountingMany, Collections, ManyKeys, Objects, RepeatedWrites
{
    public function connect(Context $context): void {}

    public function close(): void {}

    public function get(string $key): string
    {
        return '';
    }

    public function set(string $key, string $value): void {}

    public function delete(string $key): void {}

    public function getMany(array $keys): array
    {
        return [];
    }

    public function setMany(array $values): void {}

    public function deleteMany(array $keys): void {}

    public function append(string $key, string $suffix): void {}

    public function setCounter(string $key, int $value): void {}

    public function increment(string $key, int $by = 1): int
    {
        return 0;
    }

    public function decrement(string $key, int $by = 1): int
    {
        return 0;
    }

    public function incrementMany(array $keys, int $by = 1): array
    {
        return [];
    }

    public function setObject(string $key, mixed $value): void {}

    public function getObject(string $key): mixed
    {
        return null;
    }

    /** The loop alone. */
    public function getRepeatedly(string $key, int $times): mixed
    {
        $value = null;
        for ($time = 0; $time < $times; ++$time) {
            $value = $time;
        }

        return $value;
    }

    /** The loop alone. */
    public function setEach(array $keys, mixed $value): void
    {
        foreach ($keys as $key) {
            $value = $key;
        }
    }

    /** The loop alone. */
    public function incrementRepeatedly(string $key, int $times): int
    {
        $sum = 0;
        for ($time = 0; $time < $times; ++$time) {
            $sum = $time;
        }

        return $sum;
    }

    public function entries(): int
    {
        return 0;
    }

    public function pushRight(string $key, string $value): int
    {
        return 0;
    }

    public function pushLeft(string $key, string $value): int
    {
        return 0;
    }

    public function popLeft(string $key): string
    {
        return '';
    }

    public function setFields(string $key, array $fields): void {}

    public function hasField(string $key, string $field): bool
    {
        return true;
    }

    public function field(string $key, string $field): string
    {
        return '';
    }

    public function fields(string $key): array
    {
        return [];
    }

    public function add(string $key, string $member): bool
    {
        return true;
    }

    public function holds(string $key, string $member): bool
    {
        return true;
    }

    public function move(string $from, string $to, string $member): bool
    {
        return true;
    }

    public function random(string $key): string
    {
        return '';
    }
}
