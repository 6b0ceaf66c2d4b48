<?php

declare(strict_types=1);

namespace Larder\Bench\Subject\Memcached;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Subject\Appending;
use Larder\Bench\Subject\Context;
use Larder\Bench\Subject\Counting;
use Larder\Bench\Subject\ManyKeys;
use Larder\Bench\Subject\Objects;
use Larder\Testbed\Server\Endpoint;
use Memcached;

/**
 * ext-memcached. Every false is looked at: it is a miss only where the result code says so.
 *
 * One refusal it hides from any caller: setMulti() reports the last key's result as that of all.
 */
final class ExtMemcached implements Appending, Counting, ManyKeys, Objects
{
    private Memcached $client;

    /** The extension refuses to append while it may compress. */
    private bool $mayCompress = true;

    /**
     * @param bool        $tuned      with the options that its users find to be better, one by one
     * @param bool        $binary     with the binary protocol and no other option, as many guides have it
     * @param string|null $serializer php, igbinary, msgpack or json; null: as the extension was built
     * @param bool $probe whether connect() waits for every server; without it the first call makes the connection
     * @param bool $larder that Larder's module of this name is the one to be measured
     */
    public function __construct(
        private readonly bool $tuned = false,
        private readonly bool $binary = false,
        private readonly ?string $serializer = null,
        private readonly bool $probe = true,
        private readonly bool $larder = false,
    ) {}

    /**
     * The constants stand in a method, and not in a constant, because the extension may be absent.
     *
     * @return array<int, int|bool>
     */
    public static function tunedOptions(float $timeout): array
    {
        return [
            Memcached::OPT_BINARY_PROTOCOL => false,
            Memcached::OPT_TCP_NODELAY => true,
            Memcached::OPT_NO_BLOCK => true,
            Memcached::OPT_COMPRESSION => false,
            Memcached::OPT_LIBKETAMA_COMPATIBLE => true,
            Memcached::OPT_CONNECT_TIMEOUT => (int) ($timeout * 1e3),
            Memcached::OPT_POLL_TIMEOUT => (int) ($timeout * 1e3),
            Memcached::OPT_SEND_TIMEOUT => (int) ($timeout * 1e6),
            Memcached::OPT_RECV_TIMEOUT => (int) ($timeout * 1e6),
        ];
    }

    public function connect(Context $context): void
    {
        if (\defined('Memcached::LARDER') !== $this->larder) {
            throw Failed::connecting('memcached', $this->larder ? 'not Larder\'s module' : 'Larder\'s module');
        }
        $this->client = new Memcached();
        $options = match (true) {
            $this->tuned => self::tunedOptions($context->timeout),
            $this->binary => [Memcached::OPT_BINARY_PROTOCOL => true],
            default => [],
        };
        if ($this->serializer !== null) {
            $options[Memcached::OPT_SERIALIZER] = match ($this->serializer) {
                'igbinary' => Memcached::SERIALIZER_IGBINARY,
                'msgpack' => Memcached::SERIALIZER_MSGPACK,
                'json' => Memcached::SERIALIZER_JSON_ARRAY,
                default => Memcached::SERIALIZER_PHP,
            };
        }
        // Options go first: a ring is made of the servers as they come.
        if ($options !== [] && !$this->client->setOptions($options)) {
            throw Failed::connecting('memcached', 'an option was refused: ' . $this->client->getResultMessage());
        }
        $this->client->addServers(
            array_map(static fn(Endpoint $server): array => [$server->host, $server->port], $context->endpoints),
        );
        $this->mayCompress = $this->client->getOption(Memcached::OPT_COMPRESSION) !== false
            && $this->client->getOption(Memcached::OPT_COMPRESSION) !== 0;
        if ($this->probe) {
            $this->awaitServers(\count($context->endpoints));
        }
    }

    public function close(): void
    {
        $this->client->quit();
    }

    public function get(string $key): ?string
    {
        $value = $this->client->get($key);

        return \is_string($value) ? $value : $this->nothing('get', $key);
    }

