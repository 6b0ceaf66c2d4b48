<?php

declare(strict_types=1);

namespace Larder\Proof\Exploration;

/**
 * Plays two clients of a RedisStore and its servers in every order of steps, and ends at the first value that is older
 * than a change that was acknowledged before it was read.
 *
 * The servers come back with an older copy of their data: one is killed and begins anew with its last snapshot, a
 * replica that lags takes its place, and it is demoted and promoted again.
 */
final class RedisExplorer
{
    public int $states = 0;

    /** @var array<string, true> */
    private array $seen = [];

    /** @param list<string> $troubles kill, failover */
    public function __construct(private readonly RedisRule $rule, private readonly array $troubles) {}

    /** @return list<string>|null the moves that lead to a stale value; null: there are none */
    public function search(): ?array
    {
        $moves = new RedisMoves($this->rule);
        /** @var list<array{RedisState, list<string>}> $queue still to be gone on from, the nearest first */
        $queue = [[RedisState::first($this->troubles), []]];
        while ($queue !== []) {
            $next = [];
            foreach ($queue as [$state, $path]) {
                ++$this->states;
                $stale = $moves->stale($state);
                if ($stale !== null) {
                    return [...$path, $stale];
                }
                foreach ($moves->of($state) as $move => $reached) {
                    $key = $reached->key();
                    if (!isset($this->seen[$key])) {
                        $this->seen[$key] = true;
                        // A path of a rule that holds is of no use, and there are many.
                        $next[] = [$reached, $this->rule->holds() ? [] : [...$path, $move]];
                    }
                }
            }
            $queue = $next;
        }

        return null;
    }
}
