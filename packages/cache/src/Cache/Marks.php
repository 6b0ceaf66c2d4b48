<?php

declare(strict_types=1);

namespace Larder\Cache;

use Larder\Outcome;
use Larder\Store;
use Larder\Store\Operation;

/**
 * Finds out whether a process would wait for itself: it makes `a` and needs `b`, and the process that makes `b` needs
 * `a`, by any number of processes between the two.
 *
 * A process that makes values and has to wait says in the store, for each of them, what it waits for. Then it follows
 * what others said, from the keys that it waits for. First the writes, then the reads: so the last one of a ring to
 * write sees the whole ring, if it did not close before.
 *
 *     \0mKEY   the keys that the maker of KEY waits for
 *
 * Where the store takes no mark others could not see that this process waits, so it does not. But among processes that
 * hold leases of their host alone, and wait for such leases, files are as good.
 *
 * @internal
 */
final readonly class Marks
{
    private const PREFIX = "\0m";

    /** So many marks in a row are followed, and so many beside each other. */
    private const HOPS = 8;
    private const WIDTH = 64;

    private LateLocks $lateLocks;

    public function __construct(private Store $store, private HostLeases $hostLeases)
    {
        $this->lateLocks = new LateLocks($store);
    }

    /**
     * @param array<array-key, float> $made   seconds that its mark lasts, by each key that this process makes
     * @param list<string>            $wanted  keys that it would wait for
     * @param bool                    $isLocal whether all of this concerns no other host
     *
     * @return list<string> those of the keys that it must not wait for
     */
    public function set(array $made, array $wanted, bool $isLocal): array
    {
        return $this->isKnown($made, $wanted, $isLocal) ? $this->leadingBack($made, $wanted) : $wanted;
    }

    /** @param list<string> $made keys that had marks */
    public function remove(array $made): void
    {
        $marks = array_map(static fn(string $key): string => self::PREFIX . $key, $made);
        Operation::run($this->store, array_map(Operation::delete(...), $marks));
        $local = $this->hostLeases->marks();
        foreach ($made as $key) {
            $local?->remove($key);
        }
    }

    /**
     * Makes known for what this process waits.
     *
     * @param array<array-key, float> $made
     * @param list<string>            $wanted
     */
    private function isKnown(array $made, array $wanted, bool $isLocal): bool
    {
        $writes = [];
        foreach ($made as $key => $seconds) {
            $writes[self::PREFIX . $key] = Operation::set(self::PREFIX . $key, $wanted, $seconds);
        }
        $since = 0;
        do {
            $outcomes = Operation::run($this->store, $writes);
            $isKnown = array_filter($outcomes, static fn(mixed $outcome): bool => $outcome !== Outcome::Done) === [];
        } while (!$isKnown && $this->lateLocks->areReasonToRepeat($since));
        if ($isKnown || !$isLocal) {
            return $isKnown;
        }
        $local = $this->hostLeases->marks();
        foreach ($made as $key => $seconds) {
            if ($local?->set((string) $key, $wanted, $seconds) !== true) {
                return false;
            }
        }

        return true;
    }

    /**
     * @param array<array-key, float> $made
     * @param list<string>            $wanted
     *
     * @return list<string> those of which the maker waits, in the end, for this process
     */
    private function leadingBack(array $made, array $wanted): array
    {
        $back = [];
        // Which of the wanted keys led to a key, by that key.
        $from = $seen = array_combine($wanted, array_map(static fn(string $key): array => [$key], $wanted));
        for ($hop = 0; $from !== [] && $hop < self::HOPS; ++$hop) {
            $next = [];
            foreach ($this->waitedFor(\array_slice($from, 0, self::WIDTH, true)) as $key => $its) {
                foreach ($its as $needed) {
                    if (isset($made[$needed])) {
                        $back = [...$back, ...$from[$key]];
                    } elseif (array_diff($from[$key], $seen[$needed] ?? []) !== []) {
                        $seen[$needed] = array_values(array_unique([...$seen[$needed] ?? [], ...$from[$key]]));
                        $next[$needed] = $seen[$needed];
                    }
                }
            }
            $from = $next;
        }

        return array_values(array_unique($back));
    }

    /**
     * @param array<array-key, mixed> $keys by key
     *
     * @return array<array-key, list<string>> what the makers of these keys said, by key
     */
    private function waitedFor(array $keys): array
    {
        $reads = [];
        foreach (array_keys($keys) as $key) {
            $reads[$key] = Operation::read(self::PREFIX . $key);
        }
        $said = [];
        foreach (Operation::run($this->store, $reads) as $key => $answer) {
            if (\is_array($answer->value)) {
                $said[$key] = array_values(array_filter($answer->value, \is_string(...)));
            }
        }

        $local = $this->hostLeases->marks();
        if ($local !== null) {
            foreach (array_keys($keys) as $key) {
                $said[$key] = [...$said[$key] ?? [], ...$local->of((string) $key)];
            }
        }

        return $said;
    }
}
