<?php

declare(strict_types=1);

namespace Larder\Cache;

use Closure;
use Larder\Exception\UnstorableValue;
use Larder\Outcome;

/**
 * Changes to values that are there: read, change, and stored only if nobody else changed it meanwhile.
 *
 * @internal
 */
final readonly class Edits
{
    /** With the pauses between them about a second: then others write faster than this process can read. */
    private const TRIES = 40;

    /** Microseconds at most between two tries. */
    private const PAUSE = 50_000;

    public function __construct(
        private Entries $entries,
        private Time $time,
        private float $early,
    ) {}

    public function look(string $item): Look
    {
        $answer = $this->entries->store->read($item);
        $entry = $answer->hit ? $this->entries->current(Entry::of($answer->value)) : null;

        return $entry === null ? new Look(State::Missing) : Look::at($entry, $answer->version, $this->time->now(), $this->early);
    }

    /** @throws UnstorableValue */
    public function cas(string $key, string $item, mixed $value, int $version, Terms $terms): Outcome
    {
        try {
            return $this->entries->store->cas($item, $this->entries->pack($item, $terms->entry($value, $this->time->now())), $version, $terms->life);
        } catch (UnstorableValue $exception) {
            throw Computes::unstorable($key, $value, $exception);
        }
    }

    /** Moves both ends: that of the freshness, in the entry, and that of the store. */
    public function touch(string $item, Terms $terms): Outcome
    {
        return $this->edit($item, function (Entry $old) use ($item, $terms): Entry|Outcome {
            if ($old->made === null) {
                return $this->entries->store->touch($item, $terms->life);
            }
            $new = $terms->entry($old->value, $this->time->now(), $old->cost, $old->stamps);

            return new Entry($new->value, $new->freshUntil, $new->cost, $new->stamps, $old->made, $new->keptUntil);
        });
    }

    /** Leaves both ends as they are. */
    public function append(string $item, string $suffix): Outcome
    {
        return $this->edit($item, fn(Entry $old): Entry|Outcome => match (true) {
            !\is_string($old->value) || $old->made === null => Outcome::Exists,
            $old->keptUntil !== null && $old->keptUntil <= $this->time->now() => Outcome::NotFound,
            default => new Entry($old->value . $suffix, $old->freshUntil, $old->cost, $old->stamps, $old->made, $old->keptUntil),
        });
    }

    /** @param Closure(Entry): (Entry|Outcome) $edit the entry to store instead, or how it ended */
    private function edit(string $item, Closure $edit): Outcome
    {
        for ($try = 1; ; ++$try) {
            $answer = $this->entries->store->read($item);
            $old = $answer->hit ? $this->entries->current(Entry::of($answer->value)) : null;
            if ($old === null) {
                return $answer->answered ? Outcome::NotFound : Outcome::Refused;
            }
            $new = $edit($old);
            if ($new instanceof Outcome) {
                return $new;
            }
            $life = $new->keptUntil === null ? null : max(0.0, $new->keptUntil - $this->time->now());
            $outcome = $this->entries->store->cas($item, $this->entries->pack($item, $new), $answer->version, $life);
            if ($outcome !== Outcome::Exists || $try >= self::TRIES) {
                return $outcome;
            }
            usleep(random_int(0, min(self::PAUSE, 100 << min($try, 9))));
        }
    }
}
