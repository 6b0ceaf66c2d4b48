<?php

declare(strict_types=1);

namespace Larder\Cache;

use Closure;
use Larder\Dependency\Name;

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

    /** @var array<array-key, list<string|Name>> what the values are made from that may be made here, by key */
    private array $names = [];

    /**
     * @param Closure(list<string>): array<array-key, mixed>  $compute
     * @param (Closure(string): list<string|Name>)|null $reads
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
        $waiting = $this->claim->waits->of($this->options);
        try {
            while ($this->missing !== [] || $this->computations !== []) {
                $this->claim($waiting);
                if ($this->computations !== []) {
                    $this->claim->waits->end($waiting);
                    $this->values = $this->make($this->computations) + $this->values;
                    $this->computations = [];
                } elseif ($this->missing !== []) {
                    $this->wait($waiting);
                }
            }
        } finally {
            $this->claim->waits->end($waiting);
        }

        return array_replace(array_intersect_key($storeKeys, $this->values), $this->values);
    }

    /** @param array<array-key, string> $storeKeys by key */
    private function look(array $storeKeys): void
    {
        $found = $this->look->entries(array_values($storeKeys));
        $old = [];
        foreach ($storeKeys as $key => $storeKey) {
            $entry = $found[$storeKey] ?? null;
            if ($entry !== null && $this->look->isFresh($entry)) {
                $this->handOut((string) $key, $entry, Event::Hit);
                continue;
            }
            // Before any lease is taken, which an exception of $reads would keep.
            $this->names[$key] = $this->reads === null ? [] : ($this->reads)((string) $key);
            if ($entry === null) {
                $this->missing[$key] = $storeKey;
            } else {
                $old[$key] = $entry;
            }
        }
        $claims = $this->claim->allOutdated(array_intersect_key($storeKeys, $old), $old, $this->options);
        foreach ($claims as $key => $claimed) {
            match (true) {
                $claimed instanceof Entry => $this->handOut((string) $key, $claimed, Event::Hit),
                $claimed === null => $this->handOut((string) $key, $old[$key], Event::Stale),
                $this->refreshes === null => $this->computations[] = $claimed,
                default => $this->handOutBefore($claimed, $old[$key]),
            };
        }
    }

    /** Hands out an old value before the new one is made. */
    private function handOutBefore(Computation $computation, Entry $old): void
    {
        $this->deferred[] = $computation;
        $this->claim->waits->defer($computation);
        $this->handOut($computation->key, $old, null);
    }

    private function defer(): void
    {
        if ($this->deferred !== []) {
            $keys = implode(', ', array_column($this->deferred, 'key'));
            $this->refreshes?->add($keys, fn(): array => $this->make($this->deferred));
        }
    }

    private function wait(Waiting $waiting): void
    {
        foreach ($this->claim->waits->begin($waiting, $this->missing) as $key => $storeKey) {
            $this->computations[] = new Computation((string) $key, $storeKey, null);
            unset($this->missing[$key]);
        }
        if ($this->computations === []) {
            $this->claim->waits->pause($waiting, ...array_map(strval(...), array_keys($this->missing)));
        }
    }

    /** Takes the missing ones that are there by now, and claims others. */
    private function claim(Waiting $waiting): void
    {
        $claims = $this->missing === []
            ? []
            : $this->claim->missingNow($this->missing, $this->names, $this->options, $waiting);
        foreach (array_filter($claims) as $key => $claimed) {
            if ($claimed instanceof Entry) {
                $this->handOut((string) $key, $claimed, Event::Waited);
            } else {
                $this->computations[] = $claimed;
            }
            unset($this->missing[$key]);
        }
    }

    /**
     * @param list<Computation> $computations
     *
     * @return array<array-key, mixed> by key
     */
    private function make(array $computations): array
    {
        return $this->make->many($this->compute, $this->names, $computations, $this->options);
    }

    private function handOut(string $key, Entry $entry, ?Event $event): void
    {
        $this->values[$key] = $this->tally->handOut($key, $entry, $event, $this->options);
    }
}