    public function set(string $key, string $value): void
    {
        if (!$this->client->set($key, $value)) {
            $this->fail('set', $key);
        }
    }

    public function delete(string $key): void
    {
        if (!$this->client->delete($key)) {
            $this->nothing('delete', $key);
        }
    }

    public function getMany(array $keys): array
    {
        $values = $this->client->getMulti($keys);
        if (!\is_array($values)) {
            $this->fail('getMulti', $keys[0]);
        }
        if (\count($values) < \count($keys)) {
            $this->expectMisses($keys, $values);
        }

        /** @var array<string, string> */
        return $values;
    }

    public function setMany(array $values): void
    {
        if (!$this->client->setMulti($values)) {
            $this->fail('setMulti', (string) array_key_first($values));
        }
    }

    public function deleteMany(array $keys): void
    {
        foreach ($this->client->deleteMulti($keys) as $key => $result) {
            if ($result !== true && $result !== Memcached::RES_NOTFOUND) {
                throw Failed::during('deleteMulti', (string) $key, 'result code ' . json_encode($result));
            }
        }
    }

    public function append(string $key, string $suffix): void
    {
        if ($this->mayCompress) {
            $this->client->setOption(Memcached::OPT_COMPRESSION, false);
            $this->mayCompress = false;
        }
        if ($this->client->append($key, $suffix) !== true) {
            $this->fail('append', $key);
        }
    }

    public function setCounter(string $key, int $value): void
    {
        $this->set($key, (string) $value);
    }

    public function increment(string $key, int $by = 1): int
    {
        $after = $this->client->increment($key, $by);

        return \is_int($after) ? $after : $this->fail('increment', $key);
    }

    public function decrement(string $key, int $by = 1): int
    {
        $after = $this->client->decrement($key, $by);

        return \is_int($after) ? $after : $this->fail('decrement', $key);
    }

    public function setObject(string $key, mixed $value): void
    {
        if (!$this->client->set($key, $value)) {
            $this->fail('set', $key);
        }
    }

    public function getObject(string $key): mixed
    {
        $value = $this->client->get($key);

        return $value === false && $this->client->getResultCode() !== Memcached::RES_SUCCESS
            ? $this->nothing('get', $key)
            : $value;
    }

    public function getRepeatedly(string $key, int $times): mixed
    {
        $client = $this->client;
        $value = false;
        for ($time = 0; $time < $times; ++$time) {
            $value = $client->get($key);
        }

        return $value === false && $client->getResultCode() !== Memcached::RES_SUCCESS
            ? $this->nothing('get', $key)
            : $value;
    }

    private function awaitServers(int $count): void
    {
        $versions = $this->client->getVersion();
        // 255.255.255 is what it says of a server that it could not ask.
        if (
            $this->client->getResultCode() !== Memcached::RES_SUCCESS
            || \count($versions) < $count
            || \in_array('255.255.255', $versions, true)
        ) {
            throw Failed::connecting('memcached', $this->client->getResultMessage() . ' ' . json_encode($versions));
        }
    }

    private function nothing(string $call, string $key): null
    {
        return $this->client->getResultCode() === Memcached::RES_NOTFOUND ? null : $this->fail($call, $key);
    }

    /**
     * The keys of a server that is marked as failed are left out of a getMulti() that says SUCCESS: a single get tells.
     *
     * @param list<string> $keys
     * @param array<mixed> $values
     */
    private function expectMisses(array $keys, array $values): void
    {
        $code = $this->client->getResultCode();
        if ($code !== Memcached::RES_SUCCESS && $code !== Memcached::RES_NOTFOUND) {
            $this->fail('getMulti', $keys[0]);
        }
        if ($this->client->getLastDisconnectedServer() === false) {
            return;
        }
        foreach ($keys as $key) {
            if (!\array_key_exists($key, $values)) {
                $this->get($key);
            }
        }
    }

    private function fail(string $call, string $key): never
    {
        throw Failed::during($call, $key, $this->client->getResultMessage());
    }
}
