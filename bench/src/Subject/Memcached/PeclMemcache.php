<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Memcached;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Appending;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\CountingMany;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Objects;
use Larder\Testbed\Server\Endpoint;
use MemcachePool;

/**
 * pecl-memcache. It says with a notice that a server failed, and only once: until it tries again, whatever is asked of
 * that server is false, as a miss is. So a false is a miss only while no server is marked as failed.
 */
final class PeclMemcache implements Appending, CountingMany, ManyKeys, Objects
{
    /** @var Pool */
    private object $pool;

    /** @var list<Endpoint> */
    private array $servers = [];

    /**
     * @param bool $udp   gets go by UDP, all else by TCP
     * @param bool $tuned no compression
     * @param bool $larder that Larder's module of this name is the one to be measured
     */
    public function __construct(
        private readonly bool $udp = false,
        private readonly bool $tuned = false,
        private readonly bool $larder = false,
    ) {}

    public function connect(Context $context): void
    {
        if (\defined('MemcachePool::LARDER') !== $this->larder) {
            throw Failed::connecting('memcache', $this->larder ? 'not Larder\'s module' : 'Larder\'s module');
        }
        $this->servers = $context->endpoints;
        $this->pool = self::pool();
        error_clear_last();
        foreach ($this->servers as $server) {
            $seconds = max(1, (int) ceil($context->timeout));
            // Not persistent: close() leaves such a connection open, and processes forked later read each other's
            // replies from it. Silenced here and below: what it has to say is a notice, which false() reads.
            if (!@$this->pool->connect(
                $server->host,
                $server->port,
                $this->udp ? $server->udpPort : 0,
                false,
                1,
                $seconds,
            )) {
                throw Failed::connecting(\sprintf('%s:%d', $server->host, $server->port), self::notice() ?? 'refused');
            }
        }
        if ($this->tuned) {
            $this->pool->setCompressThreshold(2 ** 31 - 1);
        }
    }

    public function close(): void
    {
        $this->pool->close();
    }

    public function get(string $key): ?string
    {
        $value = @$this->pool->get($key);

        return \is_string($value) ? $value : $this->nothing('get', $key);
    }

    public function set(string $key, string $value): void
    {
        if (@$this->pool->set($key, $value) !== true) {
            $this->fail('set', $key);
        }
    }

    public function delete(string $key): void
    {
        if (@$this->pool->delete($key) !== true) {
            $this->nothing('delete', $key);
        }
    }

    public function getMany(array $keys): array
    {
        $values = @$this->pool->get($keys);
        if (!\is_array($values) || \count($values) < \count($keys)) {
            $this->nothing('get', $keys[0]);
        }

        /** @var array<string, string> */
        return \is_array($values) ? $values : [];
    }

    public function setMany(array $values): void
    {
        if (@$this->pool->set($values) !== true) {
            $this->fail('set', (string) array_key_first($values));
        }
    }

    public function deleteMany(array $keys): void
    {
        // False where one of them was not there.
        if (@$this->pool->delete($keys) !== true) {
            $this->nothing('delete', $keys[0]);
        }
    }

    public function append(string $key, string $suffix): void
    {
        if (@$this->pool->append($key, $suffix) !== true) {
            $this->fail('append', $key);
        }
    }

    public function setCounter(string $key, int $value): void
    {
        $this->set($key, (string) $value);
    }

    public function increment(string $key, int $by = 1): int
    {
        $after = @$this->pool->increment($key, $by);

        return \is_int($after) ? $after : $this->fail('increment', $key);
    }

    public function decrement(string $key, int $by = 1): int
    {
        $after = @$this->pool->decrement($key, $by);

        return \is_int($after) ? $after : $this->fail('decrement', $key);
    }

    public function incrementMany(array $keys, int $by = 1): array
    {
        $after = @$this->pool->increment($keys, $by);
        // A key that is not there comes back as false, under its name with a NUL behind it.
        if (!\is_array($after) || \in_array(false, $after, true) || \count($after) < \count($keys)) {
            $this->fail('increment', $keys[0]);
        }

        /** @var array<string, int> */
        return $after;
    }

    public function setObject(string $key, mixed $value): void
    {
        if (@$this->pool->set($key, $value) !== true) {
            $this->fail('set', $key);
        }
    }

    public function getObject(string $key): mixed
    {
        $value = @$this->pool->get($key);

        return $value === false ? $this->nothing('get', $key) : $value;
    }

    public function getRepeatedly(string $key, int $times): mixed
    {
        $pool = $this->pool;
        $value = false;
        for ($time = 0; $time < $times; ++$time) {
            $value = @$pool->get($key);
        }

        return $value === false ? $this->nothing('get', $key) : $value;
    }

    /** @return Pool */
    private static function pool(): object
    {
        return new MemcachePool(); // @phpstan-ignore return.type (Pool says why)
    }

    private function nothing(string $call, string $key): null
    {
        foreach ($this->servers as $server) {
            if ($this->pool->getServerStatus($server->host, $server->port) === 0) {
                throw Failed::during(
                    $call,
                    $key,
                    self::notice() ?? \sprintf('%s:%d is marked as failed', $server->host, $server->port),
                );
            }
        }
        $notice = self::notice();
        // After what it takes for the loss of a datagram it asks again by TCP. That ends well with one server; of
        // several it leaves keys out, and from then on finds and stores nothing at all, without a word.
        if ($notice !== null && (\count($this->servers) > 1 || !str_contains($notice, 'UDP packet loss'))) {
            throw Failed::during($call, $key, $notice);
        }

        return null;
    }

    private function fail(string $call, string $key): never
    {
        throw Failed::during($call, $key, self::notice() ?? 'false');
    }

    /** What the extension said last, once. */
    private static function notice(): ?string
    {
        $message = error_get_last()['message'] ?? '';
        error_clear_last();

        return str_starts_with($message, 'MemcachePool::') ? $message : null;
    }
}
