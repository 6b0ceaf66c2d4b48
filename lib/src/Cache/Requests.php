<?php

declare(strict_types=1);

namespace Larder\Cache;

use Larder\Dependency\Versions;
use Larder\Exception\NotMadeInTime;

/**
 * The steps that requests for one value and for many have in common.
 *
 * @internal
 */
final readonly class Requests
{
    /** Seconds by which two clocks may differ, and a store may keep a value too long, before it is worth a line in the log. */
    private const CLOCKS_APART = 2.0;

    public function __construct(
        public Entries $entries,
        private Versions $versions,
        private Settings $settings,
        private Time $time,
        private Tally $tally,
    ) {}

    public function isFresh(Entry $entry): bool
    {
        return $entry->isFresh($this->time->now(), $this->settings->early);
    }

    /** Whether its ttl has ended. */
    public function isOver(Entry $entry): bool
    {
        return $entry->freshUntil <= $this->time->now();
    }

    /** The value of an entry, made known to all that count it. */
    public function handOut(string $key, Entry $entry, Event $event, Terms $terms): mixed
    {
        $now = $this->time->now();
        $ahead = max(($entry->made ?? $now) - $now, $now - ($entry->keptUntil ?? $now));
        if ($ahead > self::CLOCKS_APART) {
            $this->tally->warn('clocks_apart', 'The value of {key} is stamped {seconds} s off: the clocks of two hosts are apart, or a clock was set. It is kept no longer than ttl + grace all the same.', [
                'key' => $key,
                'seconds' => round($ahead, 1),
            ]);
        }
        $this->tally->request($key, $event, $now, $entry->cost, $terms);
        $this->versions->used($entry->stamps, $entry->freshUntil);

        return $entry->value;
    }

    /**
     * A value is made for this request.
     *
     * @param float|null $cost seconds that it takes; null: not known
     */
    public function missed(string $key, Event $event, ?float $cost, Terms $terms): void
    {
        $this->tally->request($key, $event, $this->time->now(), $cost, $terms);
    }

    /** @throws NotMadeInTime */
    public function waitedInVain(string $key, Terms $terms): Claim
    {
        $this->tally->count('waits_in_vain');

        return $this->settings->afterWait === AfterWait::Fail ? throw NotMadeInTime::within($key, $terms->wait()) : new Claim(null, false);
    }

    public function waits(int $keys): void
    {
        $this->tally->count('waits', $keys);
    }
}
