<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Stampede;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Context;
use Larder\Outcome;
use Larder\SharedMemory;

final class MemoryTtlStore implements TtlStore
{
    private SharedMemory $memory;

    public function connect(Context $context): void
    {
        $this->memory = new SharedMemory();
    }

    public function get(string $key): mixed
    {
        return $this->memory->get($key);
    }

    public function set(string $key, mixed $value, float $ttl): void
    {
        if ($this->memory->set($key, $value, $ttl) !== Outcome::Done) {
            throw Failed::during('set', $key, 'refused');
        }
    }

    public function add(string $key, mixed $value, float $ttl): bool
    {
        return match ($this->memory->add($key, $value, $ttl)) {
            Outcome::Done => true,
            Outcome::Exists => false,
            default => throw Failed::during('add', $key, 'refused'),
        };
    }

    public function delete(string $key): void
    {
        $this->memory->delete($key);
    }
}
