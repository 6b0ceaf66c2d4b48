<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Published;

use Closure;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\KeyValue;

/** A store that calls a closure at each set. */
final class ObservedStore implements KeyValue
{
    /** @var array<string, string> */
    private array $values = [];

    /** @param Closure(): void $set */
    public function __construct(private readonly Closure $set) {}

    public function connect(Context $context): void {}

    public function close(): void {}

    public function get(string $key): ?string
    {
        return $this->values[$key] ?? null;
    }

    public function set(string $key, string $value): void
    {
        ($this->set)();
        $this->values[$key] = $value;
    }

    public function delete(string $key): void
    {
        unset($this->values[$key]);
    }
}
