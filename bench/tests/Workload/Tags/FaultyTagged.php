<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Tags;

use Closure;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\MemoryReporting;
use Larder\Bench\Subject\MemoryUsage;
use Larder\Bench\Subject\Tagged;

/** Keeps tagged values in an array. It has the fault that it is given. */
final class FaultyTagged implements MemoryReporting, Tagged
{
    /** @var array<string, array{mixed, list<int>}> */
    private array $values = [];

    /** @var array<int, int> */
    private array $changes = [];

    /** @param string $fault none, deaf (ignores changes), another-record, leaks */
    public function __construct(private readonly string $fault = 'none') {}

    public function connect(Context $context): void {}

    public function close(): void {}

    public function tagged(string $key, Closure $compute, array $tags): mixed
    {
        $this->values[$key] ??= [$compute(), $tags];

        return $this->fault === 'another-record'
            ? $this->values[array_key_first($this->values)][0]
            : $this->values[$key][0];
    }

    public function forget(string $key): void
    {
        unset($this->values[$key]);
    }

    public function change(array $tags, Closure $write): void
    {
        $write();
        if ($this->fault === 'leaks') {
            $this->changes[$tags[0]] = 1;
        }
        if ($this->fault !== 'deaf') {
            $this->values = array_filter(
                $this->values,
                static fn(array $value): bool => array_intersect($value[1], $tags) === [],
            );
        }
    }

    public function usage(): MemoryUsage
    {
        return new MemoryUsage(1000 + 10 * \count($this->values) + 10 * \count($this->changes));
    }
}
