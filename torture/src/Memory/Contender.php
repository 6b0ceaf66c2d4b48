<?php

declare(strict_types=1);

namespace Larder\Torture\Memory;

use Larder\Testbed\Process\Findings;
use Larder\Outcome;
use Larder\SharedMemory;

/** Works on the keys that the workers of all seats fight for: leases, and sums to which all add. */
final readonly class Contender
{
    private const ADDITIONS = 100;

    /** Seconds that a lease may live: short, so that some run out. */
    private const LEASE = 0.05;

    /** Nanoseconds in a unit of a sum's first part, and the bits of its other parts: seat and count. */
    private const MOMENT = 65_536;
    private const SEAT_BITS = 6;
    private const COUNT_BITS = 16;

    public function __construct(
        private SharedMemory $store,
        private Board $board,
        private int $seat,
        private Reader $reader,
        private Tally $tally,
        private Findings $findings,
    ) {}

    public function lease(): bool
    {
        $number = mt_rand(0, Board::COMMON - 1);
        $name = Keys::common($number);
        $answer = mt_rand(1, 8) === 1 ? null : $this->store->getOrLease($name, self::LEASE);
        if ($answer !== null && $answer->hit) {
            $this->reader->common($number, $answer->value);
        }
        $lease = $answer === null ? $this->store->lease($name, self::LEASE) : $answer->lease;
        if ($lease === null) {
            return true;
        }
        $dice = mt_rand(1, 10);
        if ($dice === 1) {
            return true;
        }
        if ($dice === 2) {
            $this->store->release($name, $lease);
        } elseif ($dice === 3 && $this->store->delete($name) === Outcome::Refused) {
            return false;
        }
        $specimen = new Specimen($number, hrtime(true) >> 10 & 0xFFFFFF);
        $outcome = $this->store->set($name, mt_rand(0, 1) === 0 ? $specimen->text(mt_rand(10, 8000)) : $specimen->rows(mt_rand(1, 20)), mt_rand(1, 100) / 1000, $lease);
        ++$this->tally->writes;
        $this->tally->refused += $outcome === Outcome::Refused ? 1 : 0;
        if ($dice <= 3 && $outcome === Outcome::Done) {
            $this->findings->add("common key $number: stored with a lease that was " . ($dice === 2 ? 'released' : 'ended by a delete'));
        }

        return $outcome !== Outcome::Refused;
    }

    /**
     * All add to it. A sum starts, or starts again when it was evicted, at a number that says who started it and when, and
     * whatever started at one number only rises.
     */
    public function sum(): bool
    {
        $number = mt_rand(0, Board::SUMS - 1);
        $name = Keys::sum($number);
        $place = $this->board->keys + Board::COMMON + $number;
        $seen = $this->board->acknowledged($place);
        for ($i = 0; $i < self::ADDITIONS; ++$i) {
            $sum = $this->store->increment($name, 1, (intdiv(hrtime(true), self::MOMENT) << self::SEAT_BITS | $this->seat) << self::COUNT_BITS);
            ++$this->tally->writes;
            if (!\is_int($sum)) {
                $this->tally->refused += $sum === Outcome::Refused ? 1 : 0;
                if ($sum !== Outcome::Refused) {
                    $this->findings->add("sum $number: " . $sum->name);
                }

                return $sum !== Outcome::Refused;
            }
            if ($sum <= $seen && $sum >> self::COUNT_BITS === $seen >> self::COUNT_BITS) {
                $this->findings->add("sum $number: $sum after $seen");
            }
            $seen = $sum;
        }
        $this->board->acknowledge($place, $seen);

        return true;
    }

    /** Looks at a page of all entries. */
    public function browse(Keys $keys): bool
    {
        $page = $this->store->entries(mt_rand(0, 50), 20);
        foreach ($page['entries'] as $entry) {
            if (!$keys->isOurs($entry['key'])) {
                $this->findings->add('entries() shows a key that nobody wrote: ' . bin2hex($entry['key']));
            }
        }

        return true;
    }
}
