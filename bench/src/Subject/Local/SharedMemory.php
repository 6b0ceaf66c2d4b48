<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Local;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Counting;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\MemoryReporting;
use Larder\Bench\Subject\MemoryUsage;
use Larder\Bench\Subject\Objects;
use Larder\Bench\Subject\RepeatedWrites;
use Larder\Outcome;
use Larder\SharedMemory as Store;
use LogicException;

/**
 * Larder\SharedMemory: a segment that a process shares with those it forks.
 *
 * In share mode the first get pins what the process may see until its request ends, and the request of a window's
 * worker has no end: what is removed or replaced meanwhile is not given back. When that has filled the segment, it says
 * so and takes no part.
 */
final class SharedMemory implements Counting, ManyKeys, MemoryReporting, Objects, RepeatedWrites
{
    private ?Store $store = null;

    /** @param string $mode share or copy, as the process's php.ini values have it */
    public function __construct(private readonly string $mode) {}

    public function connect(Context $context): void
    {
        $this->store = new Store();
        $mode = $this->store->info()['mode'] ?? null;
        if ($mode !== $this->mode) {
            throw Failed::connecting(
                'the segment',
                \sprintf('its mode is %s, not %s', \is_string($mode) ? $mode : 'unknown', $this->mode),
            );
        }
    }

    /** What is stored stays, for the workers that connect again after they were forked. */
    public function close(): void
    {
        $this->store = null;
    }

    public function get(string $key): ?string
    {
        $value = $this->store()->get($key);

        return \is_string($value) ? $value : null;
    }

    public function set(string $key, string $value): void
    {
        $this->mustBeDone($this->store()->set($key, $value), 'set', $key);
    }

    public function delete(string $key): void
    {
        $outcome = $this->store()->delete($key);
        if ($outcome !== Outcome::NotFound) {
            $this->mustBeDone($outcome, 'delete', $key);
        }
    }

    public function getMany(array $keys): array
    {
        /** @var array<string, string> */
        return $this->store()->getMultiple($keys);
    }

    public function setMany(array $values): void
    {
        foreach ($this->store()->setMultiple($values) as $key => $outcome) {
            $this->mustBeDone($outcome, 'setMultiple', (string) $key);
        }
    }

    public function deleteMany(array $keys): void
    {
        foreach ($this->store()->deleteMultiple($keys) as $key => $outcome) {
            if ($outcome !== Outcome::NotFound) {
                $this->mustBeDone($outcome, 'deleteMultiple', (string) $key);
            }
        }
    }

    public function setCounter(string $key, int $value): void
    {
        $this->mustBeDone($this->store()->set($key, $value), 'set', $key);
    }

    public function increment(string $key, int $by = 1): int
    {
        return $this->sum($this->store()->increment($key, $by), 'increment', $key);
    }

    public function decrement(string $key, int $by = 1): int
    {
        return $this->sum($this->store()->decrement($key, $by), 'decrement', $key);
    }

    public function setObject(string $key, mixed $value): void
    {
        $this->mustBeDone($this->store()->set($key, $value), 'set', $key);
    }

    public function getObject(string $key): mixed
    {
        return $this->store()->get($key);
    }

    public function getRepeatedly(string $key, int $times): mixed
    {
        $store = $this->store();
        $value = null;
        for ($time = 0; $time < $times; ++$time) {
            $value = $store->get($key);
        }

        return $value;
    }

    public function setEach(array $keys, mixed $value): void
    {
        $store = $this->store();
        $done = Outcome::Done;
        foreach ($keys as $key) {
            $outcome = $store->set($key, $value);
            if ($outcome !== $done) {
                $this->mustBeDone($outcome, 'set', $key);
            }
        }
    }

    public function incrementRepeatedly(string $key, int $times): int
    {
        $store = $this->store();
        $sum = Outcome::NotFound;
        for ($time = 0; $time < $times; ++$time) {
            $sum = $store->increment($key);
        }

        return $this->sum($sum, 'increment', $key);
    }

    public function entries(): int
    {
        return $this->count('entries');
    }

    public function usage(): MemoryUsage
    {
        $entryBytes = 0;
        for ($cursor = 0; $cursor !== null; $cursor = $part['next']) {
            $part = $this->store()->entries($cursor);
            $entryBytes += array_sum(array_column($part['entries'], 'bytes'));
        }

        return new MemoryUsage(
            $this->count('bytesUsed') + $this->count('bytesLimbo'),
            $this->count('entries'),
            $entryBytes,
            $this->count('evictions'),
        );
    }

    private function count(string $figure): int
    {
        $count = $this->store()->info()[$figure] ?? null;

        return \is_int($count) ? $count : throw Failed::during('info', $figure, 'not there');
    }

    private function store(): Store
    {
        return $this->store ?? throw new LogicException('not connected');
    }

    private function sum(int|Outcome $sum, string $call, string $key): int
    {
        return \is_int($sum) ? $sum : throw Failed::during($call, $key, $sum->name);
    }

    private function mustBeDone(Outcome $outcome, string $call, string $key): void
    {
        if ($outcome === Outcome::Done) {
            return;
        }
        if ($outcome === Outcome::Refused && $this->mode === 'share' && $this->isPinnedFull()) {
            throw new NotApplicable(
                'in share mode a process that never ends its request keeps what it removes: the segment is full. '
                    . 'shared-memory-copy can do this',
            );
        }
        throw Failed::during($call, $key, $outcome->name);
    }

    /**
     * Whether more is kept of what was removed and may still be read than of what is there. A shard is full by its own
     * account.
     */
    private function isPinnedFull(): bool
    {
        return $this->count('bytesLimbo') > $this->count('bytesUsed');
    }
}
