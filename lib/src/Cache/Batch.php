<?php

declare(strict_types=1);

namespace Larder\Cache;

use Closure;
use Larder\Dependency\Dependency;

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
        $begun = null;
        $looks = 0;
        while ($this->missing !== [] || $this->computations !== []) {
            $this->claim();
            if ($this->computations !== []) {
                $this->make();
                continue;
            }
            if ($begun === null && $this->missing !== []) {
                $begun = (int) hrtime(true);
                $this->tally->count('waits', \count($this->missing));
            }
            if ($begun !== null && !$this->claim->pause($begun, $looks++, $this->options)) {
                $this->giveUp();
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
                    $claimed instanceof Computation => $this->computations[] = $claimed,
                    default => $this->handOut((string) $key, $old, Event::Stale),
                };
            }
        }
    }

    /** Takes the missing ones that are there by now, and claims others. */
    private function claim(): void
    {
        foreach ($this->missing as $key => $storeKey) {
            $claimed = $this->claim->missingNow((string) $key, $storeKey, $this->options);
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

    private function make(): void
    {
        $computations = $this->computations;
        $this->computations = [];
        $this->values = $this->make->many($this->compute, $this->reads, $computations, $this->options) + $this->values;
    }

    /** Nobody made the rest in time. */
    private function giveUp(): void
    {
        foreach ($this->missing as $key => $storeKey) {
            $this->computations[] = $this->claim->waitedInVain((string) $key, $storeKey, $this->options);
        }
        $this->missing = [];
        $this->make();
    }

    private function handOut(string $key, Entry $entry, Event $event): void
    {
        $this->values[$key] = $this->tally->handOut($key, $entry, $event, $this->options);
    }
}
