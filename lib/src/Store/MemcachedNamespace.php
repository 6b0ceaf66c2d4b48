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
 * Sends calls for keys of one namespace, each under the namespace's present generation: a random word that lies on one
 * of the servers, that all keys hold, and that clear() replaces.
 *
 * The word is asked for together with the calls, which are named by the word last seen. If that is over, the calls were
 * made on keys that nobody will ever ask for again, since no word comes twice; so they are made anew, and count once.
 *
 * @internal
 */
final class MemcachedNamespace
{
    /** How often a call follows a namespace that is cleared each time before the call is there. */
    private const TRIES = 4;

    /** Where the generation lies. */
    private readonly string $word;

    private readonly string $space;

    /** The one last seen; null: not asked for yet, or it is over. */
    private ?string $generation = null;

    /** Nanoseconds that nobody is asked after a call that timed out. */
    private readonly int $rest;

    /** By the monotonic clock; 0: no call has timed out. */
    private int $restsUntil = 0;

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
        // Neither asks a server. A shared pool lets nobody queue the first, a long prefix nobody the second.
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

    /**
     * @param list<string>                              $keys
     * @param Closure(Pipeline, string, string): mixed $queue puts the call on an item, for a key, into the pipeline
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
            foreach ($keys as $key) {
                $items[] = $item = $this->keys->item($generation, $key);
                $queue($pipeline, $item, $key);
            }
            $replies = $pipeline->run();
            $this->report($this->memcached->failures());
            $present = array_shift($replies);
            if (!$present instanceof Answer || !$present->answered) {
                return new MemcachedReplies(false, $items, $replies);
            }
            if ($present->value === $generation) {
                return new MemcachedReplies(true, $items, $replies);
            }
            $this->generation = MemcachedKeys::generationIn($present->value);
        }

        // Whatever was done, was done to keys of the past.
        return new MemcachedReplies(false);
    }

    /** One value: as values(), in the shortest way that there is for the commonest call. */
    public function value(string $key, mixed $default): mixed
    {
        // Short keys are checked and named in place: two calls less.
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
                // Most likely its server: another question could cost another deadline.
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
        MemcachedKeys::check(...$keys);
        for ($try = 0; $keys !== [] && $try < self::TRIES; ++$try) {
            $generation = $this->restsUntil === 0 ? $this->generation ?? $this->generation() : $this->generation();
            if ($generation === null) {
                break;
            }
            $items = [];
            $sent = [$this->word];
            foreach ($keys as $key) {
                $sent[] = $items[$key] = $this->keys->item($generation, $key);
            }
            $found = $this->memcached->getMultiple($sent);
            $isSure = ($found[$this->word] ?? null) === $generation;
            if ($isSure && \count($found) === \count($sent)) {
                return array_map(static fn(string $item): mixed => $found[$item], $items);
            }
            $failures = $this->memcached->failures();
            $this->report($failures);
            if ($isSure) {
                $items = array_filter($items, static fn(string $item): bool => \array_key_exists($item, $found));

                return array_map(static fn(string $item): mixed => $found[$item], $items);
            }
            if (!isset($found[$this->word]) && $failures !== []) {
                // Most likely its server: another question could cost another deadline.
                break;
            }
            $this->generation = null;
        }

        return [];
    }

    public function clear(): Outcome
    {
        $this->generation = null;
        $outcome = $this->memcached->set($this->word, MemcachedKeys::newGeneration());
        $this->report($this->memcached->failures());

        return $outcome;
    }

    /** The one last seen; or what lies on the server, put there if nothing does; null: no telling. */
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
            // A word that was there once is never put back: what it stood for could still be there.
            if ($this->memcached->add($this->word, $new) === Outcome::Done) {
                $this->generation = $new;
            }
            $this->report($this->memcached->failures());
        }

        return $this->generation;
    }

    /**
     * The client gives a server up after two time-outs in a row, since one may be this machine's own. A store has many
     * calls in one request, and may cost it one deadline, so it stops asking at the first.
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
