<?php

declare(strict_types=1);

namespace Larder\Cache;

use Closure;
use Larder\Dependency\Dependency;
use Throwable;

/**
 * One call of rememberMultiple(): the same three steps, with one look for all keys, and one compute for all that this
 * process is to make.
 *
 * It makes what it may make before it waits for anything, so that no two processes wait for each other.
 *
 * @internal
 */
final class Batch
{
    /** @var array<array-key, mixed> by key */
    private array $values = [];

    /** @var list<Computation> */
    private array $computations = [];

    /** @var list<Computation> of values that are handed out as they are, and made after the response */
    private array $deferred = [];

    /** @var array<array-key, string> store keys by key, of values that are not there */
    private array $missing = [];

    /**
     * @param Closure(list<string>): array<array-key, mixed>  $compute
     * @param (Closure(string): list<string|Dependency>)|null $reads
     */
    public function __construct(
        private readonly Look $look,
        private readonly Claim $claim,
        private readonly Make $make,
        private readonly Tally $tally,
        private readonly ?DeferredRefreshes $refreshes,
        private readonly Closure $compute,
        private readonly ?Closure $reads,
        private readonly Options $options,
    ) {}

    /**
     * @param list<string> $keys
     *
     * @return array<array-key, mixed> by key, in the order asked for
     */
    public function values(array $keys): array
    {
        $storeKeys = [];
        foreach ($keys as $key) {
            $storeKeys[$key] = Entry::key($key);
            $this->make->refuseOwn($key, $storeKeys[$key]);
        }
        $this->look($storeKeys);
        $this->defer();
        $waiting = new Waiting($this->options->wait());
        while ($this->missing !== [] || $this->computations !== []) {
            $this->claim($waiting);
            if ($this->computations !== []) {
                $this->values = $this->make($this->computations) + $this->values;
                $this->computations = [];
            } elseif ($this->missing !== []) {
                $this->claim->pause($waiting, $this->options, ...array_map(strval(...), array_keys($this->missing)));
            }
        }

        return array_replace(array_intersect_key($storeKeys, $this->values), $this->values);
    }

    /** @param array<array-key, string> $storeKeys by key */
    private function look(array $storeKeys): void
    {
        $found = $this->look->entries(array_values($storeKeys));
        foreach ($storeKeys as $key => $storeKey) {
            $old = $found[$storeKey] ?? null;
            if ($old === null) {
                $this->missing[$key] = $storeKey;
            } elseif ($this->look->isFresh($old)) {
                $this->handOut((string) $key, $old, Event::Hit);
            } else {
                $claimed = $this->claim->outdated((string) $key, $storeKey, $old, $this->options);
                match (true) {
                    $claimed instanceof Entry => $this->handOut((string) $key, $claimed, Event::Hit),
                    $claimed === null => $this->handOut((string) $key, $old, Event::Stale),
                    $this->refreshes === null => $this->computations[] = $claimed,
                    default => $this->handOutBefore($claimed, $old),
                };
            }
        }
    }

    /** Hands out an old value before the new one is made. */
    private function handOutBefore(Computation $computation, Entry $old): void
    {
        $this->deferred[] = $computation;
        $this->handOut($computation->key, $old, null);
    }

    private function defer(): void
    {
        if ($this->deferred !== []) {
            $keys = implode(', ', array_column($this->deferred, 'key'));
            $this->refreshes?->add($keys, fn(): array => $this->make($this->deferred));
        }
    }

    /** Takes the missing ones that are there by now, and claims others. */
    private function claim(Waiting $waiting): void
    {
        foreach ($this->missing as $key => $storeKey) {
            $claimed = $this->claimed((string) $key, $storeKey, $waiting);
            if ($claimed instanceof Entry) {
                $this->handOut((string) $key, $claimed, Event::Waited);
            } elseif ($claimed instanceof Computation) {
                $this->computations[] = $claimed;
            }
            if ($claimed !== null) {
                unset($this->missing[$key]);
            }
        }
    }

    private function claimed(string $key, string $storeKey, Waiting $waiting): Entry|Computation|null
    {
        try {
            return $this->claim->missingNow($key, $storeKey, $this->options, $waiting, $this->reads);
        } catch (Throwable $exception) {
            // What $reads throws must not keep the leases that this process has already.
            $this->make->release($this->computations);
            throw $exception;
        }
    }

    /**
     * @param list<Computation> $computations
     *
     * @return array<array-key, mixed> by key
     */
    private function make(array $computations): array
    {
        return $this->make->many($this->compute, $this->reads, $computations, $this->options);
    }

    private function handOut(string $key, Entry $entry, ?Event $event): void
    {
        $this->values[$key] = $this->tally->handOut($key, $entry, $event, $this->options);
    }
}
