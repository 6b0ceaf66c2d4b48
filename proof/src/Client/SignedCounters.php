<?php

declare(strict_types=1);

namespace Larder\Proof\Client;

use Larder\Memcached;
use Larder\Outcome;

/** Counts up and down around 0, where a counter's encoding changes, and knows each time which numbers may be there. */
final class SignedCounters
{
    private const COUNTERS = 4;
    private const MOST = 3;

    /** A counter with more possible numbers is set anew. */
    private const UNSURE = 4;

    /** @var array<int, non-empty-list<int>> numbers that may be there, by counter */
    private array $possible = [];

    public function __construct(
        private readonly Memcached $pool,
        private readonly CallTimer $timer,
        private readonly ClientJudge $judge,
    ) {}

    public function count(): void
    {
        $number = mt_rand(0, self::COUNTERS - 1);
        $name = 'signed-' . $this->judge->worker . '-' . $number;
        $possible = $this->possible[$number] ?? [];
        if ($possible === [] || \count($possible) > self::UNSURE) {
            unset($this->possible[$number]);
            if ($this->timer->time('set', fn(): Outcome => $this->pool->set($name, 2)) === Outcome::Done) {
                $this->possible[$number] = [2];
            }

            return;
        }
        $up = max($possible) <= 0 || (min($possible) < self::MOST && mt_rand(0, 1) === 0);
        $by = mt_rand(1, self::MOST);
        $given = $up
            ? $this->timer->time('increment', fn(): int|Outcome => $this->pool->increment($name, $by))
            : $this->timer->time('decrement', fn(): int|Outcome => $this->pool->decrement($name, $by));
        $this->judge->tell(\is_int($given) ? Outcome::Done : $given, $number, 'signed');
        $then = array_map(static fn(int $value): int => $value + ($up ? $by : -$by), $possible);
        if (\is_int($given)) {
            if (!\in_array($given, $then, true)) {
                $change = $up ? $by : -$by;
                $before = implode(' or ', $possible);
                $this->judge->wrong('signed', $number, "by $change gave $given, but it was $before");
            }
            $this->possible[$number] = [$given];
        } elseif ($given === Outcome::Unknown) {
            $this->possible[$number] = array_values(array_unique([...$possible, ...$then]));
        } elseif ($given !== Outcome::Refused) {
            $this->judge->wrong('signed', $number, 'gave ' . $given->name);
            unset($this->possible[$number]);
        }
    }
}
