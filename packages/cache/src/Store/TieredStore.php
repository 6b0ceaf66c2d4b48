<?php

declare(strict_types=1);

namespace Larder\Store;

use Larder\Answer;
use Larder\Metrics\Counters;
use Larder\Metrics\NullCounters;
use Larder\Outcome;
use Larder\Store;
use Psr\Log\LoggerInterface;
use ValueError;

/**
 * A far store that many hosts share, with its larger values also kept in a near one.
 *
 * With lag 0 the far store confirms each near value by a short reply before it is handed out, so every read sees what
 * any process changed before. With a lag above 0 a value that the far store gave or confirmed within that many seconds
 * is handed out unconfirmed, so no read gives a value older than the lag and one round trip.
 *
 * Everything else is the far store's: writes, versions, leases and ttls. Where it does not answer, a read is a miss
 * (not answered), and a write is what the far store says. A near store that is full, or gone, costs speed only.
 *
 * @phpstan-import-type Entry from NearValues
 */
final readonly class TieredStore implements BatchStore, KnowsServers, MayGoBack
{
    private NearValues $near;
    private FarOutage $outage;

    /**
     * @param Store    $near     of this host, and of this far store alone: a namespace that nothing else uses
     * @param float    $lag      seconds, 0 or more
     * @param Counters $counters of reads that the far store did not answer: `larder_store_failures_total`
     *
     * @throws ValueError if the lag is negative, or more than a day
     */
    public function __construct(
        Store $near,
        private Confirming $far,
        float $lag = 0.0,
        ?LoggerInterface $log = null,
        Counters $counters = new NullCounters(),
    ) {
        if (!($lag >= 0.0 && $lag <= 86400.0)) {
            throw new ValueError('A lag must be 0 to 86400 seconds');
        }
        SharedMemoryStore::report($near, $log, $counters);
        $this->near = new NearValues($near, (int) ($lag * 1e9));
        $this->outage = new FarOutage($near, $log, $counters);
    }

    /**
     * The same for a far store of MemcachedStore::on() or RedisStore::on(). If that is a NullStore, the NullStore
     * itself.
     */
    public static function over(
        Store $near,
        Store $far,
        float $lag = 0.0,
        ?LoggerInterface $log = null,
        Counters $counters = new NullCounters(),
    ): Store {
        return $far instanceof Confirming ? new self($near, $far, $lag, $log, $counters) : $far;
    }

    public function address(): ?string
    {
        return $this->far instanceof OnServers ? $this->far->address() : null;
    }

    /** @internal Those of the far store. */
    public function classes(): Classes
    {
        return $this->far instanceof MemcachedStore || $this->far instanceof RedisStore
            ? $this->far->classes()
            : Classes::of(true);
    }

    /** @internal for the dashboard */
    public function near(): Store
    {
        return $this->near->store;
    }

    /** @internal Those of the far store; empty: it cannot tell. */
    public function servers(): array
    {
        return $this->far instanceof KnowsServers ? $this->far->servers() : [];
    }

    public function mayGoBack(): bool
    {
        return $this->far instanceof MayGoBack && $this->far->mayGoBack();
    }

    public function dropsInstead(): bool
    {
        return $this->far instanceof MayGoBack && $this->far->dropsInstead();
    }

    public function get(string $key, mixed $default = null): mixed
    {
        $entry = $this->near->fresh($key);
        if ($entry !== null) {
            return $entry[3];
        }
        $answer = $this->answers([$key])[$key];

        return $answer->hit ? $answer->value : $default;
    }

    /** Never lags, since its version is for cas(), which is done by the far store. */
    public function read(string $key): Answer
    {
        return $this->answers([$key], false)[$key];
    }

    /** Reads ask the far store, and bring nothing near. */
    public function batch(array $operations): array
    {
        $results = Operation::run($this->far, $operations);
        $written = [];
        foreach ($operations as $name => $operation) {
            $outcome = $results[$name];
            if ($operation->kind->writes() && ($outcome === Outcome::Done || $outcome === Outcome::Unknown)) {
                $written[] = $operation->key;
            }
        }
        if ($written !== []) {
            // As in written(): after the far store has answered.
            $this->near->drop(...$written);
        }

        return $results;
    }

    public function getMultiple(array $keys): array
    {
        $answers = $this->answers($keys);
        $values = [];
        foreach ($keys as $key) {
            if ($answers[$key]->hit) {
                $values[$key] = $answers[$key]->value;
            }
        }

        return $values;
    }

    public function has(string $key): bool
    {
        return $this->near->fresh($key) !== null || $this->far->has($key);
    }

    public function set(string $key, mixed $value, ?float $ttl = null, ?int $lease = null): Outcome
    {
        return $this->written($key, $this->far->set($key, $value, $ttl, $lease));
    }

    public function add(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        return $this->written($key, $this->far->add($key, $value, $ttl));
    }

    public function replace(string $key, mixed $value, ?float $ttl = null): Outcome
    {
        return $this->written($key, $this->far->replace($key, $value, $ttl));
    }

    public function cas(string $key, mixed $value, int $version, ?float $ttl = null): Outcome
    {
        return $this->written($key, $this->far->cas($key, $value, $version, $ttl));
    }

    public function setMultiple(array $values, ?float $ttl = null): array
    {
        try {
            return $this->far->setMultiple($values, $ttl);
        } finally {
            // Also after an exception, since the values before the one that cannot be stored have changed.
            $this->near->drop(...array_map(strval(...), array_keys($values)));
        }
    }

    public function delete(string $key): Outcome
    {
        return $this->written($key, $this->far->delete($key));
    }

    public function deleteMultiple(array $keys): array
    {
        $outcomes = $this->far->deleteMultiple($keys);
        $this->near->drop(...$keys);

        return $outcomes;
    }

    public function touch(string $key, ?float $ttl = null): Outcome
    {
        $outcome = $this->far->touch($key, $ttl);

        return $ttl === null || $ttl > 0.0 ? $outcome : $this->written($key, $outcome);
    }

    public function increment(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome
    {
        return $this->counted($key, $this->far->increment($key, $by, $initial, $ttl));
    }

    public function decrement(string $key, int $by = 1, ?int $initial = null, ?float $ttl = null): int|Outcome
    {
        return $this->counted($key, $this->far->decrement($key, $by, $initial, $ttl));
    }

    /**
     * Where there is no value this takes one round trip more than the far store, to bring a value near if there is one.
     */
    public function getOrLease(string $key, float $seconds = 10.0): Answer
    {
        $answer = $this->answers([$key])[$key];

        return !$answer->answered || ($answer->hit && !$answer->stale)
            ? $answer
            : $this->far->getOrLease($key, $seconds);
    }

    public function lease(string $key, float $seconds = 10.0): ?int
    {
        return $this->far->lease($key, $seconds);
    }

    public function release(string $key, int $lease): bool
    {
        return $this->far->release($key, $lease);
    }

    public function clear(): Outcome
    {
        $outcome = $this->far->clear();
        $this->near->clear();

        return $outcome;
    }

    /**
     * @param list<string> $keys
     *
     * @return array<array-key, Answer> of each key
     */
    private function answers(array $keys, bool $mayLag = true): array
    {
        $answers = $entries = $stamps = $kept = $wanted = [];
        $since = hrtime(true);
        foreach ($keys as $key) {
            $entry = $this->near->find($key);
            if ($entry === null) {
                $wanted[] = $key;
            } elseif ($mayLag && $this->near->isFresh($entry)) {
                $answers[$key] = new Answer(true, $entry[3], $entry[1]);
            } else {
                $kept[] = $key;
                $entries[$key] = $entry;
                $stamps[$key] = $entry[0];
            }
        }
        if ($stamps === [] && $wanted === []) {
            return $answers;
        }
        $told = $this->far->confirm($stamps, $wanted);
        $changed = [];
        foreach ($kept as $key) {
            $entry = $entries[$key];
            if (($told->stamps[$key] ?? null) === $entry[0]) {
                $answers[$key] = new Answer(true, $entry[3], $entry[1]);
                $this->near->renew($key, $entry, $since);
            } elseif ($told->answers[$key]->hit) {
                $changed[] = $key;
            } else {
                $answers[$key] = $told->answers[$key];
                // Where no server answered, what is kept may be confirmed later.
                $this->near->keep($key, $answers[$key], null, $since, $answers[$key]->answered);
            }
        }
        $answers += $this->taken($told, $wanted, $since, false);
        if ($changed !== []) {
            $since = hrtime(true);
            $answers += $this->taken($this->far->confirm([], $changed), $changed, $since, true);
        }
        $this->listen($answers);

        return $answers;
    }

    /**
     * @param list<string> $keys
     *
     * @return array<array-key, Answer>
     */
    private function taken(Confirmation $told, array $keys, int $since, bool $areThere): array
    {
        $answers = [];
        foreach ($keys as $key) {
            $answers[$key] = $told->answers[$key];
            $this->near->keep($key, $answers[$key], $told->stamps[$key] ?? null, $since, $areThere);
        }

        return $answers;
    }

    /** @param array<array-key, Answer> $answers */
    private function listen(array $answers): void
    {
        foreach ($answers as $answer) {
            if (!$answer->answered) {
                $this->outage->report();

                return;
            }
        }
    }

    private function counted(string $key, int|Outcome $sum): int|Outcome
    {
        return \is_int($sum) ? $sum : $this->written($key, $sum);
    }

    /** Drops the near value after the far store has answered: a read may have put an older one there until then. */
    private function written(string $key, Outcome $outcome): Outcome
    {
        if ($outcome === Outcome::Done || $outcome === Outcome::Unknown) {
            $this->near->drop($key);
        }

        return $outcome;
    }
}
