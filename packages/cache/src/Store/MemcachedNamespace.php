<?php

declare(strict_types=1);

namespace Larder\Store;

use Closure;
use Larder\Answer;
use Larder\Exception\PoolIsShared;
use Larder\Failure;
use Larder\FailureKind;
use Larder\Memcached;
use Larder\Outcome;
use Larder\Pipeline;
use ValueError;

/**
 * Sends calls for keys of one namespace, each under the namespace's present generation. This is a random word that lies
 * on one of the servers, is part of all keys, and is replaced by clear().
 *
 * The word is read together with the calls, whose keys hold the word last seen. If the word has changed, the calls went
 * to keys that no process will ask for again, since no word comes twice. So they are repeated, and count once.
 *
 * @internal
 */
final class MemcachedNamespace
{
    /** How often a call is repeated when the namespace is cleared each time before it arrives. */
    private const TRIES = 4;

    private const NO_CAS = 'it runs without CAS (-C, or cas_disabled), so it gives no leases: values are made, and not '
        . 'stored';

    /** Where the generation lies. */
    private readonly string $word;

    private readonly string $space;

    /** The generation last seen; null: not asked for yet, or it has changed. */
    private ?string $generation = null;

    /** Nanoseconds for which no server is asked after a call that timed out. */
    private readonly int $rest;

    /** By the monotonic clock; 0: no call has timed out. */
    private int $restsUntil = 0;

    private bool $toldOfCas = false;

    /**
     * @throws PoolIsShared
     * @throws ValueError
     */
    public function __construct(
        private readonly MemcachedKeys $keys,
        private readonly Memcached $memcached,
        private readonly ReportedFailures $failures,
    ) {
        $this->rest = (int) $memcached->settings()['retry'] * 1_000_000;
        $this->word = $keys->generation;
        $this->space = $keys->space;
        // Neither call asks a server. The first fails on a shared pool, the second with too long a prefix.
        $memcached->pipeline()->lease($this->word);
        try {
            $memcached->serverOf($keys->longest());
        } catch (ValueError $error) {
            throw new ValueError(
                'The prefix of this Memcached leaves no room for the keys of a store: use at most 50 bytes, without '
                    . 'spaces',
                0,
                $error,
            );
        }
    }

    /** @return array<string, int> Unix time by server; those that do not answer are left out */
    public function clocks(): array
    {
        $clocks = [];
        foreach ($this->memcached->stats() as $server => $words) {
            if (isset($words['time'])) {
                $clocks[$server] = (int) $words['time'];
            }
        }

        return $clocks;
    }

    /**
     * @param list<string> $keys
     * @param Closure(Pipeline, string, string, int): mixed $queue puts the call on an item, for a key, into the
     *     pipeline; it gets the key's number in the list too
     */
    public function run(array $keys, Closure $queue): MemcachedReplies
    {
        MemcachedKeys::check(...$keys);
        for ($try = 0; $try < self::TRIES; ++$try) {
            $generation = $this->generation();
            if ($generation === null) {
                return new MemcachedReplies(false);
            }
            $pipeline = $this->memcached->pipeline()->read($this->word);
            $items = [];
            foreach ($keys as $call => $key) {
                $items[] = $item = $this->keys->item($generation, $key);
                $queue($pipeline, $item, $key, $call);
            }
            $replies = $pipeline->run();
            $this->report($this->memcached->failures());
            $present = array_shift($replies);
            if (!$present instanceof Answer || !$present->answered) {
                return new MemcachedReplies(false, $items, $replies);
            }
            if ($present->value === $generation) {
                return new MemcachedReplies(true, $items, $replies, $this->givesLeases($present));
            }
            $this->generation = MemcachedKeys::generationIn($present->value);
        }

        // The calls went to keys of a past generation.
        return new MemcachedReplies(false);
    }

    /**
     * The shortest way for one call, since a miss goes it twice: the call is put on calls(), and both go to sent().
     *
     * @return string|null the name of a key under the generation last seen; null: run() has to ask for it, or check it
     */
    public function quick(string $key): ?string
    {
        // As in value(), short keys are checked and named here.
        return $this->generation === null || $this->restsUntil !== 0 || $key === '' || isset($key[MemcachedKeys::SHORT])
            ? null
            : $this->space . $this->generation . '.' . $key;
    }

    public function calls(): Pipeline
    {
        return $this->memcached->pipeline()->read($this->word);
    }

    /** @return array{bool, mixed}|null whether it is sure, and the reply; null: the call is to be repeated by run() */
    public function sent(Pipeline $calls): ?array
    {
        [$present, $reply] = $calls->run();
        $failures = $this->memcached->failures();
        if ($failures !== []) {
            $this->report($failures);
        }
        if (!$present instanceof Answer || !$present->answered) {
            return [false, $reply];
        }
        if ($present->value === $this->generation) {
            return [true, $this->givesLeases($present) ? $reply : MemcachedReplies::withoutLease($reply)];
        }
        $this->generation = MemcachedKeys::generationIn($present->value);

        return null;
    }

