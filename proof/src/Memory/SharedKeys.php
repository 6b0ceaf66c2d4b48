<?php

declare(strict_types=1);

namespace Larder\Proof\Memory;

use Larder\Outcome;
use Larder\SharedMemory;
use Larder\Testbed\Process\Board;
use Larder\Testbed\Process\Findings;
use Larder\Testbed\Value\SealedValue;

/** The operations on keys that all workers write: leased values, and sums to which all add. */
final class SharedKeys
{
    private const ADDITIONS = 100;

    /** Seconds that a lease may live: short, so that some end before they are used. */
    private const LEASE = 0.05;

    /** The bits of a sum behind the number of its start: the worker that started it, and what was added since. */
    private const WORKER_BITS = 6;
    private const COUNT_BITS = 16;

    /** What a sum begins with that this worker starts. Used once, so that a sum which falls never comes back. */
    private int $start;

    public function __construct(
        private readonly SharedMemory $store,
        private readonly Board $board,
        private readonly MemoryKeys $keys,
        private readonly int $worker,
        private readonly MemoryReader $reader,
        private readonly Findings $findings,
    ) {
        // The worker before may have been killed behind a start that it has not noted.
        $this->start = $this->nextStart();
    }

    public function lease(): bool
    {
        $number = mt_rand(0, MemoryKeys::COMMON - 1);
        $name = MemoryKeys::common($number);
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
        $sealed = new SealedValue($number, hrtime(true) >> 10 & 0xFFFFFF);
        $value = mt_rand(0, 1) === 0 ? $sealed->text(mt_rand(10, 8000)) : $sealed->rows(mt_rand(1, 20));
        $outcome = $this->store->set($name, $value, mt_rand(1, 100) / 1000, $lease);
        $this->countWrite($outcome === Outcome::Refused);
        if ($dice <= 3 && $outcome === Outcome::Done) {
            $why = $dice === 2 ? 'released' : 'ended by a delete';
            $this->findings->add("common key $number: stored with a lease that was $why");
        }

        return $outcome !== Outcome::Refused;
    }

    /**
     * A sum starts, or starts again when it was evicted, at a number that no other start has. From there it only rises.
     */
    public function sum(): bool
    {
        $number = mt_rand(0, MemoryKeys::SUMS - 1);
        $name = MemoryKeys::sum($number);
        $place = $this->keys->count + MemoryKeys::COMMON + $number;
        $seen = $this->board->get('acknowledged', $place);
        for ($i = 0; $i < self::ADDITIONS; ++$i) {
            $sum = $this->store->increment($name, 1, $this->start);
            $this->countWrite($sum === Outcome::Refused);
            if ($sum === $this->start) {
                $this->start = $this->nextStart();
            }
            if (!\is_int($sum)) {
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
        $this->board->set('acknowledged', $seen, $place);

        return true;
    }

    /** Lists some of all entries. */
    public function browse(): bool
    {
        $page = $this->store->entries(mt_rand(0, 50), 20);
        foreach ($page['entries'] as $entry) {
            if (!$this->keys->isOurs($entry['key'])) {
                $this->findings->add('entries() shows a key that nobody wrote: ' . bin2hex($entry['key']));
            }
        }

        return true;
    }

    private function nextStart(): int
    {
        $number = $this->board->add(WorkerCount::Starts, index: $this->worker);

        return ($number << self::WORKER_BITS | $this->worker) << self::COUNT_BITS;
    }

    private function countWrite(bool $isRefused): void
    {
        $this->board->add(WorkerCount::Writes, index: $this->worker);
        $this->board->add(WorkerCount::Refused, $isRefused ? 1 : 0, $this->worker);
    }
}
