<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Answer;
use Larder\Exception\UnstorableValue;
use Larder\Memcached;
use Larder\Outcome;
use Larder\Pipeline;
use Larder\Store;
use Larder\Store\Sealing\SealedValues;

/**
 * A call of a store that is sent together with others; see run().
 *
 * A value that cannot be stored is its operation's result, not an exception: the other operations are done.
 *
 * @template-covariant R of Answer|Outcome|UnstorableValue
 */
final readonly class Operation
{
    /**
     * @param float|null $seconds a ttl, or the life of a lease
     * @param int|null   $number  a version or a lease
     */
    private function __construct(
        public OperationKind $kind,
        public string $key,
        public mixed $value = null,
        public ?float $seconds = null,
        public ?int $number = null,
    ) {}

    /** @return self<Answer> */
    public static function read(string $key): self
    {
        /** @var self<Answer> */
        return new self(OperationKind::Read, $key);
    }

    /** @return self<Answer> */
    public static function getOrLease(string $key, float $seconds): self
    {
        /** @var self<Answer> */
        return new self(OperationKind::GetOrLease, $key, seconds: $seconds);
    }

    /** @return self<Answer> without a value, and with the lease unless another process has it */
    public static function lease(string $key, float $seconds): self
    {
        /** @var self<Answer> */
        return new self(OperationKind::Lease, $key, seconds: $seconds);
    }

    /** @return self<Outcome|UnstorableValue> */
    public static function set(string $key, mixed $value, ?float $ttl = null, ?int $lease = null): self
    {
        /** @var self<Outcome|UnstorableValue> */
        return new self(OperationKind::Set, $key, $value, $ttl, $lease);
    }

    /** @return self<Outcome|UnstorableValue> */
    public static function add(string $key, mixed $value, ?float $ttl = null): self
    {
        /** @var self<Outcome|UnstorableValue> */
        return new self(OperationKind::Add, $key, $value, $ttl);
    }

    /** @return self<Outcome|UnstorableValue> */
    public static function cas(string $key, mixed $value, int $version, ?float $ttl = null): self
    {
        /** @var self<Outcome|UnstorableValue> */
        return new self(OperationKind::Cas, $key, $value, $ttl, $version);
    }

    /** @return self<Outcome> */
    public static function touch(string $key, ?float $ttl = null): self
    {
        /** @var self<Outcome> */
        return new self(OperationKind::Touch, $key, seconds: $ttl);
    }

    /** @return self<Outcome> */
    public static function delete(string $key): self
    {
        /** @var self<Outcome> */
        return new self(OperationKind::Delete, $key);
    }

    /** @return self<Outcome> NotFound: the lease was lost already */
    public static function release(string $key, int $lease): self
    {
        /** @var self<Outcome> */
        return new self(OperationKind::Release, $key, number: $lease);
    }

    /**
     * Does them all: in one round trip where the store can, else one after the other.
     *
     * Those on different keys may take effect in any order.
     *
     * @template K of array-key
     * @template T of Answer|Outcome|UnstorableValue
     *
     * @param array<K, self<T>> $operations
     *
     * @return array<K, T> what each gives, as the store's method of its name
     */
    public static function run(Store $store, array $operations): array
    {
        /** @var array<K, T> */
        return match (true) {
            $store instanceof BatchStore => $store->batch($operations),
            $store instanceof Memcached => self::sent($store->pipeline(), $operations),
            default => self::each($store, $operations),
        };
    }

    /**
     * Adds it to calls that are sent to memcached together.
     *
     * @internal
     *
     * @param string   $item   the key as this client takes it
     * @param int|null $number the version or lease as this client takes it
     * @param SealedValues|null $sealed seals the value; null: it is sent as it is
     *
     * @return UnstorableValue|null why a call was added in its place that changes nothing
     */
    public function queue(Pipeline $calls, string $item, ?int $number, ?SealedValues $sealed = null): ?UnstorableValue
    {
        $seconds = $this->seconds ?? 0.0;
        try {
            $value = $this->value;
            if ($sealed !== null && $this->kind->stores()) {
                $value = $sealed->written($this->key, $value);
            }
            match ($this->kind) {
                OperationKind::Read => $calls->read($item),
                OperationKind::GetOrLease => $calls->getOrLease($item, $seconds),
                OperationKind::Lease => $calls->lease($item, $seconds),
                OperationKind::Set => $calls->set($item, $value, $this->seconds, $number),
                OperationKind::Add => $calls->add($item, $value, $this->seconds),
                OperationKind::Cas => $calls->cas($item, $value, $number ?? 0, $this->seconds),
                OperationKind::Touch => $calls->touch($item, $this->seconds),
                OperationKind::Delete => $calls->delete($item),
                OperationKind::Release => $calls->release($item, $number ?? 0),
            };
        } catch (UnstorableValue $exception) {
            $calls->version($item);

            return $exception;
        }

        return null;
    }

    private function on(Store $store): Answer|Outcome|UnstorableValue
    {
        $seconds = $this->seconds ?? 0.0;
        $number = $this->number ?? 0;
        try {
            return match ($this->kind) {
                OperationKind::Read => $store->read($this->key),
                OperationKind::GetOrLease => $store->getOrLease($this->key, $seconds),
                OperationKind::Lease => new Answer(lease: $store->lease($this->key, $seconds)),
                OperationKind::Set => $store->set($this->key, $this->value, $this->seconds, $this->number),
                OperationKind::Add => $store->add($this->key, $this->value, $this->seconds),
                OperationKind::Cas => $store->cas($this->key, $this->value, $number, $this->seconds),
                OperationKind::Touch => $store->touch($this->key, $this->seconds),
                OperationKind::Delete => $store->delete($this->key),
                OperationKind::Release => $store->release($this->key, $number) ? Outcome::Done : Outcome::NotFound,
            };
        } catch (UnstorableValue $exception) {
            return $exception;
        }
    }

    /**
     * @param array<array-key, self<Answer|Outcome|UnstorableValue>> $operations
     *
     * @return array<array-key, Answer|Outcome|UnstorableValue>
     */
    private static function each(Store $store, array $operations): array
    {
        $results = [];
        foreach ($operations as $name => $operation) {
            $results[$name] = $operation->on($store);
        }

        return $results;
    }

    /**
     * @param array<array-key, self<Answer|Outcome|UnstorableValue>> $operations
     *
     * @return array<array-key, Answer|Outcome|UnstorableValue>
     */
    private static function sent(Pipeline $calls, array $operations): array
    {
        $refused = [];
        foreach ($operations as $name => $operation) {
            $refused[$name] = $operation->queue($calls, $operation->key, $operation->number);
        }
        $replies = $calls->run();
        $results = [];
        foreach (array_keys($operations) as $call => $name) {
            $reply = $replies[$call] ?? null;
            $results[$name] = $refused[$name] ?? match ($operations[$name]->kind) {
                OperationKind::Read, OperationKind::GetOrLease => $reply instanceof Answer
                    ? $reply
                    : new Answer(answered: false),
                OperationKind::Lease => new Answer(lease: \is_int($reply) ? $reply : null),
                OperationKind::Release => $reply === true ? Outcome::Done : Outcome::NotFound,
                default => $reply instanceof Outcome ? $reply : Outcome::Unknown,
            };
        }

        return $results;
    }
}
