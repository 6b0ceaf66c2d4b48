<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Pairs;

use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\KeyValue;

/** A store without calls for many keys, which notes what is asked of it. */
final class Rows implements KeyValue
{
    /** @var array<string, string> */
    public array $values = [];

    /** @var array<string, int> reads by key */
    public array $reads = [];

    /** @var array<string, int> writes by key */
    public array $writes = [];

    /** @var array<string, string> first value of each key */
    private array $first = [];

    private int $sets = 0;

    /** drops, old, other, truncated, or none */
    public string $lie = 'none';

    public function connect(Context $context): void {}

    public function close(): void {}

    public function get(string $key): ?string
    {
        $this->reads[$key] = ($this->reads[$key] ?? 0) + 1;
        $value = $this->values[$key] ?? null;

        return match ($this->lie) {
            'old' => $this->first[$key] ?? $value,
            'other' => $this->values[array_rand($this->values)],
            'truncated' => $value === null ? null : substr($value, 0, -1),
            default => $value,
        };
    }

    public function set(string $key, string $value): void
    {
        $this->writes[$key] = ($this->writes[$key] ?? 0) + 1;
        $this->first[$key] ??= $value;
        if ($this->lie !== 'drops' || ++$this->sets % 1000 !== 0) {
            $this->values[$key] = $value;
        }
    }

    public function delete(string $key): void
    {
        unset($this->values[$key]);
    }

    /** @return list<string> */
    public function written(): array
    {
        return array_keys($this->writes);
    }

    public function forget(): void
    {
        $this->reads = $this->writes = [];
        $this->sets = 0;
    }
}