    /** As values() for one key: the shortest way, since this is the most common call. */
    public function value(string $key, mixed $default): mixed
    {
        // Short keys are checked and named here, which saves two calls.
        $isShort = $key !== '' && !isset($key[MemcachedKeys::SHORT]);
        if (!$isShort) {
            MemcachedKeys::check($key);
        }
        for ($try = 0; $try < self::TRIES; ++$try) {
            $generation = $this->restsUntil === 0 ? $this->generation ?? $this->generation() : $this->generation();
            if ($generation === null) {
                break;
            }
            $item = $isShort ? $this->space . $generation . '.' . $key : $this->keys->item($generation, $key);
            $found = $this->memcached->getMultiple([$this->word, $item]);
            $present = $found[$this->word] ?? null;
            if ($present === $generation && isset($found[$item])) {
                return $found[$item];
            }
            $failures = $this->memcached->failures();
            $this->report($failures);
            if ($present === $generation) {
                return \array_key_exists($item, $found) ? null : $default;
            }
            if ($present === null && $failures !== []) {
                // Most likely its server failed, and another question could cost another deadline.
                break;
            }
            $this->generation = null;
        }

        return $default;
    }

    /**
     * @param list<string> $keys
     *
     * @return array<array-key, mixed> those that are there, in the order asked for
     */
    public function values(array $keys): array
    {
        for ($try = 0; $keys !== [] && $try < self::TRIES; ++$try) {
            $generation = $this->restsUntil === 0 ? $this->generation ?? $this->generation() : $this->generation();
            if ($generation === null) {
                MemcachedKeys::check(...$keys);
                break;
            }
            $items = [];
            $start = $this->space . $generation . '.';
            foreach ($keys as $key) {
                // As in value(), short keys are checked and named here.
                if ($key === '' || isset($key[MemcachedKeys::SHORT])) {
                    MemcachedKeys::check($key);
                    $items[$key] = $this->keys->item($generation, $key);
                } else {
                    $items[$key] = $start . $key;
                }
            }
            $found = $this->memcached->getMultiple([$this->word, ...array_values($items)]);
            $present = $found[$this->word] ?? null;
            unset($found[$this->word]);
            if ($present === $generation && \count($found) === \count($items)) {
                // In the order asked for.
                return array_combine(array_keys($items), $found);
            }
            $failures = $this->memcached->failures();
            $this->report($failures);
            if ($present === $generation) {
                $items = array_filter($items, static fn(string $item): bool => \array_key_exists($item, $found));

                return array_map(static fn(string $item): mixed => $found[$item], $items);
            }
            if ($present === null && $failures !== []) {
                // Most likely its server failed, and another question could cost another deadline.
                break;
            }
            $this->generation = null;
        }

        return [];
    }

    /** The server of a key, for a log. */
    public function server(string $key): string
    {
        return $this->memcached->serverOf($this->keys->item($this->generation ?? '', $key));
    }

    public function clear(): Outcome
    {
        $this->generation = null;
        $outcome = $this->memcached->set($this->word, MemcachedKeys::newGeneration());
        $this->report($this->memcached->failures());

        return $outcome;
    }

    /** The generation last seen, or the one on the server, which is put there if it is missing; null: not known. */
    private function generation(): ?string
    {
        if ($this->restsUntil > hrtime(true)) {
            return null;
        }
        $this->restsUntil = 0;
        for ($try = 0; $this->generation === null && $try < self::TRIES; ++$try) {
            $present = $this->memcached->read($this->word);
            $this->report($this->memcached->failures());
            if (!$present->answered) {
                break;
            }
            $this->generation = MemcachedKeys::generationIn($present->value);
            if ($this->generation !== null) {
                break;
            }
            $new = MemcachedKeys::newGeneration();
            // A word is never put back once it was replaced: values of that generation could still be there.
            if ($this->memcached->add($this->word, $new) === Outcome::Done) {
                $this->generation = $new;
            }
            $this->report($this->memcached->failures());
        }

        return $this->generation;
    }

    /**
     * A lease on memcached is named by a number that the server gives to what it stores. One that gives none would seem
     * to say for ever that another process makes the value.
     */
    private function givesLeases(Answer $word): bool
    {
        if ($word->version === 0 && !$this->toldOfCas) {
            $this->toldOfCas = true;
            $this->failures->add('NoCas', $this->memcached->serverOf($this->word), self::NO_CAS);
        }

        return $word->version !== 0;
    }

    /**
     * The client gives up the server that was silent, and goes on asking the others. A request calls a store many times
     * and shall lose one deadline at most, whatever servers its keys lie on, so the store stops asking after the first.
     *
     * @param list<Failure> $failures
     */
    private function report(array $failures): void
    {
        foreach ($failures as $failure) {
            if ($failure->kind === FailureKind::TimedOut) {
                $this->restsUntil = hrtime(true) + $this->rest;
                break;
            }
        }
        $this->failures->report($failures);
    }
}
