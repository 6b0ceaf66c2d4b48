<?php

declare(strict_types=1);

namespace Larder\Cache;

use Closure;
use Larder\Exception\UnstorableValue;
use Larder\Outcome;
use Larder\Store;

/**
 * Changes a value that is there: reads it, changes it, and stores it only if nobody else changed it meanwhile.
 *
 * @internal
 */
final readonly class Update
{
    /** With the pauses between them these take about a second; then others write faster than this process can read. */
    private const TRIES = 40;

    /** Microseconds at most between two tries. */
    private const PAUSE = 50_000;

    /** @param Closure(): float $now */
    public function __construct(
        private Store $store,
        private Look $look,
        private float $early,
        private Closure $now,
    ) {}

    public function inspect(string $storeKey): Inspection
    {
        $answer = $this->store->read($storeKey);
        $entry = $answer->hit ? $this->look->current($answer->value) : null;
        if ($entry === null) {
            return new Inspection(State::Missing);
        }
        $this->look->used($entry);

        return Inspection::of($entry, $answer->version, ($this->now)(), $this->early);
    }

    /** @throws UnstorableValue */
    public function cas(string $key, string $storeKey, mixed $value, int $version, Options $options): Outcome
    {
        $packed = $options->entry($value, ($this->now)())->packed($storeKey, $this->early);
        try {
            return $this->store->cas($storeKey, $packed, $version, $options->life);
        } catch (UnstorableValue $exception) {
            throw Entry::unstorable($key, $value, $exception);
        }
    }

    /** Moves both ends: the one of the freshness, in the entry, and the one of the store. */
    public function touch(string $storeKey, Options $options): Outcome
    {
        return $this->update($storeKey, function (Entry $old) use ($storeKey, $options): Entry|Outcome {
            if ($old->made === null) {
                return $this->store->touch($storeKey, $options->life);
            }
            $new = $options->entry($old->value, ($this->now)(), $old->cost, $old->stamps);

            return new Entry($new->value, $new->freshUntil, $new->cost, $new->stamps, $old->made, $new->keptUntil);
        });
    }

    /** Leaves both ends unchanged. */
    public function append(string $storeKey, string $suffix): Outcome
    {
        return $this->update($storeKey, fn(Entry $old): Entry|Outcome => match (true) {
            !\is_string($old->value) || $old->made === null => Outcome::Exists,
            $old->keptUntil !== null && $old->keptUntil <= ($this->now)() => Outcome::NotFound,
            default => new Entry(
                $old->value . $suffix,
                $old->freshUntil,
                $old->cost,
                $old->stamps,
                $old->made,
                $old->keptUntil,
            ),
        });
    }

    /** @param Closure(Entry): (Entry|Outcome) $change gives the entry to store instead, or the outcome */
    private function update(string $storeKey, Closure $change): Outcome
    {
        for ($try = 1; ; ++$try) {
            $answer = $this->store->read($storeKey);
            $old = $answer->hit ? $this->look->current($answer->value) : null;
            if ($old === null) {
                return $answer->answered ? Outcome::NotFound : Outcome::Refused;
            }
            $new = $change($old);
            if ($new instanceof Outcome) {
                return $new;
            }
            $life = $new->keptUntil === null ? null : max(0.0, $new->keptUntil - ($this->now)());
            $outcome = $this->store->cas($storeKey, $new->packed($storeKey, $this->early), $answer->version, $life);
            if ($outcome !== Outcome::Exists || $try >= self::TRIES) {
                return $outcome;
            }
            usleep(random_int(0, min(self::PAUSE, 100 << min($try, 9))));
        }
    }
}
