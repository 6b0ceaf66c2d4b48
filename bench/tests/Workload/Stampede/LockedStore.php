<?php

declare(strict_types=1);

namespace Larder\Bench\Tests\Workload\Stampede;

use Larder\Bench\Subject\Context;
use Larder\Bench\Workload\Stampede\TtlStore;

/**
 * A store in which another process has the lock: the first calls of add() are refused, then it may have stored a value.
 */
final class LockedStore implements TtlStore
{
    /** @var list<string> */
    public array $calls = [];

    private mixed $value = null;

    public function __construct(private int $refusals, private readonly mixed $other = null) {}

    public function connect(Context $context): void {}

    public function get(string $key): mixed
    {
        $this->calls[] = 'get';

        return $this->value;
    }

    public function set(string $key, mixed $value, float $ttl): void
    {
        $this->calls[] = 'set';
        $this->value = $value;
    }

    public function add(string $key, mixed $value, float $ttl): bool
    {
        $this->calls[] = 'add';
        if ($this->refusals === 0) {
            return true;
        }
        if (--$this->refusals === 0) {
            $this->value = $this->other;
        }

        return false;
    }

    public function delete(string $key): void
    {
        $this->calls[] = 'delete';
    }
}
