<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Redis;

use Larder\Bench\Subject\Appending;
use Larder\Bench\Subject\CountingMany;
use Larder\Bench\Subject\Hashes;
use Larder\Bench\Subject\Lists;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Sets;
use Larder\Bench\Subject\SubjectFailed;
use Larder\Testbed\Server\Endpoint;
use Redis;

/**
 * phpredis. Of several instances a worker uses one, by its number; the filler writes to all.
 *
 * A lost connection is an exception of the extension; a refusal is false, and so is a miss: the last error tells them apart.
 */
final class Phpredis implements Appending, CountingMany, Hashes, Lists, ManyKeys, Sets
{
    use PhpredisCollections;

    /** @var Redis|Everywhere<Redis> */
    private Redis|Everywhere $redis;

    /** @param bool $pipelined many keys as many commands in one pipeline, in place of MGET and MSET */
    public function __construct(
        private readonly bool $unix = false,
        private readonly bool $pipelined = false,
    ) {}

    public function connect(Context $context): void
    {
        $open = fn(Endpoint $server): Redis => Connection::phpredis($server, $context->timeout, $this->unix);
        $this->redis = Connection::place($context, $open);
    }

    public function close(): void
    {
        $this->redis->close();
    }

    public function get(string $key): ?string
    {
        $value = $this->redis->get($key);

        return \is_string($value) ? $value : $this->nothing('get', $key);
    }

    public function set(string $key, string $value): void
    {
        if ($this->redis->set($key, $value) !== true) {
            $this->fail('set', $key);
        }
    }

    public function delete(string $key): void
    {
        if (!\is_int($this->redis->del($key))) {
            $this->fail('del', $key);
        }
    }

    public function getMany(array $keys): array
    {
        $values = $this->pipelined ? $this->pipeline('get', $keys) : $this->redis->mget($keys);
        if (!\is_array($values) || \count($values) !== \count($keys)) {
            $this->fail('mGet', $keys[0]);
        }
        $found = array_combine($keys, $values);
        if (\in_array(false, $values, true)) {
            $this->nothing('mGet', $keys[0]);
            $found = array_filter($found, \is_string(...));
        }

        /** @var array<string, string> */
        return $found;
    }

    public function setMany(array $values): void
    {
        if (!$this->pipelined) {
            /** @var array<string, string> $values */
            if ($this->redis->mset($values) !== true) {
                $this->fail('mSet', (string) array_key_first($values));
            }

            return;
        }
        $this->redis->multi(Redis::PIPELINE);
        foreach ($values as $key => $value) {
            $this->redis->set((string) $key, $value);
        }
        $this->results(\count($values), 'set', (string) array_key_first($values));
    }

    public function deleteMany(array $keys): void
    {
        if ($this->pipelined) {
            $this->pipeline('del', $keys);
        } elseif (!\is_int($this->redis->del($keys))) {
            $this->fail('del', $keys[0]);
        }
    }

    public function append(string $key, string $suffix): void
    {
        if (!\is_int($this->redis->append($key, $suffix))) {
            $this->fail('append', $key);
        }
    }

    public function setCounter(string $key, int $value): void
    {
        $this->set($key, (string) $value);
    }

    public function increment(string $key, int $by = 1): int
    {
        $after = $this->redis->incrBy($key, $by);

        return \is_int($after) ? $after : $this->fail('incrBy', $key);
    }

    public function decrement(string $key, int $by = 1): int
    {
        $after = $this->redis->decrBy($key, $by);

        return \is_int($after) ? $after : $this->fail('decrBy', $key);
    }

    /** There is no command for it: a pipeline. */
    public function incrementMany(array $keys, int $by = 1): array
    {
        $this->redis->multi(Redis::PIPELINE);
        foreach ($keys as $key) {
            $this->redis->incrBy($key, $by);
        }

        /** @var array<string, int> */
        return array_combine($keys, $this->results(\count($keys), 'incrBy', $keys[0]));
    }

    /**
     * @param 'get'|'del'            $command
     * @param non-empty-list<string> $keys
     *
     * @return list<mixed>
     */
    private function pipeline(string $command, array $keys): array
    {
        $this->redis->multi(Redis::PIPELINE);
        foreach ($keys as $key) {
            $command === 'get' ? $this->redis->get($key) : $this->redis->del($key);
        }

        return $this->results(\count($keys), $command, $keys[0]);
    }

    /** @return list<mixed> */
    private function results(int $count, string $command, string $key): array
    {
        $replies = $this->redis->exec();
        if (!\is_array($replies) || \count($replies) !== $count || $this->redis->getLastError() !== null) {
            $this->fail('pipelined ' . $command, $key);
        }

        return array_values($replies);
    }

    private function nothing(string $call, string $key): null
    {
        return $this->redis->getLastError() === null ? null : $this->fail($call, $key);
    }

    private function no(string $call, string $key): bool
    {
        $this->nothing($call, $key);

        return false;
    }

    private function fail(string $call, string $key): never
    {
        $words = $this->redis->getLastError();
        // It stands until the next one, and would turn misses into failures.
        $this->redis->clearLastError();

        throw SubjectFailed::during($call, $key, \is_string($words) ? $words : 'an unexpected reply');
    }
}
