<?php

declare(strict_types=1);

namespace Larder\Torture\Client;

use Larder\Memcached;
use Larder\Outcome;

/** Counts up and down around 0, where a counter changes its form, and knows each time which numbers may be there. */
final class Swing
{
    private const COUNTERS = 4;
    private const MOST = 3;

    /** Possible numbers after which it is set anew. */
    private const UNSURE = 4;

    /** @var array<int, non-empty-list<int>> what may be there, by number of the counter */
    private array $possible = [];

    public function __construct(
        private readonly Memcached $pool,
        private readonly Calls $calls,
        private readonly Judge $judge,
    ) {}

    public function count(): void
    {
        $number = mt_rand(0, self::COUNTERS - 1);
        $name = 'swing-' . $this->judge->seat . '-' . $number;
        $possible = $this->possible[$number] ?? [];
        if ($possible === [] || \count($possible) > self::UNSURE) {
            unset($this->possible[$number]);
            if ($this->calls->of('set', fn(): Outcome => $this->pool->set($name, 2)) === Outcome::Done) {
                $this->possible[$number] = [2];
            }

            return;
        }
        $up = max($possible) <= 0 || (min($possible) < self::MOST && mt_rand(0, 1) === 0);
        $by = mt_rand(1, self::MOST);
        $given = $up
            ? $this->calls->of('increment', fn(): int|Outcome => $this->pool->increment($name, $by))
            : $this->calls->of('decrement', fn(): int|Outcome => $this->pool->decrement($name, $by));
        $this->judge->tell(\is_int($given) ? Outcome::Done : $given, $number, 'swing');
        $then = array_map(static fn(int $value): int => $value + ($up ? $by : -$by), $possible);
        if (\is_int($given)) {
            if (!\in_array($given, $then, true)) {
                $this->judge->wrong('swing', $number, \sprintf('%d by %d gave %d, but it was %s', $up ? 1 : -1, $by, $given, implode(' or ', $possible)));
            }
            $this->possible[$number] = [$given];
        } elseif ($given === Outcome::Unknown) {
            $this->possible[$number] = array_values(array_unique([...$possible, ...$then]));
        } elseif ($given !== Outcome::Refused) {
            $this->judge->wrong('swing', $number, 'gave ' . $given->name);
            unset($this->possible[$number]);
        }
    }
}
