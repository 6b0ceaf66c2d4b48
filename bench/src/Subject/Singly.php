<?php

declare(strict_types=1);

namespace Larder\Bench\Subject;

/** A client without its calls for many keys: each is made of as many calls for one. */
final readonly class Singly implements CountingMany, ManyKeys
{
    public function __construct(private Counting&KeyValue $client) {}

    public function connect(Context $context): void
    {
        $this->client->connect($context);
    }

    public function close(): void
    {
        $this->client->close();
    }

    public function get(string $key): ?string
    {
        return $this->client->get($key);
    }

    public function set(string $key, string $value): void
    {
        $this->client->set($key, $value);
    }

    public function delete(string $key): void
    {
        $this->client->delete($key);
    }

    public function getMany(array $keys): array
    {
        $values = [];
        foreach ($keys as $key) {
            $value = $this->client->get($key);
            if ($value !== null) {
                $values[$key] = $value;
            }
        }

        return $values;
    }

    public function setMany(array $values): void
    {
        foreach ($values as $key => $value) {
            $this->client->set((string) $key, $value);
        }
    }

    public function deleteMany(array $keys): void
    {
        foreach ($keys as $key) {
            $this->client->delete($key);
        }
    }

    public function setCounter(string $key, int $value): void
    {
        $this->client->setCounter($key, $value);
    }

    public function increment(string $key, int $by = 1): int
    {
        return $this->client->increment($key, $by);
    }

    public function decrement(string $key, int $by = 1): int
    {
        return $this->client->decrement($key, $by);
    }

    public function incrementMany(array $keys, int $by = 1): array
    {
        $sums = [];
        foreach ($keys as $key) {
            $sums[$key] = $this->client->increment($key, $by);
        }

        return $sums;
    }
}
