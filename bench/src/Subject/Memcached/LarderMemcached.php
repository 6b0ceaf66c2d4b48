<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Memcached;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Appending;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\CountingMany;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Objects;
use Larder\Memcached;
use Larder\Outcome;
use Larder\Testbed\Server\Endpoint;

/** Larder\Memcached. A miss is one only when failures() has nothing to say. */
final class LarderMemcached implements Appending, CountingMany, ManyKeys, Objects
{
    private Memcached $client;

    public function __construct(
        private readonly bool $udp = false,
        private readonly string $serializer = 'php',
        private readonly bool $probe = true,
        private readonly bool $shared = true,
        private readonly bool $usual = false,
    ) {}

    public function connect(Context $context): void
    {
        $servers = array_map(
            static fn(Endpoint $server): string => $server->socket !== null
                ? 'unix:' . $server->socket
                : $server->host . ':' . $server->port,
            $context->endpoints,
        );
        $this->client = new Memcached(
            $servers,
            timeout: (int) ($context->timeout * 1000),
            serializer: $this->serializer,
            shared: $this->shared,
            udp: $this->udp,
            objects: $this->usual ? [] : true,
        );
        if ($this->probe && \in_array(null, $this->client->version(), true)) {
            throw Failed::connecting('memcached', $this->why('no answer'));
        }
    }

    public function close(): void
    {
        $this->client->close();
    }

    public function get(string $key): ?string
    {
        $value = $this->client->get($key);

        return \is_string($value) ? $value : $this->nothing('get', $key);
    }

    public function set(string $key, string $value): void
    {
        $this->mustBeDone($this->client->set($key, $value), 'set', $key);
    }

    public function delete(string $key): void
    {
        $outcome = $this->client->delete($key);
        if ($outcome !== Outcome::NotFound) {
            $this->mustBeDone($outcome, 'delete', $key);
        }
    }

    public function getMany(array $keys): array
    {
        $values = $this->client->getMultiple($keys);
        if (\count($values) < \count($keys)) {
            $this->nothing('getMultiple', $keys[0]);
        }

        /** @var array<string, string> */
        return $values;
    }

    public function setMany(array $values): void
    {
        foreach ($this->client->setMultiple($values) as $key => $outcome) {
            if ($outcome !== Outcome::Done) {
                $this->mustBeDone($outcome, 'setMultiple', (string) $key);
            }
        }
    }

    public function deleteMany(array $keys): void
    {
        foreach ($this->client->deleteMultiple($keys) as $key => $outcome) {
            if ($outcome !== Outcome::NotFound) {
                $this->mustBeDone($outcome, 'deleteMultiple', (string) $key);
            }
        }
    }

    public function append(string $key, string $suffix): void
    {
        $this->mustBeDone($this->client->append($key, $suffix), 'append', $key);
    }

    public function setCounter(string $key, int $value): void
    {
        $this->mustBeDone($this->client->set($key, $value), 'set', $key);
    }

    public function increment(string $key, int $by = 1): int
    {
        return $this->sum($this->client->increment($key, $by), 'increment', $key);
    }

    public function decrement(string $key, int $by = 1): int
    {
        return $this->sum($this->client->decrement($key, $by), 'decrement', $key);
    }

    public function incrementMany(array $keys, int $by = 1): array
    {
        $sums = [];
        foreach ($this->client->incrementMultiple($keys, $by) as $key => $sum) {
            $sums[(string) $key] = \is_int($sum) ? $sum : $this->sum($sum, 'incrementMultiple', (string) $key);
        }

        return $sums;
    }

    public function setObject(string $key, mixed $value): void
    {
        $this->mustBeDone($this->client->set($key, $value), 'set', $key);
    }

    public function getObject(string $key): mixed
    {
        return $this->client->get($key) ?? $this->nothing('get', $key);
    }

    public function getRepeatedly(string $key, int $times): mixed
    {
        $client = $this->client;
        $value = null;
        for ($time = 0; $time < $times; ++$time) {
            $value = $client->get($key);
        }

        return $value ?? $this->nothing('get', $key);
    }

    private function sum(int|Outcome $sum, string $call, string $key): int
    {
        return \is_int($sum) ? $sum : throw Failed::during($call, $key, $this->why($sum->name));
    }

    private function nothing(string $call, string $key): null
    {
        return $this->client->failures() === [] ? null : throw Failed::during($call, $key, $this->why('no answer'));
    }

    private function mustBeDone(Outcome $outcome, string $call, string $key): void
    {
        if ($outcome !== Outcome::Done) {
            throw Failed::during($call, $key, $this->why($outcome->name));
        }
    }

    private function why(string $otherwise): string
    {
        return $this->client->failures()[0]->message ?? $otherwise;
    }
}
