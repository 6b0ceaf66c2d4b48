<?php

declare(strict_types=1);

namespace Larder\Session;

use Larder\Answer;
use Larder\Cache\Waiting;
use Larder\Outcome;
use Larder\Store;

/**
 * Sessions in a store: `session:ID` is the session, and `session:ID.lock` never has a value, only a lease.
 *
 * What is stored is guarded twice. The lock lets requests in one after the other. A request whose lock is lost is kept
 * from writing by the version that it read, or, where there was no session, by a lease of the session's own key, which
 * a write or a delete ends.
 *
 * @internal
 */
final readonly class StoredSessions
{
    /**
     * Microseconds between two looks at the lock. They do not grow with the wait: whoever came later would look more
     * often, and take the lock before those who wait longer.
     */
    private const PAUSES = [3_000, 10_000];

    public function __construct(private Store $store) {}

    /** @return bool|null null: the store does not answer */
    public function has(string $id): ?bool
    {
        // By its value: of what cannot be read, such as what a stranger has put there, nobody shall have the id.
        $answer = $this->store->read(self::key($id));

        return $answer->answered ? $answer->hit : null;
    }

    /** Reads without a lock. */
    public function look(string $id): Held|Refusal
    {
        $answer = $this->store->read(self::key($id));

        return $answer->answered
            ? new Held($id, self::data($answer), version: $answer->hit ? $answer->version : null)
            : Refusal::Unanswered;
    }

    /**
     * Takes the lock, then reads: what was written before is seen, and nobody writes until the lock ends.
     *
     * @param float $seconds that the lock lasts
     * @param float $wait    seconds that the request before may take
     */
    public function hold(string $id, float $seconds, float $wait): Held|Refusal
    {
        $waiting = new Waiting($wait, pauses: self::PAUSES);
        [$lock, $until] = $this->take(self::lock($id), $seconds, $waiting);
        if ($lock instanceof Refusal) {
            return $lock;
        }
        [$found] = $this->take(self::key($id), $seconds, $waiting);
        if ($found instanceof Refusal) {
            $this->letGo(new Held($id, lock: $lock->lease));

            return $found;
        }

        return new Held(
            $id,
            self::data($found),
            $lock->lease,
            $until,
            $found->hit ? $found->version : null,
            $found->lease,
        );
    }

    public function write(Held $held, string $data, float $ttl): ?Refusal
    {
        if (!$held->isLasting()) {
            return Refusal::Late;
        }
        $key = self::key($held->id);

        return self::refusal(
            $held->version === null
                ? $this->store->set($key, $data, $ttl, $held->fence)
                : $this->store->cas($key, $data, $held->version, $ttl),
        );
    }

    public function touch(string $id, float $ttl): ?Refusal
    {
        return self::refusal($this->store->touch(self::key($id), $ttl));
    }

    public function delete(string $id): ?Refusal
    {
        $outcome = $this->store->delete(self::key($id));

        return $outcome === Outcome::NotFound ? null : self::refusal($outcome);
    }

    public function letGo(Held $held): void
    {
        if ($held->fence !== null) {
            $this->store->release(self::key($held->id), $held->fence);
        }
        if ($held->lock !== null) {
            $this->store->release(self::lock($held->id), $held->lock);
        }
    }

    /** @return array{Answer|Refusal, int} a hit or a lease, and when the lease ends: not later than for the store */
    private function take(string $key, float $seconds, Waiting $waiting): array
    {
        while (true) {
            $until = (int) hrtime(true) + (int) ($seconds * 1e9);
            $answer = $this->store->getOrLease($key, $seconds);
            if (!$answer->answered || $answer->lease === 0) {
                return [Refusal::Unanswered, 0];
            }
            if ($answer->hit || $answer->lease !== null) {
                return [$answer, $until];
            }
            if ($waiting->isOver()) {
                return [Refusal::Busy, 0];
            }
            $waiting->pause();
        }
    }

    private static function refusal(Outcome $outcome): ?Refusal
    {
        return match ($outcome) {
            Outcome::Done => null,
            Outcome::Exists, Outcome::NotFound => Refusal::Late,
            Outcome::Refused, Outcome::Unknown => Refusal::Unstored,
        };
    }

    private static function data(Answer $answer): string
    {
        return \is_string($answer->value) ? $answer->value : '';
    }

    private static function key(string $id): string
    {
        return 'session:' . $id;
    }

    /** No id has a dot. */
    private static function lock(string $id): string
    {
        return 'session:' . $id . '.lock';
    }
}
