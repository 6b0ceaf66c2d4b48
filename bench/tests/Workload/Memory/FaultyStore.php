<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Memory;

use Closure;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Counting;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\MemoryReporting;
use Larder\Bench\Subject\MemoryUsage;
use Larder\Bench\Subject\Objects;
use Larder\Bench\Subject\RepeatedWrites;

/** A store in an array that keeps so many values, those asked for last, and whose answers can be spoilt. */
final class FaultyStore implements Counting, ManyKeys, MemoryReporting, Objects, RepeatedWrites
{
    /** @var array<string, mixed> the last asked for at the end */
    private array $values = [];

    private int $dropped = 0;
    private int $gets = 0;

    /**
     * @param int                              $room    as many values as it keeps
     * @param Closure(mixed, string): mixed|null $spoilt what a get answers in place of the value, each so many gets
     */
    public function __construct(
        private readonly int $room = PHP_INT_MAX,
        private readonly ?Closure $spoilt = null,
        private readonly int $every = 1,
    ) {}

    public function connect(Context $context): void {}

    public function close(): void {}

    public function get(string $key): ?string
    {
        $value = $this->getObject($key);

        return \is_string($value) ? $value : null;
    }

    public function set(string $key, string $value): void
    {
        $this->setObject($key, $value);
    }

    public function delete(string $key): void
    {
        unset($this->values[$key]);
    }

    public function getMany(array $keys): array
    {
        /** @var array<string, string> */
        return array_intersect_key($this->values, array_flip($keys));
    }

    public function setMany(array $values): void
    {
        foreach ($values as $key => $value) {
            $this->setObject((string) $key, $value);
        }
    }

    public function deleteMany(array $keys): void
    {
        $this->values = array_diff_key($this->values, array_flip($keys));
    }

    public function setCounter(string $key, int $value): void
    {
        $this->setObject($key, $value);
    }

    public function increment(string $key, int $by = 1): int
    {
        $value = $this->getObject($key);
        $this->setObject($key, $sum = (\is_int($value) ? $value : 0) + $by);

        return $sum;
    }

    public function decrement(string $key, int $by = 1): int
    {
        return $this->increment($key, -$by);
    }

    public function setEach(array $keys, mixed $value): void
    {
        foreach ($keys as $key) {
            $this->setObject($key, $value);
        }
    }

    public function incrementRepeatedly(string $key, int $times): int
    {
        return $this->increment($key, $times);
    }

    public function entries(): int
    {
        return \count($this->values);
    }

    public function setObject(string $key, mixed $value): void
    {
        unset($this->values[$key]);
        $this->values[$key] = $value;
        if (\count($this->values) > $this->room) {
            array_shift($this->values);
            ++$this->dropped;
        }
    }

    public function getObject(string $key): mixed
    {
        if (!isset($this->values[$key])) {
            return null;
        }
        $value = $this->values[$key];
        if ($this->room < PHP_INT_MAX) {
            unset($this->values[$key]);
            $this->values[$key] = $value;
        }

        return $this->spoilt !== null && ++$this->gets % $this->every === 0 ? ($this->spoilt)($value, $key) : $value;
    }

    public function getRepeatedly(string $key, int $times): mixed
    {
        return $this->getObject($key);
    }

    public function usage(): MemoryUsage
    {
        $count = \count($this->values);

        return new MemoryUsage(100 * $count, $count, 90 * $count, $this->dropped, 'dropped');
    }
}
